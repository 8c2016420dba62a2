"""Adaptive sampling for the fair point: where to play the next games, and when to stop.

Games come in rounds, each a fixed part of all games before. The first round is spread over the range of every
parameter. Three quarters of each later round are played at the whole numbers around the estimate, in a fair mixture.
These games say most about the estimate. The other quarter is played on either side of it, where the shares are some
points off: these games determine the slope of the curve.

The curve is fitted only to the games near the estimate, so it need not hold elsewhere. Sometimes it does not fit even
there: one point of authority can change which player others attack. Then each of the whole numbers counts by itself.

The next round depends only on the results so far: a search with a smaller error plays the same games first.
"""

import math
from collections.abc import Callable, Iterable
from statistics import NormalDist
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from stardeck.benchmarks.fairness.response_curve import LEAST_GAMES, Array, Curve, Observations

Places = tuple[int, ...]  # the index of the value of each parameter
Played = Callable[[dict[Places, int]], Observations]  # plays more games at each point; returns the results of all games
FIRST_GAMES = 200  # at each point of the first round
LEAST_ROUNDS = 8
GROWTH = 0.3  # games of a new round, as a fraction of all games so far
CENTRE_SHARE = 0.75  # fraction of a round that is played at the estimate
UNPLAYED_SHARE = 0.1  # least fraction of those games for a corner that has not been played
SHARE_STEP = 0.03  # difference in share between the estimate and the points on either side of it
WINDOW_STEPS = 4  # times the distance of those points: results farther away do not count
GAMES_TO_BEND = 20_000  # games near the estimate, per parameter, that allow the curve to bend
WINDOW_FACTORS = (1, 0.5, 0.25, 0.125)  # factors of the reach to try when the curve does not fit
WINDOW_SHARE = 0.3  # least fraction of all games that the curve is fitted to
CLEAR_DEVIATIONS = 5.0  # standard deviations between the end of the range and a fair share that end the search,
CONFIRMATIONS = 3  # if this many rounds in a row show them


class Estimate(NamedTuple):
    """The current estimate of the fair point. For groups see benchmarks/fairness/response_curve.py.

    Attributes:
        vertices: int64[d + 1, d], the points of the mixture.
        weights: float64[d + 1], the fraction of the games that is played at each point.
        answer: float64[d], the weighted mean of the points, with `low` and `high` at 95 %.
        shares: float64[groups], the share of each group at the answer.
        error: float64[groups], half of the interval of each share. All intervals hold together at 95 %.
        inside: True if the shares are fair, False at an end of the range.
        curve: The fitted curve.
        window: bool[points], the points that the curve was fitted to.
    """

    vertices: NDArray[np.int64]
    weights: Array
    answer: Array
    low: Array
    high: Array
    shares: Array
    error: Array
    inside: bool
    curve: Curve
    window: NDArray[np.bool_]


def seek(play: Played, lengths: list[int], fair: Array, within: float, games: int) -> tuple[Estimate, Observations]:
    """Search for the parameter values at which every group has its fair share.

    Args:
        play: Function that plays games, see `Played`.
        lengths: Number of values of each parameter.
        fair: float64[groups], the fair shares. There is one group more than parameters.
        within: Half the width of the intervals at the answer that ends the search.
        games: Number of games after which the search ends with what it has.

    Returns:
        The estimate, and the results of all games.
    """
    seen = play(_first_round(lengths))
    rounds, at_end = 1, 0
    while True:
        found = best_guess(seen, lengths, fair)
        at_end = at_end + 1 if _is_clear(found, fair) else 0
        known = found.error.max() <= within or at_end >= CONFIRMATIONS
        if (known and rounds >= LEAST_ROUNDS) or seen.games.sum() >= games:
            return found, seen
        seen = play(_next_round(found, int(GROWTH * seen.games.sum()), lengths))
        rounds += 1


def _is_clear(found, fair):
    """Return True if clearly no point of the range is fair."""
    away = np.abs(found.shares - fair) * _deviations(len(fair)) / np.maximum(found.error, 1e-9)
    return not found.inside and away.max() > CLEAR_DEVIATIONS


def _deviations(groups):
    """Return the half width of a share's interval in standard deviations, Bonferroni-corrected for several groups."""
    shares = 1 if groups == 2 else groups
    return NormalDist().inv_cdf(1 - 0.025 / shares)


def _first_round(lengths):
    """Return the points of the first round: each parameter at five values, with the others in the middle."""
    middle = [(length - 1) // 2 for length in lengths]
    points = {
        (*middle[:parameter], round(part * (length - 1)), *middle[parameter + 1 :])
        for parameter, length in enumerate(lengths)
        for part in (0, 0.25, 0.5, 0.75, 1)
    }
    return dict.fromkeys(sorted(points), FIRST_GAMES)


def best_guess(seen: Observations, lengths: list[int], fair: Array) -> Estimate:
    """Estimate the point that is most nearly fair.

    Args:
        seen: Results of all games.
        lengths: Number of values of each parameter.
        fair: float64[groups], the fair shares.
    """
    last = np.array(lengths) - 1.0
    for narrow in WINDOW_FACTORS:
        curve, centre, window = _curve_near(seen, last, fair, narrow)
        if curve.fits(seen.only(window)):
            vertices, weights = _mixture(curve, centre, last, fair)
            return _estimate(curve, window, vertices, weights, last, fair)
    return _by_corners(seen, curve, centre, last, fair)


def _curve_near(seen, last, fair, narrow):
    """Fit a curve near the point at which it is fair; return it, that point, and the window: bool[points]."""
    centre, window = last / 2, np.ones(len(seen.games), bool)
    reach = np.maximum(last, 1.0)
    for guess in range(5):  # first roughly, by all results; then by the results near the guess
        linear = guess == 0 or seen.games[window].sum() < GAMES_TO_BEND * len(last)
        curve = Curve(seen.only(window), centre, reach, linear)
        centre = _crossing(curve, np.maximum(centre - reach, 0), np.minimum(centre + reach, last), fair)
        reach = np.maximum(narrow * WINDOW_STEPS * _steps(curve, centre, last), 1.0)
        near = _near(seen, centre, reach, narrow * WINDOW_SHARE)
        if guess and (near == window).all():
            break
        window = near
    return curve, centre, window


def _by_corners(seen, rough, point, last, fair):
    """Estimate from the whole numbers around a point alone, each by itself, because no smooth curve fits.

    Until all corners have been played often enough, the error is as large as it can be.

    Args:
        seen: Results of all games.
        rough: The curve that does not fit; it still gives the direction.
        point: float64[d], the point to start from.
        last: float64[d], the last index of each parameter.
        fair: float64[groups], the fair shares.
    """
    for _ in range(4):
        vertices, weights = _simplex(point, last)
        corners = (seen.points[:, None, :] == vertices).all(axis=2).any(axis=1) & (seen.games >= LEAST_GAMES)
        if corners.sum() < len(vertices):
            break
        curve = Curve(seen.only(corners), vertices.mean(axis=0), np.ones(len(last)), linear=True)
        solved = _solved(curve, vertices, fair)
        if (solved >= 0).all():
            return _estimate(curve, corners, vertices, solved, last, fair)
        off = (fair - weights @ curve.shares(vertices))[1:]
        step = np.linalg.lstsq(rough.slopes(point)[1:], off, rcond=None)[0]
        before, point = point, np.clip(point + np.clip(step, -1, 1), 0, last)
        if np.allclose(before, point):
            return _estimate(curve, corners, vertices, weights, last, fair)
    everything = np.ones(len(seen.games), bool)
    vertices, weights = _simplex(point, last)
    found = _estimate(rough, everything, vertices, weights, last, fair)
    return found._replace(shares=fair, error=np.ones(len(fair)), low=0 * last, high=last)


def _near(seen, centre, reach, enough):
    """Return the points within reach, or farther ones where these are too few for a fit: bool[points].

    enough: the fraction of all games that the points must hold.
    """
    away = np.abs(seen.points - centre) / reach
    for times in (1, 2, 4, 8, 16):
        near = (away <= times).all(axis=1)
        if seen.games[near].sum() < enough * seen.games.sum():
            continue
        if np.linalg.matrix_rank(np.c_[np.ones(near.sum()), seen.points[near]]) == 1 + len(centre):
            return near
    return np.ones(len(away), bool)


def _crossing(curve, low, high, fair):
    """Return the point between low and high at which the curve is most nearly fair: float64[d]."""
    from scipy.optimize import least_squares

    def away(point):
        return np.log(np.maximum(curve.shares(point[None])[0], 1e-12) / fair)

    return least_squares(away, (low + high) / 2, bounds=(low, high), x_scale=high - low, xtol=1e-12, ftol=1e-14).x


def _steps(curve, point, last):
    """Return steps of the parameters that change a share by SHARE_STEP: float64[d], at most a quarter of the range."""
    slopes = np.abs(curve.slopes(point)).max(axis=0)
    return np.minimum(SHARE_STEP / np.maximum(slopes, 1e-9), np.maximum(last / 4, 1.0))


def _simplex(point, last):
    """Return the whole points around a point and the weights that give it: int64[d + 1, d] and float64[d + 1]."""
    base = np.clip(np.floor(point), 0, last - 1)
    parts = point - base
    order = np.argsort(-parts, kind="stable")
    vertices = np.repeat(base[None].astype(np.int64), len(point) + 1, axis=0)
    for number, parameter in enumerate(order, 1):
        vertices[number:, parameter] += 1
    ends = np.concatenate([[1.0], parts[order], [0.0]])
    return vertices, ends[:-1] - ends[1:]


def _mixture(curve, point, last, fair):
    """Return whole points near a point and weights whose mixture is fair, or as nearly fair as possible."""
    vertices, weights = _simplex(point, last)
    for _ in range(8):
        solved = _solved(curve, vertices, fair)
        if (solved >= -1e-9).all():
            return vertices, np.maximum(solved, 0) / np.maximum(solved, 0).sum()
        before, (vertices, weights) = vertices, _simplex(np.clip(solved @ vertices, 0, last), last)
        if (before == vertices).all():
            break
    return vertices, weights


def _solved(curve, vertices, fair):
    """Return the weights that make a mixture of points fair: float64[d + 1], negative where none does."""
    equations = np.concatenate([curve.shares(vertices)[:, 1:].T, np.ones((1, len(vertices)))])
    return np.linalg.lstsq(equations, np.append(fair[1:], 1.0), rcond=None)[0]


def _estimate(curve, window, vertices, weights, last, fair):
    """Return an estimate with its errors."""
    shares, covariance = curve.mixed(vertices, weights)
    error = _deviations(len(fair)) * np.sqrt(np.diagonal(covariance))
    answer = weights @ vertices
    turn = np.linalg.pinv(curve.slopes(answer)[1:])  # parameters by shares
    half = NormalDist().inv_cdf(0.975) * np.sqrt(np.diagonal(turn @ covariance[1:, 1:] @ turn.T))
    inside = bool(np.abs(shares - fair).max() < 1e-6)
    low, high = np.clip(answer - half, 0, last), np.clip(answer + half, 0, last)
    return Estimate(vertices, weights, answer, low, high, shares, error, inside, curve, window)


def _next_round(found, games, lengths):
    """Return the number of games to play at each point; corners that have not been played get their part too."""
    least = UNPLAYED_SHARE if found.error.max() >= 1 else 0.0
    wanted = {
        tuple(map(int, point)): CENTRE_SHARE * max(weight, least)
        for point, weight in zip(found.vertices, found.weights, strict=True)
    }
    neighbours = list(_neighbours(found, lengths))
    for point in neighbours:
        wanted[point] = wanted.get(point, 0) + (1 - CENTRE_SHARE) / len(neighbours)
    return {point: math.ceil(part * games) for point, part in sorted(wanted.items()) if part * games >= 1}


def _neighbours(found, lengths) -> Iterable[Places]:
    """Yield a point on either side of the estimate for each parameter."""
    last = np.array(lengths) - 1
    steps = _steps(found.curve, found.answer, last.astype(float))
    middle = np.rint(found.answer).astype(int)
    for parameter, step in enumerate(steps):
        for place in (math.floor(found.answer[parameter] - step), math.ceil(found.answer[parameter] + step)):
            point = middle.copy()
            point[parameter] = np.clip(place, 0, last[parameter])
            yield tuple(map(int, point))
