"""Multinomial logistic regression of the shares of the games on the parameters.

The outcome of a game is a share for each of d + 1 groups, where d is the number of parameters. The groups are the side
that moves first and the rest, or every side. The log odds against the first group are polynomials of the parameters.
They are linear in each parameter, and quadratic in a parameter with games at three or more values. The fit is by
maximum likelihood.

Standard errors are robust (sandwich) estimates from the variance among games at one point, so draws and shared wins are
counted correctly.
"""

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

Array = NDArray[np.float64]
STEPS = 60  # of Newton's method
MISFIT = 1e-4  # significance level of the goodness-of-fit test
LEAST_GAMES = 50  # least number of games at a point that counts in the test
LEAST_SHARE = 0.002  # least expected share in the test
RIDGE = 1e-6  # weight of the ridge penalty; it keeps odds finite where a group has won all or nothing


class Observations(NamedTuple):
    """Results of games, one entry for each point."""

    points: Array  # [points, d]: indices of the parameters' values
    games: Array  # [points]
    sums: Array  # [points, groups]: of the shares
    products: Array  # [points, groups, groups]: sums of the products of two groups' shares in each game

    def only(self, chosen: NDArray[np.bool_]) -> "Observations":
        """Return some of the points. chosen: bool[points]."""
        return Observations(*(column[chosen] for column in self))


class Curve:
    """A response curve that is fitted to results.

    Args:
        seen: The results.
        centre: [d], the point that parameters are measured from.
        scale: [d], the unit of each parameter.
        straight: Leave quadratic terms out.
    """

    def __init__(self, seen: Observations, centre: Array, scale: Array, linear: bool = False) -> None:
        self._centre, self._scale = centre, scale
        self._quadratic = [not linear and len(np.unique(column)) > 2 for column in seen.points.T]
        terms = self._terms(seen.points)
        self._weights = _fit(terms, seen)
        self._covariance = self._errors(terms, seen)

    def _terms(self, points):
        """Return the terms of the polynomials: [points, terms]."""
        z = (points - self._centre) / self._scale
        return np.concatenate([np.ones((len(z), 1)), z, z[:, self._quadratic] ** 2], axis=1)

    def shares(self, points: Array) -> Array:
        """Return the share of each group at each point: [points, groups]."""
        return _odds_to_shares(self._terms(points) @ self._weights)

    def slopes(self, point: Array) -> Array:
        """Return the derivatives of the shares at a point by each parameter: [groups, d]."""
        steps = np.eye(len(point)) * self._scale * 1e-4
        up, down = self.shares(point + steps), self.shares(point - steps)
        return ((up - down) / (2e-4 * self._scale[:, None])).T

    def mixed(self, points: Array, weights: Array) -> tuple[Array, Array]:
        """Return the shares in a mixture of points, and their covariance: [groups] and [groups, groups].

        Args:
            points: [points, d].
            weights: [points], the fraction of the games that is played at each; the sum is 1.
        """
        terms, shares = self._terms(points), self.shares(points)
        change = np.einsum("v,vgk,vt->gtk", weights, _spread(shares), terms)  # by each coefficient
        change = change.reshape(shares.shape[1], -1)
        return weights @ shares, change @ self._covariance @ change.T

    def fits(self, seen: Observations) -> bool:
        """Return True if the results pass a chi-squared goodness-of-fit test at level MISFIT.

        A curve with as many terms as points cannot fail the test, so it does not count as a fit.
        """
        from scipy.stats import chi2

        counted = seen.only(seen.games >= LEAST_GAMES)
        expected = np.clip(self.shares(counted.points), LEAST_SHARE, None) * counted.games[:, None]
        away = ((counted.sums - expected) ** 2 / expected).sum()
        freedom = (len(counted.games) - self._weights.shape[0]) * self._weights.shape[1]
        return bool(freedom > 0 and chi2.sf(away, freedom) >= MISFIT)

    def _errors(self, terms, seen):
        """Return the covariance of the coefficients: [terms * (groups - 1)] squared."""
        shares = self.shares(seen.points)
        bend = _curvature(terms, seen.games, shares)
        crossed = np.einsum("pg,ph->pgh", seen.sums, shares)
        own = np.einsum("p,pg,ph->pgh", seen.games, shares, shares)
        spread = seen.products - crossed - crossed.transpose(0, 2, 1) + own
        meat = np.einsum("pt,pu,pgh->tguh", terms, terms, spread[:, 1:, 1:])
        inverse = np.linalg.pinv(bend)
        return inverse @ meat.reshape(bend.shape) @ inverse


def _odds_to_shares(logarithms):
    """Return the shares for log odds against the first group: [points, groups]."""
    whole = np.concatenate([np.zeros((len(logarithms), 1)), logarithms], axis=1)
    parts = np.exp(whole - whole.max(axis=1, keepdims=True))
    return parts / parts.sum(axis=1, keepdims=True)


def _spread(shares):
    """Return the derivatives of the shares by the log odds: [points, groups, groups - 1]."""
    return (shares[:, :, None] * (np.eye(shares.shape[1]) - shares[:, None, :]))[:, :, 1:]


def _curvature(terms, games, shares):
    """Return the negative Hessian of the log likelihood: [terms * (groups - 1)] squared."""
    spread = _spread(shares)[:, 1:, :] * games[:, None, None]
    size = terms.shape[1] * spread.shape[1]
    return np.einsum("pt,pu,pgh->tguh", terms, terms, spread).reshape(size, size)


def _likelihood(terms, seen, weights):
    return (seen.sums * np.log(np.maximum(_odds_to_shares(terms @ weights), 1e-300))).sum() - RIDGE * (weights**2).sum()


def _fit(terms, seen):
    """Return the maximum-likelihood coefficients, [terms, groups - 1], by Newton's method with halved steps."""
    weights = np.zeros((terms.shape[1], seen.sums.shape[1] - 1))
    best = _likelihood(terms, seen, weights)
    for _ in range(STEPS):
        shares = _odds_to_shares(terms @ weights)
        slope = terms.T @ (seen.sums - seen.games[:, None] * shares)[:, 1:] - 2 * RIDGE * weights
        bend = _curvature(terms, seen.games, shares) + 2 * RIDGE * np.eye(weights.size)
        step = np.linalg.solve(bend, slope.ravel()).reshape(weights.shape)
        while np.abs(step).max() > 1e-10 and _likelihood(terms, seen, weights + step) < best:
            step /= 2
        weights = weights + step
        best = _likelihood(terms, seen, weights)
        if np.abs(step).max() < 1e-9:
            break
    return weights
