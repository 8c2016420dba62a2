"""What one option is worth rather than another, by randomised trials.

Each trial had some options, of which one was drawn, all as likely; its outcome is a share of a game. A trial with k
options stands for k: weighted so, the trials in which A was drawn stand for all in which A could have been, and so do
those in which B was drawn (inverse probability weights, known exactly). The effect of A rather than B is the difference
of the two means among the trials in which both could have been drawn; nothing needs to be held equal, for chance alone
has decided.

What was expected of a game just before its trial says much of its outcome and nothing of what is drawn. So much of it
as outcomes follow, one number for each group, is taken off both (a control variate, as in analysis of covariance): the
means come nearer to what they would be, whatever the expectation is worth.
"""

from statistics import NormalDist
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

Array = NDArray[np.float64]
Z = NormalDist().inv_cdf(0.975)
LEAST = 30  # trials of an option without which nothing is said of it


class Trials(NamedTuple):
    """Trials, one entry each."""

    group: NDArray[np.int64]  # [n]: a stage of the game, say
    arm: NDArray[np.int64]  # [n]: the option that was drawn
    options: NDArray[np.int64]  # [n, most]: all that could have been, -1 where there are no more
    outcome: Array  # [n]
    expected: Array  # [n]: of the outcome, before the draw; all alike where nothing was
    weight: Array | None = None  # [n]: how many trials each stands for; by default as many as it has options

    def beside_any(self, option: int) -> "Trials":
        """The same, and each once more as a trial in which `option`, "any of them", was drawn.

        What is worth more than any is: errors then are a little too large, for the one is part of the other.
        """
        counts = (self.options >= 0).sum(axis=1).astype(np.float64)
        options = np.column_stack([self.options, np.full(len(self.arm), option)])
        once = self._replace(options=options, weight=counts)
        any_of_them = once._replace(arm=np.full(len(self.arm), option), weight=np.ones(len(self.arm)))
        pairs = ((getattr(once, name), getattr(any_of_them, name)) for name in self._fields)
        return Trials(*(np.concatenate(pair) for pair in pairs))


class Sums:
    """What is kept of trials: a few sums for every group and every two options, which add up."""

    def __init__(self, groups: int, options: int) -> None:
        self._shape = groups, options, options
        self._sums = np.zeros((10, groups * options * options))  # of the first, beside the second: see `add`

    def add(self, trials: Trials) -> None:
        """Count more trials."""
        weight = (trials.options >= 0).sum(axis=1).astype(np.float64) if trials.weight is None else trials.weight
        y, v, square = trials.outcome, trials.expected, weight**2
        columns = [np.ones(len(y)), weight, weight * y, weight * v]
        columns += [square, square * y, square * v, square * y**2, square * y * v, square * v**2]
        for options in trials.options.T:
            there = options >= 0
            places = np.ravel_multi_index((trials.group[there], trials.arm[there], options[there]), self._shape)
            for number, column in enumerate(columns):
                self._sums[number] += np.bincount(places, column[there], self._sums.shape[1])

    def count(self) -> Array:
        """How many trials of the first option there are in which the second was one too: [groups, options, options]."""
        return self._sums[0].reshape(self._shape)

    def effects(self) -> tuple[Array, Array]:
        """What each option is worth rather than each other, and the standard error: [groups, options, options] both.

        NaN where either was not drawn often enough.
        """
        number, w, wy, wv, ww, wwy, wwv, *products = (column.reshape(self._shape) for column in self._sums)
        slope = self.slopes()[:, None, None]
        with np.errstate(invalid="ignore", divide="ignore"):
            mean = (wy - slope * wv) / w
            wwr = wwy - slope * wwv
            wwrr = products[0] - 2 * slope * products[1] + slope**2 * products[2]
            variance = np.maximum(wwrr - 2 * mean * wwr + mean**2 * ww, 0) / w**2  # rounding goes below
        known = (number >= LEAST) & (number.transpose(0, 2, 1) >= LEAST)
        effect = np.where(known, mean - mean.transpose(0, 2, 1), np.nan)
        return effect, np.where(known, np.sqrt(variance + variance.transpose(0, 2, 1)), np.nan)

    def slopes(self) -> Array:
        """How far outcomes follow what was expected, in each group, within options: float64[groups]."""
        own = (column.reshape(self._shape).diagonal(axis1=1, axis2=2) for column in self._sums)
        _, _, _, _, ww, wwy, wwv, _, wwyv, wwvv = own
        with np.errstate(invalid="ignore", divide="ignore"):
            together = np.nansum(wwyv - wwy * wwv / ww, axis=1)
            alone = np.nansum(wwvv - wwv**2 / ww, axis=1)
        return np.where(alone > 1e-9 * np.nansum(ww, axis=1), together / np.fmax(alone, 1e-300), 0.0)


def chances(effects: Array, errors: Array) -> Array:
    """How likely an effect as large is by chance alone, two-sided; NaN where nothing is known."""
    from scipy.special import ndtr

    with np.errstate(invalid="ignore", divide="ignore"):  # outcomes that are all alike have no error
        return np.where(effects == 0, 1.0, 2 * ndtr(-np.abs(effects / errors)))


def corrected(chances: Array) -> Array:
    """The same for all of them together: below q, at most a part q of what is taken for an effect is none.

    Benjamini and Hochberg's, over all that are known.
    """
    from scipy.stats import false_discovery_control

    result = np.full(chances.shape, np.nan)
    known = ~np.isnan(chances)
    if known.any():
        result[known] = false_discovery_control(chances[known])
    return result
