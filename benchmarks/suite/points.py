"""Points of the suite, and their intervals.

A level gives the chance to beat its opponent in a game of two, from 0 to 100. With more sides, a player who wins the
share p of the games against n - 1 others of one strength would win (n - 1) p / ((n - 1) p + 1 - p) of the games of two
(the model of Plackett and Luce). So the opponent itself has 50 points on its own level, whatever the number of sides.
Against a Boss, points are the share of games won.

A task has the mean of its levels, and the suite the interquartile mean of its tasks: the mean without the two best and
the two worst of eight (Agarwal et al., "Deep reinforcement learning at the edge of the statistical precipice", 2021).
Intervals draw deals anew, with all games of a deal together: 95 %, percentile bootstrap.
"""

from collections.abc import Sequence
from itertools import pairwise
from typing import Any

import numpy as np
from numpy.typing import NDArray

from stardeck.benchmarks.suite.levels import Outcomes

TRIMMED = 0.25  # share of the tasks that the interquartile mean leaves out at either end
RESAMPLES = 1_000
AT_ONCE = 50  # resamples that are in memory at once


def shares(outcomes: Outcomes, sides: int) -> NDArray[np.float64]:
    """Return the share of the games that the entry won, by block: float64[blocks], in ascending order.

    Args:
        outcomes: Outcomes of a level.
        sides: Number of sides, of which an undecided game gives each the same.
    """
    return np.sort((outcomes.won + outcomes.undecided / sides) / outcomes.block)


def duel_rate(share: Any, sides: int) -> Any:
    """Return the chance to win a game of two, for the share of wins against `sides` - 1 equal opponents.

    Args:
        share: Share of wins, from 0 to 1: a number or an array.
        sides: Number of sides; 1 against a Boss.
    """
    others = max(1, sides - 1)
    return others * share / (others * share + 1 - share)


def points(tasks: Sequence[Sequence[tuple[NDArray[np.float64], int]]]) -> dict[str, Any]:
    """Return the points of levels and tasks, and of all of them together.

    Args:
        tasks: For each task, for each level, the shares by block and the number of sides.

    Returns:
        {points, low, high, tasks: [{points, low, high, levels: [{points, low, high}]}]}, all from 0 to 100.
    """
    from scipy.stats import bootstrap, trim_mean

    sides = [count for levels in tasks for _, count in levels]
    edges = np.cumsum([0, *(len(levels) for levels in tasks)])

    def statistic(*samples, axis):
        rates = [duel_rate(np.mean(one, axis=axis), count) for one, count in zip(samples, sides, strict=True)]
        means = [np.mean(rates[start:stop], axis=0) for start, stop in pairwise(edges)]
        return 100 * np.array([trim_mean(means, TRIMMED, axis=0), *means, *rates])

    samples = [share for levels in tasks for share, _ in levels]
    found = statistic(*samples, axis=-1)
    drawn = bootstrap(
        samples, statistic, vectorized=True, n_resamples=RESAMPLES, batch=AT_ONCE, method="percentile",
        rng=np.random.default_rng(0),
    ).confidence_interval  # fmt: skip
    rows = [
        {"points": float(middle), "low": float(low), "high": float(high)}
        for middle, low, high in zip(found, drawn.low, drawn.high, strict=True)
    ]
    by_task, by_level = rows[1 : 1 + len(tasks)], rows[1 + len(tasks) :]
    return rows[0] | {
        "tasks": [
            row | {"levels": by_level[start:stop]} for row, (start, stop) in zip(by_task, pairwise(edges), strict=True)
        ]
    }
