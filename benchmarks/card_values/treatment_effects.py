"""Treatment effects: the difference that one option makes compared with another, by randomised trials.

Each trial had several options, and one was drawn uniformly; its outcome is a share of a game. A trial with k options
has weight k, the inverse of its exactly known probability. Weighted like this, the trials in which A was drawn
represent all trials in which A could have been drawn. The effect of A compared with B is the difference of the two
means among the trials in which both could have been drawn. No adjustment is needed, because the draw was random.

The expected outcome just before a trial predicts the outcome, but not the draw. It serves as a control variate, as in
analysis of covariance: its regression, with one slope for each group, is subtracted from both means. This reduces the
variance and adds no bias, however good the expectation is.
"""

from statistics import NormalDist
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

Array = NDArray[np.float64]
Z = NormalDist().inv_cdf(0.975)
LEAST = 30  # least number of trials of an option for an estimate


class Trials(NamedTuple):
    """Trials, one entry each."""

    group: NDArray[np.int64]  # [n]: for example a stage of the game
    arm: NDArray[np.int64]  # [n]: the option that was drawn
    options: NDArray[np.int64]  # [n, most]: all options that could have been drawn, then -1
    outcome: Array  # [n]
    expected: Array  # [n]: expected outcome before the draw; constant where there is no estimate
    weight: Array | None = None  # [n]: by default the number of options

    def beside_any(self, option: int) -> "Trials":
        """Return the trials, and each once more as a trial in which `option`, "any of them", was drawn.

        Effects then compare an option with the average option. Their errors are a little too large, because the option
        is part of that average.
        """
        counts = (self.options >= 0).sum(axis=1).astype(np.float64)
        options = np.column_stack([self.options, np.full(len(self.arm), option)])
        once = self._replace(options=options, weight=counts)
        any_of_them = once._replace(arm=np.full(len(self.arm), option), weight=np.ones(len(self.arm)))
        pairs = ((getattr(once, name), getattr(any_of_them, name)) for name in self._fields)
        return Trials(*(np.concatenate(pair) for pair in pairs))


class Sums:
    """Additive sums over trials for every group and every pair of options.

    Args:
        groups: Number of groups.
        options: Number of options.
    """

    def __init__(self, groups: int, options: int) -> None:
        self._shape = groups, options, options
        self._sums = np.zeros((10, groups * options * options))  # by (group, drawn option, offered option): see `add`

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
        """Return the number of trials of the first option that offered the second too: [groups, options, options]."""
        return self._sums[0].reshape(self._shape)

    def effects(self) -> tuple[Array, Array]:
        """Return the effect of each option compared with each other, and its standard error.

        Both are [groups, options, options], and NaN where either option was not drawn often enough.
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
        """Return the slope of outcomes on their expectation in each group, within options: float64[groups]."""
        own = (column.reshape(self._shape).diagonal(axis1=1, axis2=2) for column in self._sums)
        _, _, _, _, ww, wwy, wwv, _, wwyv, wwvv = own
        with np.errstate(invalid="ignore", divide="ignore"):
            together = np.nansum(wwyv - wwy * wwv / ww, axis=1)
            alone = np.nansum(wwvv - wwv**2 / ww, axis=1)
        return np.where(alone > 1e-9 * np.nansum(ww, axis=1), together / np.fmax(alone, 1e-300), 0.0)


def chances(effects: Array, errors: Array) -> Array:
    """Return two-sided p-values; NaN where an effect is not known.

    Args:
        effects: Effects of any shape.
        errors: Their standard errors.
    """
    from scipy.special import ndtr

    with np.errstate(invalid="ignore", divide="ignore"):  # outcomes that are all alike have no error
        return np.where(effects == 0, 1.0, 2 * ndtr(-np.abs(effects / errors)))


def corrected(chances: Array) -> Array:
    """Return p-values corrected for the false discovery rate, by Benjamini and Hochberg, over all that are known."""
    from scipy.stats import false_discovery_control

    result = np.full(chances.shape, np.nan)
    known = ~np.isnan(chances)
    if known.any():
        result[known] = false_discovery_control(chances[known])
    return result
