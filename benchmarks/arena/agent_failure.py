"""The game in which an agent failed, and the command that plays it again."""

import shlex
from typing import Any

import numpy as np

from stardeck import agents as players
from stardeck.agents.identity import identity_of
from stardeck.agents.remote.address import mentions_remote
from stardeck.benchmarks.arena.variant_options import minimal_settings, option_text
from stardeck.game.agent import AgentError, IllegalAnswer, decisions, number_of


def failure_in_game(error: AgentError, series: Any, index: int, deal: int, decision: int, seat: int) -> AgentError:
    """Return an error that names the game in which an agent failed.

    Args:
        error: Error of the agent.
        series: Series of the game.
        index: Number of the game in its series.
        deal: Seed of its deal.
        decision: Number of decisions before the failure.
        seat: Seat of the agent.
    """
    where = f"in game {index} (deal seed {deal}, decision {decision}, seat {seat})"
    kind = IllegalAnswer if isinstance(error, IllegalAnswer) else AgentError
    return kind(f"{error}; {where}; {_again(series, index, deal)} plays it again")


def failing_row(agent: Any, game: Any, states: np.ndarray, seeds: np.ndarray) -> int | None:
    """Return the first row whose decision fails when the agent decides it alone; None if no row fails.

    Args:
        agent: Agent that failed.
        game: Game of the states.
        states: Batch of states.
        seeds: uint64[n], chance of each decision.
    """
    for row in range(len(states)):
        try:
            decisions(agent, game, states[row : row + 1], seeds[row : row + 1])
        except AgentError:
            return row
    return None


def _again(series, index, deal):
    """Return the command that plays a game again, or a Python call where a name does not find its agents."""
    game = series.game
    lineup = series.lineups[index % len(series.lineups)]
    texts = [_text(agent, series.texts[number_of(agent, series.agents)], game) for agent in lineup]
    if None in texts:
        return f"Series(game, agents, seed={series.seed}, by_side={series.by_side}).play({index}, {index + 1})"
    options = {name.replace("_", "-"): value for name, value in minimal_settings(game).items()}
    options |= {"agents": texts, "seed": deal, "series": int(series.seed)}
    words = [word for name, value in options.items() for word in (f"--{name}", option_text(value))]
    return f"`{shlex.join(['stardeck', 'watch', game.variant.game, *words])}`"


def _text(agent, given, game):
    """Return the text by which a command finds an agent: the given one or its name; None if the name finds another."""
    if not given and mentions_remote(agent.name):  # the name may come from a program elsewhere
        return None
    try:
        found = given or identity_of(players.get(agent.name, game)) == identity_of(agent)
    except ValueError:
        return None
    return (given or agent.name) if found else None
