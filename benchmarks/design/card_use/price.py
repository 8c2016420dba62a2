"""Value for the price: how far the value of a card lies above the line of the other cards' values in their prices.

The line is fitted without the card itself. Cards scatter around the line by more than the errors of their values; the
fit weighs them by both (random effects, moment estimate). A card stands out if its distance is clear and also more
than twice the usual scatter: ordinary cards do not lie exactly on the line either.
"""

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray
from scipy import optimize, stats

from stardeck.benchmarks.card_values.treatment_effects import corrected

Array = NDArray[np.float64]
LEAST = 5  # cards for a line
FAR = 2  # times the usual scatter
CLEAR = 0.05  # q of cards that stand out
MIDDLE = stats.chi2.median(1)
Bools = NDArray[np.bool_]


class ForPrice(NamedTuple):
    """Value of each card above the line of the others.

    Attributes:
        above: Win points above the line: float64[cards]; NaN where not known.
        error: Standard error.
        q: Chance of such a distance without one, corrected over all cards.
        line: Intercept and slope of the line of all cards; NaN without a line.
        scatter: Usual distance of true values from the line, as a standard deviation that outliers do not change.
    """

    above: Array
    error: Array
    q: Array
    line: tuple[float, float]
    scatter: float

    @property
    def stands_out(self) -> Bools:
        """Cards that are clearly too strong or too weak for their price, and by more than the usual scatter."""
        return (self.q < CLEAR) & (np.abs(self.above) > FAR * self.scatter)


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
            fitted, covariance = _fit(values[others], errors[others], prices[others])
            at = np.array([1.0, prices[card]])
            above[card] = values[card] - at @ fitted
            error[card] = np.sqrt(errors[card] ** 2 + at @ covariance @ at)
        fitted, _ = _fit(values[known], errors[known], prices[known])
        line, scatter = (float(fitted[0]), float(fitted[1])), _usual_scatter(above[known], error[known])
    return ForPrice(above, error, corrected(2 * stats.norm.sf(np.abs(above / error))), line, scatter)


def _usual_scatter(above, error):
    """Return the standard deviation of true distances at which the median distance is as large as it is."""

    def excess(scatter):
        return np.median(above**2 / (scatter**2 + error**2)) - MIDDLE

    most = 2 * float(np.abs(above).max() / np.sqrt(MIDDLE))
    return float(optimize.brentq(excess, 0.0, most)) if excess(0.0) > 0 else 0.0


def _fit(values, errors, prices):
    """Return the line and its covariance."""

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
    return line, covariance


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
