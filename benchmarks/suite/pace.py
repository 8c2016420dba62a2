"""How fast an agent decides, on positions from games of `rules`."""

import time

import numpy as np

from stardeck import agents as players
from stardeck.game.agent import Agent, States, decisions
from stardeck.game.game import Game

POSITIONS = 64  # which the agent is asked for at once
LONGEST = 48  # decisions before a position
SECONDS = 1.0  # after which no further batch begins
BATCHES = 1_000  # at most


def positions(game: Game, count: int) -> States:
    """Return states of games that are not over, 0 to 47 decisions of `rules` after the deal."""
    states = game.deal(np.arange(count))
    rules = players.get("rules", game)
    for ply in range(LONGEST):
        rows = np.flatnonzero(~game.is_over(states) & (np.arange(count) % LONGEST > ply))
        if not len(rows):
            break
        chosen = game.take(states, rows)
        game.apply(chosen, decisions(rules, game, chosen, rows.astype(np.uint64)))
        game.put(states, rows, chosen)
    return game.take(states, np.flatnonzero(~game.is_over(states)))


def decisions_per_second(game: Game, agent: Agent) -> float:
    """Return the decisions that an agent makes in a second when it is asked for up to 64 at once.

    It follows from the median of the batches, so other work on the machine that interrupts some of them changes little.
    """
    states = positions(game, POSITIONS)
    decisions(agent, game, game.take(states, np.arange(1)), np.zeros(1, np.uint64))  # compiled, and loaded
    took: list[float] = []
    while sum(took) < SECONDS and len(took) < BATCHES:
        seeds = np.arange(len(states), dtype=np.uint64) + np.uint64(len(took) * len(states))
        began = time.perf_counter()
        decisions(agent, game, states, seeds)
        took.append(time.perf_counter() - began)
    return len(states) / float(np.median(took))
