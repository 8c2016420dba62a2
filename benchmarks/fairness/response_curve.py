"""How shares of the games depend on knobs: a curve through what was seen.

The outcome of a game is a share for each of d + 1 groups, d being the number of knobs: the side that moves first and
the rest, or every side. The logarithms of their odds against the first group are polynomials of the knobs: straight in
each, and bent where a knob was seen at three values. They are fitted by the greatest likelihood.

The errors do not believe the curve: they come from how games at one point differ among themselves ("sandwich"), so that
draws and shared wins count for what they are.
"""

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

Array = NDArray[np.float64]
STEPS = 60  # of Newton's method
MISFIT = 1e-4  # how seldom a curve that fits is said not to
TELLS = 50  # games at a point that say something of it
LEAST_SHARE = 0.002  # that a share is taken for in that test
RIDGE = 1e-6  # games: keeps odds finite where a group has won all or nothing


class Seen(NamedTuple):
    """What was seen, one entry a point."""

    points: Array  # [points, d]: where the knobs stood
    games: Array  # [points]
    sums: Array  # [points, groups]: of the shares
    products: Array  # [points, groups, groups]: of the shares of each game with one another

    def only(self, chosen: NDArray[np.bool_]) -> "Seen":
        """Some of the points. chosen: bool[points]."""
        return Seen(*(column[chosen] for column in self))


class Curve:
    """A curve fitted to `seen`, around `centre`: [d]; `scale`: [d], what counts as a step of each knob.

    straight: leave out what bends it.
    """

    def __init__(self, seen: Seen, centre: Array, scale: Array, straight: bool = False) -> None:
        self._centre, self._scale = centre, scale
        self._bent = [not straight and len(np.unique(column)) > 2 for column in seen.points.T]
        terms = self._terms(seen.points)
        self._weights = _fit(terms, seen)
        self._covariance = self._errors(terms, seen)

    def _terms(self, points):
        """The terms of the polynomials: [points, terms]."""
        z = (points - self._centre) / self._scale
        return np.concatenate([np.ones((len(z), 1)), z, z[:, self._bent] ** 2], axis=1)

    def shares(self, points: Array) -> Array:
        """The share of each group at each point: [points, groups]."""
        return _odds_to_shares(self._terms(points) @ self._weights)

    def slopes(self, point: Array) -> Array:
        """How the shares at a point change with each knob: [groups, d]."""
        steps = np.eye(len(point)) * self._scale * 1e-4
        up, down = self.shares(point + steps), self.shares(point - steps)
        return ((up - down) / (2e-4 * self._scale[:, None])).T

    def mixed(self, points: Array, weights: Array) -> tuple[Array, Array]:
        """The shares where points take turns, and their covariance: [groups] and [groups, groups].

        weights: [points], which of the games are played at each; they add up to 1.
        """
        terms, shares = self._terms(points), self.shares(points)
        change = np.einsum("v,vgk,vt->gtk", weights, _spread(shares), terms)  # by each weight of the polynomials
        change = change.reshape(shares.shape[1], -1)
        return weights @ shares, change @ self._covariance @ change.T

    def fits(self, seen: Seen) -> bool:
        """Whether what was seen is as the curve says, but for chance: a chi-squared test at MISFIT.

        A curve with as many terms as points has no chance to fail, and does not count as one that fits.
        """
        from scipy.stats import chi2

        told = seen.only(seen.games >= TELLS)
        expected = np.clip(self.shares(told.points), LEAST_SHARE, None) * told.games[:, None]
        away = ((told.sums - expected) ** 2 / expected).sum()
        freedom = (len(told.games) - self._weights.shape[0]) * self._weights.shape[1]
        return bool(freedom > 0 and chi2.sf(away, freedom) >= MISFIT)

    def _errors(self, terms, seen):
        """The covariance of the polynomials' weights: [terms * (groups - 1)] squared."""
        shares = self.shares(seen.points)
        bend = _curvature(terms, seen.games, shares)
        crossed = np.einsum("pg,ph->pgh", seen.sums, shares)
        own = np.einsum("p,pg,ph->pgh", seen.games, shares, shares)
        spread = seen.products - crossed - crossed.transpose(0, 2, 1) + own
        meat = np.einsum("pt,pu,pgh->tguh", terms, terms, spread[:, 1:, 1:])
        inverse = np.linalg.pinv(bend)
        return inverse @ meat.reshape(bend.shape) @ inverse


def _odds_to_shares(logarithms):
    """Shares by the logarithms of the odds against the first group: [points, groups]."""
    whole = np.concatenate([np.zeros((len(logarithms), 1)), logarithms], axis=1)
    parts = np.exp(whole - whole.max(axis=1, keepdims=True))
    return parts / parts.sum(axis=1, keepdims=True)


def _spread(shares):
    """How shares change with the logarithms of the odds: [points, groups, groups - 1]."""
    return (shares[:, :, None] * (np.eye(shares.shape[1]) - shares[:, None, :]))[:, :, 1:]


def _curvature(terms, games, shares):
    """How sharply the likelihood falls off: [terms * (groups - 1)] squared."""
    spread = _spread(shares)[:, 1:, :] * games[:, None, None]
    size = terms.shape[1] * spread.shape[1]
    return np.einsum("pt,pu,pgh->tguh", terms, terms, spread).reshape(size, size)


def _likelihood(terms, seen, weights):
    return (seen.sums * np.log(np.maximum(_odds_to_shares(terms @ weights), 1e-300))).sum() - RIDGE * (weights**2).sum()


def _fit(terms, seen):
    """The weights of the greatest likelihood, [terms, groups - 1], by Newton's method with halved steps."""
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
