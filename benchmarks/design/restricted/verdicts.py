"""Verdicts on restrictions: what matters, what is a trap, and what is decoration."""

from typing import NamedTuple

import numpy as np
from numpy.typing import ArrayLike, NDArray
from scipy import stats

from stardeck.benchmarks.card_values.treatment_effects import corrected
from stardeck.benchmarks.design.estimates import Estimate

MATTERS, TRAP, SMALL_EFFECT, DECORATION, UNCLEAR, ABSENT = (
    "matters", "trap", "small effect", "decoration", "no difference that can be distinguished", "never on offer",
)  # fmt: skip
SMALL = 1.0  # points: a restriction whose interval lies within matters little over a whole game
SIGNIFICANT = 0.05  # of q


class Judged(NamedTuple):
    """Verdict on a restriction.

    Attributes:
        estimate: Points that the restricted side wins more than its share.
        p: Two-sided p-value.
        q: The same, corrected for all restrictions together (Benjamini and Hochberg).
        verdict: One of the verdicts above.
    """

    estimate: Estimate
    p: float
    q: float
    verdict: str


def effect_of(name: str, label: str, blocks: ArrayLike, swing: float) -> tuple[Estimate, float]:
    """Return the mean effect of a restriction with a t interval, and its p-value.

    Most blocks of a rare restriction have no effect, and a t interval then is too narrow. Two imagined blocks, in each
    of which one game turns, once each way, widen it; they change little if there are many blocks.

    Args:
        name: Name of the estimate.
        label: What it is, in words.
        blocks: Effect of each block in points: float64[blocks], at least 2.
        swing: Points by which a single game changes its block.
    """
    kept = np.asarray(blocks, np.float64)
    count = len(kept)
    mean = float(kept.mean())
    error = float(np.sqrt((((kept - mean) ** 2).sum() + 2 * swing**2) / (count - 1) / count))
    half = float(stats.t.ppf(0.975, count - 1)) * error
    p = float(2 * stats.t.sf(abs(mean) / error, count - 1))
    return Estimate(name, label, "points", mean, mean - half, mean + half, kept), p


def judged(found: list[tuple[Estimate, float]], offered: NDArray[np.int64]) -> list[Judged]:
    """Return the verdicts on restrictions.

    Args:
        found: Effect and p-value of each.
        offered: Number of decisions at which something forbidden was legal, of each: int64[restrictions].
    """
    q = corrected(np.where(offered > 0, [p for _, p in found], np.nan))
    return [
        Judged(estimate, p, float(corrected_p), _verdict(estimate, float(corrected_p), bool(there)))
        for (estimate, p), corrected_p, there in zip(found, q, offered > 0, strict=True)
    ]


def _verdict(estimate, q, there):
    if not there:
        return ABSENT
    if -SMALL < estimate.low and estimate.high < SMALL:
        return SMALL_EFFECT if q < SIGNIFICANT else DECORATION
    if q < SIGNIFICANT and estimate.high < 0:
        return MATTERS
    return TRAP if q < SIGNIFICANT and estimate.low > 0 else UNCLEAR


def blocks_wanted(spread: NDArray[np.float64], first: int, most: int) -> NDArray[np.int64]:
    """Return the number of blocks of each restriction: more where effects vary more, until SMALL shows.

    Args:
        spread: Standard deviation of the first blocks of each restriction, in points: float64[restrictions].
        first: Number of these blocks.
        most: Number of blocks of all restrictions together.
    """
    needed = np.maximum((1.96 * spread / (0.9 * SMALL)) ** 2, first)
    more = needed - first
    left = max(most - first * len(spread), 0)
    if more.sum() > left:
        more *= left / more.sum()
    return first + more.astype(np.int64)
