"""Estimates with 95 % intervals, and their differences between two tables of cards.

Games that share a deal form a block. An estimate that is a mean over blocks keeps the mean of each block. Two variants
that play the same deals then compare block by block, which makes intervals of differences smaller. Estimates without
blocks, such as card values, are compared as if their games were independent.
"""

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np
from numpy.typing import ArrayLike, NDArray
from scipy import special, stats

from stardeck.benchmarks.advantage.measure import wilson

FEW = 3.5  # values below which the interval of a share is wider: up to three
ALIKE = 1.05  # widths of two intervals: the spread of a thousand blocks is known no better

Blocks = NDArray[np.float64]


class Estimate(NamedTuple):
    """A number of a report.

    Attributes:
        name: Name within its part, in snake case.
        label: What it is, in words.
        unit: Unit, such as "points", "%" or "turns"; "" for none.
        value: The estimate.
        low: Lower end of the 95 % interval; None if it is open or unknown.
        high: Upper end.
        blocks: Mean of each block of games: float64[blocks]. The k-th block of two variants must hold the same deals if
            both have equally many. None for an estimate that is not a mean over such blocks.
    """

    name: str
    label: str
    unit: str
    value: float
    low: float | None
    high: float | None
    blocks: Blocks | None = None


def mean_of(name: str, label: str, unit: str, blocks: ArrayLike) -> Estimate:
    """Return the mean over blocks, with the t interval.

    Args:
        name: Name of the estimate.
        label: What it is, in words.
        unit: Unit.
        blocks: Mean of each block: float64[blocks]. NaN marks a block that says nothing.

    Raises:
        ValueError: No block says anything.
    """
    kept = np.asarray(blocks, np.float64)
    known = kept[~np.isnan(kept)]
    if not len(known):
        raise ValueError(f"{name}: no block of games has a value")
    half = _half(known)
    value = float(known.mean())
    low, high = (None, None) if half is None else (value - half, value + half)
    return Estimate(name, label, unit, value, low, high, kept)


def share_of(name: str, label: str, blocks: ArrayLike) -> Estimate:
    """Return a share in per cent with Wilson's interval, which also holds where all blocks are alike.

    Args:
        name: Name of the estimate.
        label: What it is, in words.
        blocks: Share of each block, 0 to 1: float64[blocks]. NaN marks a block that says nothing.

    Raises:
        ValueError: No block says anything.
    """
    plain = mean_of(name, label, "%", 100 * np.asarray(blocks, np.float64))
    assert plain.blocks is not None
    low, high = ends_of_share(plain.value / 100, int((~np.isnan(plain.blocks)).sum()))
    return plain._replace(low=min(100 * low, plain.value), high=max(100 * high, plain.value))


def ends_of_share(rate: float, values: int) -> tuple[float, float]:
    """Return Wilson's interval of a share, made wider where up to three values differ from all others.

    Wilson's interval holds a share of 1 in 6 n for n values in 84 % of the cases only. The wider end is that of a
    Poisson count (Brown, Cai and DasGupta, Interval Estimation for a Binomial Proportion, 2001).

    Args:
        rate: Share, from 0 to 1.
        values: Number of values.
    """
    low, high = wilson(float(np.clip(rate, 0, 1)), values)
    count, others = rate * values, (1 - rate) * values
    if 0 < count <= FEW:
        low = min(low, float(special.gammaincinv(count, 0.025)) / values)
    if 0 < others <= FEW:
        high = max(high, 1 - float(special.gammaincinv(others, 0.025)) / values)
    return low, high


def as_long(blocks: Blocks, count: int) -> Blocks:
    """Return blocks with further ones that say nothing: float64[count], where another game has more deals.

    Args:
        blocks: Means of the first blocks.
        count: Number of blocks of the other game, at least as many.
    """
    return np.concatenate([blocks, np.full(count - len(blocks), np.nan)])


def blocks_of(values: ArrayLike, most: int = 1_000) -> Blocks:
    """Return the means of groups of neighbouring values: float64[at most `most`]; the last values may be left out.

    Args:
        values: A value for each game or deal, in order: float64[n].
        most: Most groups.
    """
    listed = np.asarray(values, np.float64)
    size = max(1, len(listed) // most)
    return listed[: len(listed) // size * size].reshape(-1, size).mean(axis=1)


def _half(values: Blocks) -> float | None:
    """Return half the 95 % interval of a mean; None for a single value."""
    if len(values) < 2:
        return None
    return _half_of(float(values.std(ddof=1)) / np.sqrt(len(values)), len(values))


def _half_of(error: float, values: int) -> float:
    """Return half the 95 % interval for a standard error that comes from a number of values."""
    return float(stats.t.ppf(0.975, values - 1) * error)


def difference(printed: Estimate, edited: Estimate) -> Estimate:
    """Return an edited estimate less the printed one: the value is the difference of the two values that a page shows.

    The interval is that of the same deals where both keep equally many blocks. The k-th block of both must then hold
    the same deals. Otherwise the two are taken as independent.

    Args:
        printed: Estimate of the printed table.
        edited: The same estimate of the edited table.
    """
    value = edited.value - printed.value
    half = _paired_half(printed, edited)
    if half is None:
        before, after = _half_width(printed), _half_width(edited)
        half = None if before is None or after is None else float(np.hypot(before, after))
    ends = (None, None) if half is None else (value - half, value + half)
    return Estimate(printed.name, printed.label, printed.unit, value, *ends)


def _paired_half(printed: Estimate, edited: Estimate) -> float | None:
    """Return half the interval of the difference of two means over the same deals; None where these are not known.

    A block that says nothing in one of the tables still counts in the other, so each block enters by its influence on
    the two means. What an estimate adds to its own interval for rare results is kept.
    """
    if printed.blocks is None or edited.blocks is None or len(printed.blocks) != len(edited.blocks):
        return None
    known = min(int((~np.isnan(one)).sum()) for one in (printed.blocks, edited.blocks))
    if known < 2:
        return None
    error = float(np.linalg.norm(_influence(edited.blocks) - _influence(printed.blocks)))
    half = _half_of(error, known)
    return float(np.sqrt(half**2 + _added(printed) + _added(edited)))


def _influence(blocks: Blocks) -> Blocks:
    """Return what each block adds to the error of a mean; the squares sum to that of its standard error."""
    known = np.flatnonzero(~np.isnan(blocks))
    found = np.zeros(len(blocks))
    found[known] = (blocks[known] - blocks[known].mean()) / np.sqrt(len(known) * (len(known) - 1))
    return found


def _added(estimate: Estimate) -> float:
    """Return by how much the square of half an interval exceeds that of the t interval of its blocks, 0 or more.

    Intervals of rare results are wider: blocks that are all alike have no spread, and yet the next one may differ.
    """
    own, plain = _half_width(estimate), None if estimate.blocks is None else _half_of_known(estimate.blocks)
    if own is None or plain is None or own <= ALIKE * plain:
        return 0.0
    return own**2 - plain**2


def _half_of_known(blocks: Blocks) -> float | None:
    return _half(blocks[~np.isnan(blocks)])


def _half_width(estimate: Estimate) -> float | None:
    """Return half an interval: the longer side where the value lies at an end, as a share of 0 % does."""
    if estimate.low is None or estimate.high is None:
        return None
    width = estimate.high - estimate.low
    return width if estimate.value in (estimate.low, estimate.high) else width / 2


def differences(printed: Sequence[Estimate], edited: Sequence[Estimate]) -> list[Estimate]:
    """Return the differences of all estimates that both lists have, in the order of the printed ones."""
    others = {one.name: one for one in edited}
    return [difference(one, others[one.name]) for one in printed if one.name in others]
