"""Sequential testing on paired deals: is one agent better than another by so much?

Two games of one deal with the sides swapped give 0 to 4 half points to the first agent; how often each was seen, five
numbers, is all that the test needs (the "pentanomial" of chess engine testing: games of a pair are not independent).

The two hypotheses are strengths in normalised Elo, the score's distance from one half in standard deviations of a
game: unlike Elo it says how hard a difference is to see, whatever the share of draws. Each is fitted to what was seen,
and the test stops when the logarithm of the ratio of their likelihoods leaves its bounds (Wald's, for the given risks).

Sources: M. Van den Bergh, "A practical introduction to the GSPRT" and "Comments on Normalized Elo", at
https://www.cantate.be/Fishtest/GSPRT_approximation.pdf and https://www.cantate.be/Fishtest/normalized_elo_practical.pdf.
Fishtest and OpenBench use the same test for chess engines.
"""

import math
from collections.abc import Iterator, Sequence
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

SCORES = np.arange(5) / 4  # the score of a pair by its half points
ELO = 800 / math.log(10)  # normalised Elo in a standard deviation of a game
LIMIT = 200  # a strength in normalised Elo beyond this is no fine difference, and hard to fit to what contradicts it
FIRST_LOOK = 64  # games before a test first looks
Pairs = Sequence[int] | NDArray[np.int64]  # [5]: pairs of games that gave 0, 1, 2, 3 and 4 half points
UNSEEN = 1e-3  # pairs counted for what was not seen, so that no logarithm is infinite


class Sprt(NamedTuple):
    """A test of H0, the first agent is better by `low` normalised Elo, against H1, it is better by `high`."""

    low: float
    high: float
    alpha: float = 0.05  # the risk of finding H1 where H0 holds
    beta: float = 0.05  # the risk of finding H0 where H1 holds

    def check(self) -> "Sprt":
        """This test; ValueError if its bounds are none."""
        if not -LIMIT <= self.low < self.high <= LIMIT:
            allowed = f"LOW must be below HIGH, both from -{LIMIT} to {LIMIT} normalised Elo"
            raise ValueError(f"sprt={self.low:g},{self.high:g}: {allowed}")
        return self

    def verdict(self, pairs: Pairs) -> str:
        """What the pairs seen so far (`llr`) show: 'H0', 'H1' or 'undecided'."""
        ratio = llr(pairs, self.low, self.high)
        if ratio >= math.log((1 - self.beta) / self.alpha):
            return "H1"
        return "H0" if ratio <= math.log(self.beta / (1 - self.alpha)) else "undecided"


def looks(games: int) -> Iterator[int]:
    """The numbers of games after which a test looks: every 64, later every thirty-second of what has been played."""
    look = FIRST_LOOK
    while look <= games:
        yield look
        look += max(FIRST_LOOK, look // 64 * 2)


def pairs_of(half_points: NDArray[np.int8]) -> np.ndarray:
    """How many pairs of games gave 0 to 4 half points: int64[5]. half_points: int[games]; half a pair is left out."""
    whole = half_points[: len(half_points) // 2 * 2]
    return np.bincount(whole.reshape(-1, 2).sum(axis=1), minlength=len(SCORES))


def llr(pairs: Pairs, low: float, high: float) -> float:
    """The log-likelihood ratio of two strengths in normalised Elo.

    pairs: [5], how many pairs gave the first agent 0, 1, 2, 3 and 4 half points.
    """
    if not np.any(pairs):
        return 0.0
    counts = np.maximum(np.asarray(pairs, np.float64), UNSEEN)
    seen = counts / counts.sum()
    return float(counts @ (np.log(most_likely(seen, high)) - np.log(most_likely(seen, low))))


def most_likely(seen: NDArray[np.float64], strength: float) -> np.ndarray:
    """The most likely probabilities of each score, given their frequencies, if the agent is of that strength.

    That is: if the mean is t standard deviations above one half. How (mean - t · deviation) changes with a probability
    depends on the probabilities themselves, so it is taken at the last ones until nothing changes.
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
    """The most likely probabilities p for which the sum of p · slope is 0: seen / (1 + x · slope), by Lagrange."""
    from scipy.optimize import brentq

    up, down = slope > 0, slope < 0
    least = ((seen[up] - 1) / slope[up]).max()  # no probability exceeds 1
    most = ((seen[down] - 1) / slope[down]).min()
    x = brentq(lambda x: seen @ (slope / (1 + x * slope)), least, most, xtol=1e-15, maxiter=1000)
    return seen / (1 + x * slope)
