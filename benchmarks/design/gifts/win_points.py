"""Pairs of cards in win points: what both cards give together, less what adding their odds would give.

Effects of cards are differences of log odds, which add up where cards do not help each other. Win points between equal
players are what a designer sees: near a sure win even large odds are few points. Both numbers of a difference have
asymmetric intervals there, so its interval is joined from theirs. (Zou and Donner, Construction of confidence limits
about effect measures, Statistics in Medicine 2008)
"""

from typing import NamedTuple

import numpy as np
from numpy.typing import ArrayLike, NDArray

Array = NDArray[np.float64]
WIDEST, HALVINGS = 1e4, 60  # of the search for the interval that touches zero


def points(effect: ArrayLike) -> Array:
    """Return an effect on the log odds as win points between equal players, from -50 to 50."""
    return np.asarray(50 * np.tanh(np.asarray(effect, np.float64) / 2))


class Beyond(NamedTuple):
    """Two effects of each pair on the log odds: float64[pairs] each; NaN where not known.

    Attributes:
        together: Effect of both cards rather than nothing.
        together_error: Its standard error.
        added: Sum of the effects of both cards alone.
        added_error: Its standard error.
        shared: Covariance of the two errors.
    """

    together: Array
    together_error: Array
    added: Array
    added_error: Array
    shared: Array

    @property
    def value(self) -> Array:
        """Win points of both together, less what the sum gives: float64[pairs]."""
        return points(self.together) - points(self.added)

    def ends(self, width: ArrayLike) -> tuple[Array, Array]:
        """Return the lower and the upper ends of the intervals of `value`.

        Args:
            width: Standard errors on each side of an effect, for all pairs or each: 1.96 for 95 %.
        """
        below, above = _reach(self.together, self.together_error, width)
        less, more = _reach(self.added, self.added_error, width)
        share = self.shared / (self.together_error * self.added_error)
        return self.value - _joined(below, more, share), self.value + _joined(above, less, share)

    def distances(self) -> Array:
        """Return the width at which each interval touches zero: a distance from zero in standard errors."""
        value = self.value
        inner, outer = np.zeros_like(value), np.full_like(value, WIDEST)
        for _ in range(HALVINGS):
            middle = (inner + outer) / 2
            low, high = self.ends(middle)
            beyond_zero = np.where(value > 0, low > 0, high < 0)
            inner, outer = np.where(beyond_zero, middle, inner), np.where(beyond_zero, outer, middle)
        return np.where(np.isnan(value), np.nan, inner)


def _reach(effect, error, width):
    """Return how far the interval of an effect reaches below and above it, in win points."""
    step, middle = np.asarray(width) * error, points(effect)
    return middle - points(effect - step), points(effect + step) - middle


def _joined(one, other, share):
    """Return how far the interval of a difference reaches, from the reaches of its two parts."""
    return np.sqrt(np.maximum(one**2 + other**2 - 2 * share * one * other, 0))
