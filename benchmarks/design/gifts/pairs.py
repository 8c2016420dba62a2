"""Interactions of pairs of cards, from games with random gifts.

The interaction of a pair is what both cards give together, less the sum of what each gives alone. Effects are
differences of log odds (strengths.py): with win rates, two strong cards would never reach their sum, because no side
wins more than all games. Four groups of the same experiment give an interaction: sides with the pair, with one of the
two, and with nothing. They differ by the gifts alone. `points` turns an effect into win points between equal players.

For later gifts, other games from the same position predict a part of the result; it is subtracted with the slope of a
regression. Gifts are independent of it, so there is no bias.
"""

from collections.abc import Mapping, Sequence
from typing import NamedTuple

import numpy as np
from numpy.typing import ArrayLike, NDArray

from stardeck.benchmarks.card_values.treatment_effects import Z, chances, corrected
from stardeck.benchmarks.design.gifts.experiment import OVER, Cells
from stardeck.benchmarks.design.gifts.strengths import Groups
from stardeck.benchmarks.design.variance.replays import shares_won

Array = NDArray[np.float64]
PERMUTATIONS = 2_000
Bools = NDArray[np.bool_]


class Interactions(NamedTuple):
    """Estimates of all pairs, in the order of `Cells.pairs`, in log odds: float64[pairs]; NaN where not known.

    Attributes:
        together: Effect of both cards rather than nothing.
        together_error: Its standard error.
        extra: Interaction: `together` less the sum of both cards alone.
        extra_error: Its standard error.
        p: Chance of such an interaction without one.
    """

    together: Array
    together_error: Array
    extra: Array
    extra_error: Array
    p: Array


def points(effect: ArrayLike) -> Array:
    """Return an effect on the log odds as win points between equal players, from -50 to 50."""
    return np.asarray(50 * np.tanh(np.asarray(effect, np.float64) / 2))


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
    together = odds[pair] - odds[0]
    extra = odds[pair] - odds[first] - odds[second] + odds[0]
    same = first == second
    parts = np.where(same, 4 * variances[first], variances[first] + variances[second])
    error = np.sqrt(variances[pair] + parts + variances[0])
    return Interactions(together, np.sqrt(variances[pair] + variances[0]), extra, error, chances(extra, error))


class Kinship(NamedTuple):
    """Difference between the interactions of pairs with a relation and of other pairs.

    Attributes:
        name: The relation, in words.
        pairs: Number of known pairs that have it.
        effect: Difference in log odds.
        error: Its standard error, for these cards.
        p: Chance of such a difference if the relation were dealt out to the cards at random.
    """

    name: str
    pairs: int
    effect: float
    error: float
    p: float


def kinships(
    found: tuple[Groups, Interactions], cells: Cells, relations: Mapping[str, Bools], seed: int
) -> list[Kinship]:
    """Test relations between two different cards.

    The permutation test deals the cards' places in a relation out at random, so it respects that pairs share cards.

    Args:
        found: Strengths of the groups, and interactions.
        cells: The groups.
        relations: Relations by their words: bool[cards, cards], symmetric.
        seed: Seed of the permutations.
    """
    strengths, pairs = found
    first, second = cells.pairs.T
    known = ~np.isnan(pairs.extra) & (first != second)
    extra, first, second = pairs.extra[known], first[known], second[known]
    places = np.flatnonzero(known) + 1 + cells.cards
    tested = []
    for name, relation in relations.items():
        has = relation[first, second]
        if not 0 < has.sum() < len(has):
            continue
        random = np.random.default_rng(seed)
        shuffled = np.argsort(random.random((PERMUTATIONS, cells.cards)), axis=1)
        drawn = np.array([_contrast(relation[order[first], order[second]], extra) for order in shuffled])
        effect = _contrast(has, extra)
        p = (1 + (np.abs(drawn) >= abs(effect) - 1e-12).sum()) / (1 + PERMUTATIONS)
        error = _error(strengths, (first, second, places), has)
        tested.append(Kinship(name, int(has.sum()), float(effect), error, float(p)))
    return tested


def _contrast(has, extra):
    """Return the mean of those that have a relation, less that of the others; zero if one kind is missing."""
    number = has.sum()
    if number in (0, len(has)):
        return 0.0
    inside = extra @ has
    return inside / number - (extra.sum() - inside) / (len(has) - number)


def _error(strengths, numbers, has):
    """Return the standard error of a contrast of interactions, which share the groups of single cards."""
    first, second, places = numbers
    weight = np.where(has, 1 / has.sum(), -1 / (~has).sum())
    total = np.zeros(len(strengths.odds))
    np.add.at(total, places, weight)
    np.add.at(total, 1 + first, -weight)
    np.add.at(total, 1 + second, -weight)
    total[0] += weight.sum()
    used = total != 0
    return float(np.sqrt((total[used] ** 2 * strengths.variances[used]).sum()))


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
    from scipy.stats import norm

    p = np.stack([stage.p for stage in stages])
    q = corrected(p)
    tested, picked = (~np.isnan(q)).sum(), (q < limit).sum()
    return Clear(q, float(norm.isf(limit * picked / tested / 2)) if picked else Z)
