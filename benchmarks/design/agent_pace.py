"""Budgets of games for agents of different speed."""

from typing import Any

from stardeck.agents.search.agent import SearchAgent
from stardeck.agents.user_agents import is_thread_safe
from stardeck.game.agent_table import is_compiled

NETWORK, THREADED, LONE = 20, 1_000, 2_000  # games of `rules` that a game of these agents takes from the budget
SIMULATION, MILLISECOND = 200, 8_000  # games of `rules` in the time of a game, for each in a decision of a search


def affordable(agent: Any, games: int, least: int = 40) -> int:
    """Return the number of games of an agent for a budget, which counts games of a fast agent such as `rules`.

    Args:
        agent: Agent of all seats.
        games: The budget.
        least: Fewest games of a slower agent, if the budget is not smaller.
    """
    return max(games // _price(agent), min(least, games))


def time_of(agent: Any) -> int:
    """Return how many games of a fast agent last about as long as one of this agent, for progress.

    Args:
        agent: Agent of all seats.
    """
    if isinstance(agent, SearchAgent):
        return SIMULATION * agent.simulations if agent.simulations else MILLISECOND * (agent.milliseconds or 1)
    return _price(agent)


def _price(agent: Any) -> int:
    if is_compiled(agent):
        return NETWORK if hasattr(agent, "network") else 1
    return THREADED if is_thread_safe(agent) else LONE
