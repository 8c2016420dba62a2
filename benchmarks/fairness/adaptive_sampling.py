"""Seeking the point at which games are fair: where the next games are played, and when it is known well enough.

Games come in rounds, each a fixed part of all before. The first is spread over the range of every knob. Of each later
one three quarters are played at the whole numbers around the best guess, mixed so that the mixture is fair, for they
say most about it; a quarter on either side of it, where the shares are some points off, for they say how the curve
runs. The curve is fitted to what was seen near the guess alone, so that it need be true nowhere else. Where it does not
fit even there, as when one point of authority changes whom others attack, each of the whole numbers counts for itself.

What comes next depends on the results so far alone: whoever asks for less error plays the same games first.
"""

import math
from collections.abc import Callable, Iterable
from statistics import NormalDist
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from stardeck.benchmarks.fairness.response_curve import TELLS, Array, Curve, Seen

Places = tuple[int, ...]  # where each knob stands
Played = Callable[[dict[Places, int]], Seen]  # plays so many games more at each point; returns all that was seen
FIRST_GAMES = 200  # at each point of the first round
LEAST_ROUNDS = 8
GROWTH = 0.3  # of the games so far that a round adds
CENTRE = 0.75  # of a round that is played at the best guess
UNPLAYED = 0.1  # of that, at the least, for a corner that is needed
TELLING = 0.03  # share by which the points beside it should differ from it
REACH = 4  # times their distance: what was seen farther away does not count
BENT = 20_000  # games near the guess, for each knob, from which on the curve may bend
NARROWER = (1, 0.5, 0.25, 0.125)  # of that, where the curve does not fit
ENOUGH = 0.3  # of all games that the curve is fitted to
CLEARLY = 5.0  # standard deviations that the end of the range must be away from fair for the search to end there,
LOOKS = 3  # in so many rounds, one after the other


class Found(NamedTuple):
    """The best guess so far. groups: see benchmarks/fairness/response_curve.py.

    vertices: int64[d + 1, d], the points that take turns, and weights: float64[d + 1], for which part of the games.
    answer: float64[d], their mean, with `low` and `high` at 95 %. shares: float64[groups] there, each with `error`,
    half its interval; the intervals hold all together at 95 %. inside: whether that is fair, and no end of the range.
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
    window: NDArray[np.bool_]  # the points that the curve was fitted to


def seek(play: Played, lengths: list[int], fair: Array, within: float, games: int) -> tuple[Found, Seen]:
    """Seek the places of knobs at which the groups have their fair shares.

    play: plays games, see above; lengths: how many places each knob has; fair: float64[groups], one group more than
    knobs; within: half the width of the intervals at the answer; games: after so many the search ends as it is.
    """
    seen = play(_first_round(lengths))
    rounds, at_end = 1, 0
    while True:
        found = best_guess(seen, lengths, fair)
        at_end = at_end + 1 if _is_clear(found, fair) else 0
        known = found.error.max() <= within or at_end >= LOOKS
        if (known and rounds >= LEAST_ROUNDS) or seen.games.sum() >= games:
            return found, seen
        seen = play(_next_round(found, int(GROWTH * seen.games.sum()), lengths))
        rounds += 1


def _is_clear(found, fair):
    """Whether no place of the range is fair."""
    away = np.abs(found.shares - fair) * _deviations(len(fair)) / np.maximum(found.error, 1e-9)
    return not found.inside and away.max() > CLEARLY


def _deviations(groups):
    """Standard deviations to either side in an interval of a share; of several, so that all hold together."""
    shares = 1 if groups == 2 else groups
    return NormalDist().inv_cdf(1 - 0.025 / shares)


def _first_round(lengths):
    """Each knob at its ends, quarters and middle, the others in the middle."""
    middle = [(length - 1) // 2 for length in lengths]
    points = {
        (*middle[:knob], round(part * (length - 1)), *middle[knob + 1 :])
        for knob, length in enumerate(lengths)
        for part in (0, 0.25, 0.5, 0.75, 1)
    }
    return dict.fromkeys(sorted(points), FIRST_GAMES)


def best_guess(seen: Seen, lengths: list[int], fair: Array) -> Found:
    """The point at which what was seen makes the groups most nearly fair."""
    last = np.array(lengths) - 1.0
    for narrow in NARROWER:
        curve, centre, window = _curve_near(seen, last, fair, narrow)
        if curve.fits(seen.only(window)):
            vertices, weights = _mixture(curve, centre, last, fair)
            return _described(curve, window, vertices, weights, last, fair)
    return _by_corners(seen, curve, centre, last, fair)


def _curve_near(seen, last, fair, narrow):
    """A curve fitted near its own crossing, the crossing, and the points that it was fitted to: bool[points]."""
    centre, window = last / 2, np.ones(len(seen.games), bool)
    reach = np.maximum(last, 1.0)
    for guess in range(5):  # by all that was seen, roughly; then by what was seen near the guess
        straight = guess == 0 or seen.games[window].sum() < BENT * len(last)
        curve = Curve(seen.only(window), centre, reach, straight)
        centre = _crossing(curve, np.maximum(centre - reach, 0), np.minimum(centre + reach, last), fair)
        reach = np.maximum(narrow * REACH * _steps(curve, centre, last), 1.0)
        near = _near(seen, centre, reach, narrow * ENOUGH)
        if guess and (near == window).all():
            break
        window = near
    return curve, centre, window


def _by_corners(seen, rough, point, last, fair):
    """The guess where no smooth curve fits: by the whole places around it alone, each for itself.

    rough: the curve that does not fit, which tells the direction at least. Until all corners have been played often
    enough, the error is as large as can be.
    """
    for _ in range(4):
        vertices, weights = _simplex(point, last)
        corners = (seen.points[:, None, :] == vertices).all(axis=2).any(axis=1) & (seen.games >= TELLS)
        if corners.sum() < len(vertices):
            break
        curve = Curve(seen.only(corners), vertices.mean(axis=0), np.ones(len(last)), straight=True)
        solved = _solved(curve, vertices, fair)
        if (solved >= 0).all():
            return _described(curve, corners, vertices, solved, last, fair)
        off = (fair - weights @ curve.shares(vertices))[1:]
        step = np.linalg.lstsq(rough.slopes(point)[1:], off, rcond=None)[0]
        before, point = point, np.clip(point + np.clip(step, -1, 1), 0, last)
        if np.allclose(before, point):
            return _described(curve, corners, vertices, weights, last, fair)
    everything = np.ones(len(seen.games), bool)
    vertices, weights = _simplex(point, last)
    found = _described(rough, everything, vertices, weights, last, fair)
    return found._replace(shares=fair, error=np.ones(len(fair)), low=0 * last, high=last)


def _near(seen, centre, reach, enough):
    """The points within reach; farther ones too where these are too few to fit a curve to: bool[points].

    enough: which part of all games they must hold.
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
    """Where the curve is fair, or most nearly so, from low to high: float64[d]."""
    from scipy.optimize import least_squares

    def away(point):
        return np.log(np.maximum(curve.shares(point[None])[0], 1e-12) / fair)

    return least_squares(away, (low + high) / 2, bounds=(low, high), x_scale=high - low, xtol=1e-12, ftol=1e-14).x


def _steps(curve, point, last):
    """How far each knob must be turned for a share to change tellingly: float64[d], at most a quarter of its range."""
    slopes = np.abs(curve.slopes(point)).max(axis=0)
    return np.minimum(TELLING / np.maximum(slopes, 1e-9), np.maximum(last / 4, 1.0))


def _simplex(point, last):
    """The whole places around a point and how they are mixed to give it: int64[d + 1, d] and float64[d + 1]."""
    base = np.clip(np.floor(point), 0, last - 1)
    parts = point - base
    order = np.argsort(-parts, kind="stable")
    vertices = np.repeat(base[None].astype(np.int64), len(point) + 1, axis=0)
    for number, knob in enumerate(order, 1):
        vertices[number:, knob] += 1
    ends = np.concatenate([[1.0], parts[order], [0.0]])
    return vertices, ends[:-1] - ends[1:]


def _mixture(curve, point, last, fair):
    """The whole places near a point, and their weights, whose mixture is fair; else the nearest to it there is."""
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
    """How places must be mixed to be fair: float64[d + 1], below 0 where they cannot be."""
    equations = np.concatenate([curve.shares(vertices)[:, 1:].T, np.ones((1, len(vertices)))])
    return np.linalg.lstsq(equations, np.append(fair[1:], 1.0), rcond=None)[0]


def _described(curve, window, vertices, weights, last, fair):
    """The guess with its errors."""
    shares, covariance = curve.mixed(vertices, weights)
    error = _deviations(len(fair)) * np.sqrt(np.diagonal(covariance))
    answer = weights @ vertices
    turn = np.linalg.pinv(curve.slopes(answer)[1:])  # knobs by shares
    half = NormalDist().inv_cdf(0.975) * np.sqrt(np.diagonal(turn @ covariance[1:, 1:] @ turn.T))
    inside = bool(np.abs(shares - fair).max() < 1e-6)
    low, high = np.clip(answer - half, 0, last), np.clip(answer + half, 0, last)
    return Found(vertices, weights, answer, low, high, shares, error, inside, curve, window)


def _next_round(found, games, lengths):
    """How many games to play at each point; of corners that have not been played, each has its part."""
    least = UNPLAYED if found.error.max() >= 1 else 0.0
    wanted = {
        tuple(map(int, point)): CENTRE * max(weight, least)
        for point, weight in zip(found.vertices, found.weights, strict=True)
    }
    beside = list(_beside(found, lengths))
    for point in beside:
        wanted[point] = wanted.get(point, 0) + (1 - CENTRE) / len(beside)
    return {point: math.ceil(part * games) for point, part in sorted(wanted.items()) if part * games >= 1}


def _beside(found, lengths) -> Iterable[Places]:
    """For each knob, a point on either side of the guess."""
    last = np.array(lengths) - 1
    steps = _steps(found.curve, found.answer, last.astype(float))
    middle = np.rint(found.answer).astype(int)
    for knob, step in enumerate(steps):
        for place in (math.floor(found.answer[knob] - step), math.ceil(found.answer[knob] + step)):
            point = middle.copy()
            point[knob] = np.clip(place, 0, last[knob])
            yield tuple(map(int, point))
