"""Value for the price: how far the value of a card lies above what other cards of its price give.

The value of the others is a straight line in the price, fitted without the card itself. Cards scatter around the line
by more than the errors of their values; the fit weighs them by both (random effects, moment estimate).
"""

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray
from scipy import optimize, stats

from stardeck.benchmarks.card_values.treatment_effects import Z, corrected

Array = NDArray[np.float64]
LEAST = 5  # cards for a line
ROUNDS = 60
Bools = NDArray[np.bool_]


class ForPrice(NamedTuple):
    """Value of each card above the line of the others.

    Attributes:
        above: Win points above the line: float64[cards]; NaN where not known.
        error: Standard error.
        q: Chance of such a distance without one, corrected over all cards.
        line: Intercept and slope of the line of all cards; NaN without a line.
        scatter: Standard deviation of true values around the line.
    """

    above: Array
    error: Array
    q: Array
    line: tuple[float, float]
    scatter: float


def for_price(values: Array, errors: Array, prices: Array) -> ForPrice:
    """Return the value of each card for its price.

    Args:
        values: Values, float64[cards]; NaN where not known.
        errors: Their standard errors.
        prices: Prices, float64[cards]; NaN without one.
    """
    above, error = np.full((2, len(values)), np.nan)
    known = np.flatnonzero(~np.isnan(values) & ~np.isnan(prices) & (errors > 0))
    line, scatter = (np.nan, np.nan), np.nan
    if len(known) > LEAST and len(np.unique(prices[known])) > 2:
        for card in known:
            others = known[known != card]
            fitted, covariance, _ = _fit(values[others], errors[others], prices[others])
            at = np.array([1.0, prices[card]])
            above[card] = values[card] - at @ fitted
            error[card] = np.sqrt(errors[card] ** 2 + at @ covariance @ at)
        fitted, _, scatter = _fit(values[known], errors[known], prices[known])
        line = float(fitted[0]), float(fitted[1])
    return ForPrice(above, error, corrected(2 * stats.norm.sf(np.abs(above / error))), line, float(scatter))


def _fit(values, errors, prices):
    """Return the line, its covariance, and the scatter around it."""

    def fitted(scatter):
        weights = 1 / (errors**2 + scatter)
        number, first, second = weights.sum(), weights @ prices, weights @ prices**2
        spread = number * second - first**2
        covariance = np.array([[second, -first], [-first, number]]) / spread
        line = covariance @ np.array([weights @ values, weights @ (prices * values)])
        return line, covariance, weights @ (values - line[0] - line[1] * prices) ** 2 - (len(values) - 2)

    most = values.var() * 4 + 1e-12
    if fitted(0.0)[2] <= 0:
        scatter = 0.0
    else:
        scatter = (
            float(optimize.brentq(lambda square: fitted(square)[2], 0.0, most, rtol=1e-6))
            if fitted(most)[2] < 0
            else most
        )
    line, covariance, _ = fitted(scatter)
    return line, covariance, np.sqrt(scatter)


class Misused(NamedTuple):
    """Cards that an agent buys too often or too seldom.

    Attributes:
        over: Cards that are bought more often than the average card though they give less than others on offer.
        under: Cards that are bought less often though they give more.
        q: Bound on the false discovery rate at which a card is named: float64[cards].
    """

    over: Bools
    under: Bools
    q: Array


def misused(rate: tuple[Array, Array, float], advantage: tuple[Array, Array], limit: float = 0.05) -> Misused:
    """Return the cards whose use goes against their value.

    Both statements must hold for a card, so the chance of an error is the larger of the two.

    Args:
        rate: Buy rates, their standard errors, and the average rate.
        advantage: Advantages over the others on offer, and their standard errors.
        limit: Most false discoveries among those that are named.
    """
    often = (rate[0] - rate[2]) / rate[1]
    good = advantage[0] / advantage[1]
    over = np.fmax(stats.norm.sf(often), stats.norm.cdf(good))
    under = np.fmax(stats.norm.cdf(often), stats.norm.sf(good))
    unknown = np.isnan(often) | np.isnan(good)
    q = corrected(np.where(unknown, np.nan, np.stack([over, under])))
    return Misused(q[0] < limit, q[1] < limit, np.fmin(q[0], q[1]))


def ends(value: float, error: float) -> tuple[float, float, float]:
    """Return a value with its 95 % interval."""
    return float(value), float(value - Z * error), float(value + Z * error)
