"""What an agent would do in somebody's place, if it knew no more than they do."""

import numpy as np

from stardeck.agents.search.agent import SearchAgent
from stardeck.game.agent import Agent, States, decisions
from stardeck.game.game import Game

GUESSES = 25  # games in which it is asked


def advice(game: Game, states: States, agent: Agent, seat: int) -> int:
    """What an agent would do most often in games that may be this one, as far as the seat to act knows.

    states: one row. What the seat does not know is drawn anew, so that nothing of it can show in the answer. A search
    draws it anew before each of its simulations, and is asked once.
    """
    count = 1 if isinstance(agent, SearchAgent) else GUESSES
    seeds = np.arange(count, dtype=np.uint64) + np.uint64(GUESSES) * states["decisions"].astype(np.uint64)
    guesses = game.resample_hidden(game.take(states, [0] * count), seat, seeds)
    return int(np.bincount(decisions(agent, game, guesses, seeds)).argmax())
