"""Agents by name. `stardeck.agents` provides how a name becomes an agent, so that games import no agent themselves."""

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Any

from stardeck.game.agent import Agent
from stardeck.game.agent_table import Cast, is_compiled

if TYPE_CHECKING:
    from stardeck.game.game import Game

_providers: list[Callable[[Any, "Game"], Any]] = []  # the last one finds agents


def provide(find: Callable[[Any, "Game"], Any]) -> None:
    """Set how agents are found.

    Args:
        find: Takes a name, a file or an agent, and the game that it is to play. Returns the agent, or raises
        ValueError.
    """
    _providers.append(find)


def agent_of(agent: Any, game: "Game") -> Any:
    """Return the agent of this name or file for a game.

    Args:
        agent: A name, a file, the place of an agent of your own, or an agent.
        game: The game that the agent is to play.

    Raises:
        ValueError: There is no such agent, or it cannot play the game.
        RuntimeError: Nothing provides agents: `stardeck.agents` was never imported.
    """
    if not _providers:
        raise RuntimeError("import stardeck.agents before games are asked for agents by name")
    return _providers[-1](agent, game)


def cast_of(agents: Sequence[Agent]) -> Cast | None:
    """Return the agents for compiled loops, or None if one of them is not compiled."""
    return Cast(agents) if all(map(is_compiled, agents)) else None
