"""Sequential tests on paired deals: is one agent better than another by a given difference?

Two games of one deal with swapped sides give the first agent 0 to 4 half points. The test needs only the frequencies of
these five outcomes (the "pentanomial" of chess engine testing: games of a pair are not independent).

The two hypotheses are strengths in normalised Elo: the distance of the score from one half in standard deviations of a
game. Unlike Elo, it says how hard a difference is to detect, for any share of draws. Each hypothesis is fitted to the
data, and the test stops when the log-likelihood ratio leaves its bounds (Wald's, for the given error rates).

Sources: M. Van den Bergh, "A practical introduction to the GSPRT" and "Comments on Normalized Elo", at
https://www.cantate.be/Fishtest/GSPRT_approximation.pdf and https://www.cantate.be/Fishtest/normalized_elo_practical.pdf.
Fishtest and OpenBench use the same test for chess engines.
"""

import math
from collections.abc import Iterable, Iterator, Sequence
from numbers import Real
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from stardeck.kernels.errors import shown

SCORES = np.arange(5) / 4  # the score of a pair by its half points
ELO = 800 / math.log(10)  # normalised Elo of one standard deviation of a game
LIMIT = 200  # largest strength in normalised Elo: beyond it differences are obvious and fits unstable
FIRST_LOOK = 64  # games before a test first looks
Pairs = Sequence[int] | NDArray[np.int64]  # [5]: pairs of games that gave 0, 1, 2, 3 and 4 half points
UNSEEN = 1e-3  # pairs counted for outcomes that were not seen, which keeps logarithms finite


class Sprt(NamedTuple):
    """A test of H0, the first agent is better by `low` normalised Elo, against H1, it is better by `high`."""

    low: float
    high: float
    alpha: float = 0.05  # probability of accepting H1 where H0 holds
    beta: float = 0.05  # probability of accepting H0 where H1 holds

    @classmethod
    def of(cls, bounds: Any) -> "Sprt":
        """Return the test with two bounds, (low, high). Raises ValueError if they are something else."""
        pair = tuple(bounds) if isinstance(bounds, Iterable) else ()
        if len(pair) != 2 or not all(isinstance(bound, Real) for bound in pair):
            raise ValueError(f"sprt={shown(bounds)}: must be two numbers, (low, high)")
        low, high = pair
        if not -LIMIT <= low < high <= LIMIT:
            allowed = f"LOW must be below HIGH, both from -{LIMIT} to {LIMIT} normalised Elo"
            raise ValueError(f"sprt={low:g},{high:g}: {allowed}")
        return cls(low, high)

    def verdict(self, pairs: Pairs) -> str:
        """Return the verdict of the pairs so far (`llr`): 'H0', 'H1' or 'undecided'."""
        ratio = llr(pairs, self.low, self.high)
        if ratio >= math.log((1 - self.beta) / self.alpha):
            return "H1"
        return "H0" if ratio <= math.log(self.beta / (1 - self.alpha)) else "undecided"


def looks(games: int) -> Iterator[int]:
    """Yield the numbers of games after which a test looks: every 64, later every thirty-second of the games played."""
    look = FIRST_LOOK
    while look <= games:
        yield look
        look += max(FIRST_LOOK, look // 64 * 2)


def pairs_of(half_points: NDArray[np.int8]) -> np.ndarray:
    """Return the number of pairs of games that gave 0 to 4 half points: int64[5].

    half_points: int[games]. The last game of an odd number does not count.
    """
    whole = half_points[: len(half_points) // 2 * 2]
    return np.bincount(whole.reshape(-1, 2).sum(axis=1), minlength=len(SCORES))


def llr(pairs: Pairs, low: float, high: float) -> float:
    """Return the log-likelihood ratio of two strengths in normalised Elo.

    Args:
        pairs: [5], number of pairs that gave the first agent 0, 1, 2, 3 and 4 half points.
        low: Strength of H0.
        high: Strength of H1.
    """
    if not np.any(pairs):
        return 0.0
    counts = np.maximum(np.asarray(pairs, np.float64), UNSEEN)
    seen = counts / counts.sum()
    return float(counts @ (np.log(most_likely(seen, high)) - np.log(most_likely(seen, low))))


def most_likely(seen: NDArray[np.float64], strength: float) -> np.ndarray:
    """Return the most likely probabilities of each score for an agent of this strength.

    The mean is then t standard deviations above one half. The slope of (mean - t · deviation) depends on the
    probabilities, so it is evaluated at the last ones until they converge.

    Args:
        seen: float64[5], frequencies of the scores.
        strength: Strength in normalised Elo.
    """
    t = math.sqrt(2) * strength / ELO  # the mean of two games deviates less than one game
    p = np.full(len(SCORES), 1 / len(SCORES))
    for _ in range(100):
        last = p
        mean = p @ SCORES
        deviation = math.sqrt(p @ (SCORES - mean) ** 2)
        p = balanced(seen, SCORES - 0.5 - t * deviation / 2 * (1 + ((SCORES - mean) / deviation) ** 2))
        if np.abs(p - last).max() < 1e-12:
            break
    return p


def balanced(seen: NDArray[np.float64], slope: NDArray[np.float64]) -> np.ndarray:
    """Return the most likely probabilities p with sum(p · slope) = 0.

    They are seen / (1 + x · slope), with a Lagrange multiplier x.

    Args:
        seen: float64[5], frequencies of the scores.
        slope: float64[5].
    """
    from scipy.optimize import brentq

    up, down = slope > 0, slope < 0
    least = ((seen[up] - 1) / slope[up]).max()  # no probability exceeds 1
    most = ((seen[down] - 1) / slope[down]).min()
    x = brentq(lambda x: seen @ (slope / (1 + x * slope)), least, most, xtol=1e-15, maxiter=1000)
    return seen / (1 + x * slope)
