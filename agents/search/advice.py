"""Advice: an agent's action in a player's place, from no more than that player knows."""

import numpy as np

from stardeck.agents.search.agent import SearchAgent
from stardeck.game.agent import Agent, States, decisions
from stardeck.game.game import Game

GUESSES = 25  # redrawn games for which the agent is asked


def advice(game: Game, states: States, agent: Agent, seat: int) -> int:
    """Return the action that an agent takes most often in games consistent with the acting seat's knowledge.

    Everything unknown to the seat is redrawn, so the answer cannot depend on it. A search redraws it before each of its
    simulations, so it is asked once.

    Args:
        game: The variant.
        states: One row.
        agent: The adviser.
        seat: The seat whose knowledge counts.
    """
    count = 1 if isinstance(agent, SearchAgent) else GUESSES
    seeds = np.arange(count, dtype=np.uint64) + np.uint64(GUESSES) * states["decisions"].astype(np.uint64)
    guesses = game.resample_hidden(game.take(states, [0] * count), seat, seeds)
    return int(np.bincount(decisions(agent, game, guesses, seeds)).argmax())
