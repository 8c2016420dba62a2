"""Budgets of games for agents of different speed."""

from typing import Any

from stardeck.agents.user_agents import is_thread_safe
from stardeck.game.agent_table import is_compiled

NETWORK, THREADED, LONE = 20, 1_000, 2_000  # games of `rules` in the time of one game, roughly


def affordable(agent: Any, games: int, least: int = 40) -> int:
    """Return the number of games of an agent for a budget, which counts games of a fast agent such as `rules`.

    Args:
        agent: Agent of all seats.
        games: The budget.
        least: Fewest games of a slower agent, if the budget is not smaller.
    """
    if is_compiled(agent):
        cost = NETWORK if hasattr(agent, "network") else 1
    else:
        cost = THREADED if is_thread_safe(agent) else LONE
    return max(games // cost, min(least, games))
