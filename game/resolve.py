"""Agents by name. `stardeck.agents` provides the look-up, so games do not import agents."""

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Any

from stardeck.game.agent import Agent
from stardeck.game.agent_table import AgentTable, is_compiled

if TYPE_CHECKING:
    from stardeck.game.game import Game

_providers: list[Callable[[Any, "Game"], Any]] = []  # only the last one is used


def provide(find: Callable[[Any, "Game"], Any]) -> None:
    """Set the function that finds agents.

    Args:
        find: Takes a name, a file or an agent, and the game to play. Returns the agent, or raises ValueError.
    """
    _providers.append(find)


def agent_of(agent: Any, game: "Game") -> Any:
    """Return the agent of this name or file for a game.

    Args:
        agent: A name, a file, `mine.py:Agent` for an agent of your own, or an agent.
        game: The game that the agent is to play.

    Raises:
        ValueError: There is no such agent, or it cannot play the game.
        RuntimeError: No provider is set: `stardeck.agents` was never imported.
    """
    if not _providers:
        raise RuntimeError("import stardeck.agents first: it finds agents by name")
    return _providers[-1](agent, game)


def agent_table_of(agents: Sequence[Agent]) -> AgentTable | None:
    """Return the agents for compiled loops, or None if one of them is not compiled."""
    return AgentTable(agents) if all(map(is_compiled, agents)) else None
