"""Agents by name, for environments: they know an agent as a callable, so that names are looked up late."""

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from stardeck.game.agent import Agent

if TYPE_CHECKING:
    from stardeck.agents.agent_table import Cast
    from stardeck.game.game import Game


def agent_of(agent: Any, game: "Game") -> Any:
    """The agent of this name or file for a game; ValueError if there is none, or if it cannot play the game."""
    from stardeck.agents import get

    return get(agent, game)


def cast_of(agents: Sequence[Agent]) -> "Cast | None":
    """The agents for compiled loops, or None if one of them is not compiled."""
    from stardeck.agents.agent_table import Cast, is_compiled

    return Cast(agents) if all(map(is_compiled, agents)) else None
