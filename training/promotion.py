"""Promotion: a test of a trained network against the one that plays the games, which it may replace."""

from typing import Any

import numpy as np

from stardeck.agents.networks.agent import NetworkAgent
from stardeck.benchmarks.advantage.measure import win_rate
from stardeck.benchmarks.arena.series import Series, win_share
from stardeck.benchmarks.league.sprt import Sprt, looks, pairs_of
from stardeck.game.game import Game

EVALUATION_SEED = 2**63  # deals that training hardly ever meets


def is_better(game: Game, learner: NetworkAgent, player: NetworkAgent, recipe: Any, seed: int) -> bool:
    """Return true if `learner` beats `player` in a test of at most `recipe.promotion_games` games.

    With two sides it is a sequential test on paired deals. With more sides, the interval of the win rate must lie above
    a fair share. Against an automated Boss, it must win at least as often on the same deals.
    """
    sides = len(game.variant.sides)
    if sides == 2:
        return _passes(game, learner, player, Sprt(0, recipe.promotion_elo), recipe.promotion_games, seed)
    games = recipe.promotion_games
    share = win_share(game, learner, player, games, seed)
    if sides == 1:
        return share >= win_share(game, player, learner, games, seed)
    low = win_rate(games * share, games)["low"]
    return low is not None and low > 1 / sides


def _passes(game, learner, player, test, games, seed):
    series = Series(game, [learner, player], seed, by_side=True)
    half_points = np.zeros(games // 2 * 2, np.int8)
    done = 0
    for look in looks(len(half_points)):
        for chunk in series.run([(done, look)]):
            half_points[chunk.start : chunk.start + len(chunk.winners)] = _half_points(series, chunk, learner)
        done = look
        found = test.verdict(pairs_of(half_points[:done]))
        if found != "undecided":
            return found == "H1"
    return False


def _half_points(series, chunk, learner):
    """Return the learner's points in each game: 2 for a win, 1 for a draw or a game without end."""
    mine = np.array([[seated is learner for seated in lineup] for lineup in series.lineups])[chunk.rotations]
    return np.where(chunk.winners.any(axis=1), 2 * (chunk.winners & mine).any(axis=1), 1)
