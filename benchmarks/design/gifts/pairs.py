"""Interactions of pairs of cards, from games with random gifts.

The interaction of a pair is what both cards give together, less the sum of what each gives alone. Effects are
differences of log odds (strengths.py): with win rates, two strong cards would never reach their sum, because no side
wins more than all games. Four groups of the same experiment give an interaction: sides with the pair, with one of the
two, and with nothing. They differ by the gifts alone. What a page shows of a pair are win points (win_points.py).

For later gifts, other games from the same position predict a part of the result; it is subtracted with the slope of a
regression. Gifts are independent of it, so there is no bias.
"""

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray
from scipy import stats

from stardeck.benchmarks.card_values.treatment_effects import Z, corrected
from stardeck.benchmarks.design.gifts.experiment import OVER, Cells
from stardeck.benchmarks.design.gifts.strengths import Groups
from stardeck.benchmarks.design.gifts.win_points import Beyond
from stardeck.benchmarks.design.variance.replays import shares_won

Array = NDArray[np.float64]


class Interactions(NamedTuple):
    """Estimates of all pairs, in the order of `Cells.pairs`: float64[pairs]; NaN where not known.

    Attributes:
        beyond: What both cards give, and what adding their odds would give.
        extra: Interaction, in log odds: the first less the second.
        extra_error: Its standard error.
        p: Chance of such a difference in win points without one.
    """

    beyond: Beyond
    extra: Array
    extra_error: Array
    p: Array


def results(rows: NDArray[np.int16], uses: int) -> tuple[Array, NDArray[np.int64]]:
    """Return the adjusted results of all sides and their cells: float64[games, sides], int64[games, sides].

    Args:
        rows: Rows of a `GiftSeries`.
        uses: Number of games from one position.
    """
    known = rows[:, 0] != OVER
    won = shares_won(rows.astype(np.int64))
    if uses > 1:
        won = _less_predicted(won, known, uses)
    return won[known], rows[known, 1:].astype(np.int64)


def _less_predicted(won, known, uses):
    """Return results less what the other games from their position predict. Positions are over for all uses or none."""
    whole = len(won) // uses * uses
    by_position = won[:whole].reshape(-1, uses, won.shape[1])
    others = (by_position.sum(axis=1, keepdims=True) - by_position) / (uses - 1)
    predicted = np.repeat(won[known].mean(axis=0)[None], len(won), axis=0)
    predicted[:whole] = others.reshape(whole, -1)
    apart = predicted[known] - predicted[known].mean(axis=0)
    spread = (apart**2).sum()
    slope = (apart * won[known]).sum() / spread if spread > 0 else 0.0
    return won - slope * (predicted - won[known].mean(axis=0))


def interactions(found: Groups, cells: Cells) -> Interactions:
    """Return the interactions of all pairs.

    Args:
        found: Strengths of the groups.
        cells: The groups.
    """
    odds, variances = found.odds, found.variances
    pair, first, second = slice(1 + cells.cards, None), 1 + cells.pairs[:, 0], 1 + cells.pairs[:, 1]
    parts = np.where(first == second, 4 * variances[first], variances[first] + variances[second])
    beyond = Beyond(
        odds[pair] - odds[0],
        np.sqrt(variances[pair] + variances[0]),
        odds[first] + odds[second] - 2 * odds[0],
        np.sqrt(parts + 4 * variances[0]),
        np.full(len(first), 2 * variances[0]),
    )
    extra, error = beyond.together - beyond.added, np.sqrt(variances[pair] + parts + variances[0])
    return Interactions(beyond, extra, error, 2 * stats.norm.sf(beyond.distances()))


class Clear(NamedTuple):
    """Pairs of several stages, corrected together.

    Attributes:
        q: Bound on the false discovery rate, by stage: float64[stages, pairs].
        wide: Number of standard errors of intervals that hold for pairs that were selected by q < 0.05.
    """

    q: Array
    wide: float


def clear_pairs(stages: Sequence[Interactions], limit: float = 0.05) -> Clear:
    """Correct the interactions of all pairs and stages together (Benjamini and Hochberg).

    Intervals of the pairs that are picked out because they are clear have the level 1 - limit * picked / tested
    (Benjamini and Yekutieli 2005), because the largest estimates tend to be too large.

    Args:
        stages: Interactions of each stage.
        limit: Most false discoveries among the pairs picked out.
    """
    p = np.stack([stage.p for stage in stages])
    q = corrected(p)
    tested, picked = (~np.isnan(q)).sum(), (q < limit).sum()
    return Clear(q, float(stats.norm.isf(limit * picked / tested / 2)) if picked else Z)
