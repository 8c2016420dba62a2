"""Chances to win at every snapshot, from a regression of results that never predicts a game from itself.

The regression is a conditional logit with a ridge: each contender has a utility, linear in its numbers, and its chance
is the softmax over the contenders that are still in the game. Where a network estimates chances, its log chances are
the numbers, and the regression calibrates them. Elsewhere the open numbers and the turn serve. Games are dealt into
folds; the games of a fold are predicted by the fit to all others.

Another sample of games gives another fit, and thus other chances. A bootstrap measures how much: games get random
weights, and the slopes move by one step of Newton's method. A network that is not calibrated stays the same.
"""

from collections.abc import Callable, Iterator
from functools import reduce
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray
from scipy import special

from stardeck.benchmarks.design.drama.games import Floats, Watch

FOLDS = 5
RIDGE = 1.0  # games
KNOTS = 5  # of the piecewise linear dependence on the turn
MOST_NUMBERS = 8_000_000  # in a matrix of a fit or a prediction
STEPS = 30  # of Newton's method
CURVE = (0.0, 0.1, 0.3, 0.7, 0.9, 1.0)  # knots of the calibration of a network's chances
LEAST_CHANCE = 1e-3  # of a network, before its logarithm is taken
BINS = 10  # of the calibration error
DRAWS = 50  # of the bootstrap
MOST_USED_UP = 0.5  # share of the games that the numbers of a fit use up
UNSEEN = 3  # games that may differ where none does (rule of three)

Numbers = Callable[[NDArray[np.int64]], Floats]  # float64[rows, contenders, numbers] of some snapshots


class Fits(NamedTuple):
    """Fits of the regression to all games, and to draws of the bootstrap.

    Attributes:
        numbers: Function that gives the numbers of some snapshots.
        slopes: Slopes for each fold, from all games of the others: float64[FOLDS, numbers].
        drawn: Slopes for each fold in each draw: float64[draws, FOLDS, numbers].
        weights: Weight of each game in each draw: float64[draws, games].
    """

    numbers: Numbers
    slopes: Floats
    drawn: Floats
    weights: Floats


class Chances(NamedTuple):
    """Chances at every snapshot.

    Attributes:
        of: Chance of each contender: float64[all, contenders]. The last snapshot of a game holds its result.
        source: "network", "calibrated network", "open numbers" or "observations".
        fits: Fits that made them; None for a network's own.
    """

    of: Floats
    source: str
    fits: Fits | None = None


def chances(watch: Watch, open_numbers: bool) -> Chances:
    """Return chances that are held out: no game takes part in the fit that predicts it.

    A network's own estimates stay as they are if calibration does not make them more likely.

    Args:
        watch: The games, at least FOLDS of them.
        open_numbers: True if `watch.seen` holds open numbers.
    """
    by_network = watch.chance.shape[1] > 0
    fits = _fits(watch, _calibrating(watch) if by_network else _explaining(watch))
    fitted = _predicted(watch, fits)
    results = watch.result[watch.game]
    ends = watch.ends
    if not by_network:
        return Chances(fitted, "open numbers" if open_numbers else "observations", fits)
    plain = watch.chance.astype(np.float64)
    plain[ends] = watch.result
    if _loss(plain, results) <= _loss(fitted, results):
        return Chances(plain, "network")
    return Chances(fitted, "calibrated network", fits)


def weights_of_games(games: int, draws: int) -> Floats:
    """Return the weights of games in the draws of a bootstrap, the same for all variants: float64[draws, games].

    Args:
        games: Number of games. Games that come first have the same weights, however many follow.
        draws: Number of draws.
    """
    return np.random.default_rng(0).exponential(size=(games, draws)).T


def games_at_once(watch: Watch, fits: Fits) -> int:
    """Return the number of games whose chances in all draws need about MOST_NUMBERS numbers.

    Args:
        watch: The games.
        fits: Fits to the draws.
    """
    draws, _, numbers = fits.drawn.shape
    of_snapshot = watch.out.shape[1] * max(draws, numbers)
    return max(1, MOST_NUMBERS * len(watch.snapshots) // (len(watch.mover) * of_snapshot))


def chances_drawn(watch: Watch, fits: Fits, first: int, last: int) -> Iterator[Floats]:
    """Yield the chances of some games by the fits to each draw of the bootstrap: float64[snapshots, contenders].

    Args:
        watch: All games.
        fits: Fits to all games and to the draws.
        first: First of the games whose chances are wanted.
        last: Game after the last one.
    """
    begin, end = int(watch.starts[first]), int(watch.ends[last - 1]) + 1
    rows = np.arange(begin, end)
    fold, numbers = watch.game[rows] % FOLDS, fits.numbers(rows)
    utilities = np.empty((len(fits.drawn), *numbers.shape[:2]))
    for number in range(FOLDS):
        mine = fold == number
        utilities[:, mine] = np.moveaxis(numbers[mine] @ fits.drawn[:, number].T, -1, 0)
    for one in utilities:
        found = _softmax(one, watch.out[rows])
        found[watch.ends[first:last] - begin] = watch.result[first:last]
        yield found


def _loss(chance, results):
    return float(-(results * np.log(np.maximum(chance, LEAST_CHANCE))).sum(axis=1).mean())


def _times(watch):
    """Return the number of turns before each snapshot: int64[all]."""
    return np.arange(len(watch.mover)) - np.repeat(watch.starts, watch.snapshots)


def _hats(values, knots):
    """Return piecewise linear functions that sum to 1: float64[..., knots]."""
    return np.stack([np.interp(values, knots, row) for row in np.eye(len(knots))], axis=-1)


def _constants(watch, rows):
    """Return further numbers of each contender: whether it is to act, and a constant for each side."""
    count = watch.out.shape[1]
    to_act = watch.mover[rows, None] == np.arange(count)
    constants = np.broadcast_to(np.eye(count)[:, 1:], (len(to_act), count, count - 1))
    return np.concatenate([to_act[:, :, None], constants], axis=2)


def _calibrating(watch):
    """Return a function that gives the numbers of a fit that calibrates a network, for some snapshots."""
    late = _late(watch)

    def numbers(rows):
        plain = np.maximum(watch.chance[rows].astype(np.float64), LEAST_CHANCE)
        shown = np.concatenate([np.log(plain)[:, :, None], _hats(plain, CURVE)[:, :, 1:]], axis=2)
        return np.concatenate([shown, shown * late[rows, None, None], _constants(watch, rows)], axis=2)

    return numbers


def _late(watch):
    """Return the time of each snapshot relative to the median length of a game, at most 2."""
    return np.minimum(_times(watch) / max(np.median(watch.snapshots - 1), 1), 2.0)


def _explaining(watch):
    """Return a function that gives the numbers of a fit without a network: all that was seen, and the turn."""
    times = _times(watch)
    many = watch.seen.shape[2] > KNOTS * 4  # observations: too many for a dependence of each on the turn
    knots = np.unique(np.quantile(times, (0, 1) if many else np.linspace(0, 1, KNOTS)))

    def numbers(rows):
        seen = watch.seen[rows].astype(np.float64)
        if not many:
            seen = np.concatenate([seen, np.log1p(np.maximum(seen, 0))], axis=2)
        plain = np.concatenate([seen, _constants(watch, rows)], axis=2)
        if len(knots) == 1:
            return plain
        return (plain[:, :, :, None] * _hats(times[rows], knots)[:, None, None, :]).reshape(*plain.shape[:2], -1)

    return numbers


def _fits(watch, numbers):
    """Return the fits that predict each fold from the others. numbers: function of snapshots."""
    width = numbers(np.arange(1))[0].size
    rows = _training_rows(watch, width)
    given = numbers(rows)
    scale = given.std(axis=(0, 1))
    scale[scale == 0] = 1.0
    given /= scale
    weight = len(watch.snapshots) / max(len(rows), 1)  # all turns of a game say little more than one
    weights = weights_of_games(len(watch.snapshots), DRAWS)
    slopes = np.zeros((FOLDS, given.shape[2]))
    drawn = np.empty((DRAWS, *slopes.shape))
    for number in range(FOLDS):
        others = watch.game[rows] % FOLDS != number
        results = watch.result[watch.game[rows[others]]]
        sample = (given[others], watch.out[rows[others]], results, np.full(len(results), weight))
        slopes[number] = fit(*sample, start=slopes[max(number - 1, 0)])
        drawn[:, number] = _refitted(sample, slopes[number], watch.game[rows[others]], weights)
    return Fits(lambda some: numbers(some) / scale, slopes, drawn, weights)


def _refitted(sample, slopes, game, weights):
    """Return the slopes of a fit to games with other weights, by one step of Newton's method: float64[draws, numbers].

    The curvature is that of the plain fit. A fit to few games follows its own games, which hides a part of the error.
    The step is longer by as much as that: by the share of the games that the numbers of the fit use up.
    """
    numbers, out, results, weight = sample
    chance = predict(numbers, out, slopes)
    of_row = np.einsum("rc,rck->rk", weight[:, None] * (results - chance), numbers)
    games, first = np.unique(game, return_index=True)
    scores = np.add.reduceat(of_row, first, axis=0)
    curvature = _curvature(numbers, chance, weight)
    bend = curvature + RIDGE * np.eye(len(slopes))
    used_up = min(float(np.trace(np.linalg.solve(bend, curvature))) / len(games), MOST_USED_UP)
    return slopes + np.linalg.solve(bend, ((weights[:, games] - 1) @ scores).T).T / (1 - used_up)


def _predicted(watch, fits):
    """Return the chances of all snapshots, each by the fit to the other folds; results at the ends."""
    found = np.empty(watch.out.shape)
    fold = watch.game % FOLDS
    step = max(1, MOST_NUMBERS // (watch.out.shape[1] * fits.slopes.shape[1]))
    for number in range(FOLDS):
        mine = np.flatnonzero(fold == number)
        for at in range(0, len(mine), step):
            some = mine[at : at + step]
            found[some] = predict(fits.numbers(some), watch.out[some], fits.slopes[number])
    found[watch.ends] = watch.result
    return found


def _training_rows(watch, width):
    """Return the snapshots of a fit, without the ends of games: all, or every so many where they are too many.

    All turns count alike, whatever the length of their game: a choice that depends on how a game went on would bend
    the chances.
    """
    before_end = np.ones(len(watch.mover), bool)
    before_end[watch.ends] = False
    rows = np.flatnonzero(before_end)
    stride = max(1, -(-len(rows) * width // MOST_NUMBERS))
    return rows[(_times(watch) + watch.game)[rows] % stride == 0]


def predict(numbers: Floats, out: NDArray[np.bool_], slopes: Floats) -> Floats:
    """Return the chance of each contender: float64[rows, contenders]; 0 for those that are out.

    Args:
        numbers: float64[rows, contenders, numbers].
        out: Contenders that have lost: bool[rows, contenders].
        slopes: float64[numbers].
    """
    return _softmax(numbers @ slopes, out)


def _softmax(utility, out):
    utility = np.where(out, -np.inf, utility)
    highest = reduce(np.maximum, utility.T)  # rows are short: NumPy's maximum along them takes longer
    odds = np.exp(utility - highest[:, None])
    return odds / reduce(np.add, odds.T)[:, None]


def _curvature(numbers, chance, weight):
    """Return the curvature of the likelihood: float64[numbers, numbers]."""
    centred = numbers - np.einsum("rc,rck->rk", chance, numbers)[:, None]
    weighted = centred * (weight[:, None] * chance)[:, :, None]
    return weighted.reshape(-1, numbers.shape[2]).T @ centred.reshape(-1, numbers.shape[2])


def fit(
    numbers: Floats, out: NDArray[np.bool_], results: Floats, weight: Floats, ridge: float = RIDGE,
    start: Floats | None = None,
) -> Floats:  # fmt: skip
    """Return the slopes of a conditional logit with a ridge, by Newton's method: float64[numbers].

    Args:
        numbers: float64[rows, contenders, numbers], of about unit spread.
        out: Contenders that have lost: bool[rows, contenders].
        results: Share of each contender: float64[rows, contenders].
        weight: Weight of each row: float64[rows].
        ridge: Weight of the penalty, in rows of weight 1.
        start: Slopes to begin with, for example from a fit to nearly the same rows; None begins with 0.
    """
    count = numbers.shape[2]

    def loss(slopes):
        likely = np.log(np.maximum(predict(numbers, out, slopes), 1e-300))
        return float(-(weight @ np.where(results > 0, results * likely, 0).sum(axis=1)) + ridge / 2 * slopes @ slopes)

    slopes = np.zeros(count) if start is None else start
    now = loss(slopes)
    for _ in range(STEPS):
        chance = predict(numbers, out, slopes)
        bend = _curvature(numbers, chance, weight) + ridge * np.eye(count)
        step = np.linalg.solve(
            bend, np.einsum("rc,rck->k", weight[:, None] * (results - chance), numbers) - ridge * slopes
        )
        length = 1.0
        while (then := loss(slopes + length * step)) > now and length > 1e-3:
            length /= 2
        if then > now:
            break
        slopes, gain, now = slopes + length * step, now - then, then
        if gain < 1e-7 * max(1.0, abs(now)):
            break
    return slopes


def calibration_error(watch: Watch, chance: Floats) -> tuple[float, float, float]:
    """Return the distance of chances from what then happens, in points, with its 95 % interval.

    Chances of all contenders fall into BINS; the distance of a bin is that of its mean chance from its mean result. The
    error is the root mean square of the distances, each with the weight of its bin, without what chance alone gives.
    The interval is that of the judge as it is, and too wide where the error is near 0.

    Args:
        watch: The games.
        chance: float64[all, contenders].

    Returns:
        Value, low and high.
    """
    inside = np.ones(len(chance), bool)
    inside[watch.ends] = False
    game, chance = watch.game[inside], chance[inside]
    place = game[:, None] * BINS + np.minimum((chance * BINS).astype(np.int64), BINS - 1)
    shape = (len(watch.snapshots), BINS)
    apart = np.bincount(place.ravel(), (watch.result[game] - chance).ravel(), shape[0] * BINS).reshape(shape)
    count = np.bincount(place.ravel(), minlength=shape[0] * BINS).reshape(shape)
    value, low, high = (100 * float(np.sqrt(square)) for square in mean_square(apart.astype(np.float64), count))
    return value, low, min(high, 100.0)


def mean_square(apart: Floats, count: NDArray[np.int64]) -> tuple[float, float, float]:
    """Return the mean square distance of bins from 0, without that of noise, with its 95 % interval.

    Without noise in all bins the sum of squares would be the mean square. Noise adds a sum of squares with an F
    distribution, and a part that grows with the mean square; the ends are where both together explain the sum.

    Args:
        apart: Sum of the distances in each bin: float64[games, bins].
        count: Number of distances in each bin: int64[games, bins].

    Returns:
        Value, low and high, at least 0.
    """
    games, total = len(apart), count.sum()
    of_bin = np.maximum(count.sum(axis=0), 1)
    mean = apart.sum(axis=0) / of_bin
    rest = apart - mean * count
    weights = 1 / (of_bin * total)
    noise = games / (games - 1) * rest.T @ rest * weights  # of the weighted squares: its trace is their excess
    excess = float(np.trace(noise))
    if excess <= 0:
        return 0.0, 0.0, UNSEEN / games
    square = float(of_bin @ mean**2) / total
    influence = (2 * mean * rest + mean**2 * (count - of_bin / total * count.sum(axis=1, keepdims=True))).sum(axis=1)
    slope = games / (games - 1) * float(influence @ influence) / total**2 / max(square, 1e-300)
    freedom = excess**2 / float((noise * noise.T).sum())
    below, above = excess * np.abs(special.fdtri(freedom, games - 1, (0.025, 0.975)) - 1)
    value = max(square - excess, 0.0)
    middle = value + special.stdtrit(games - 1, 0.975) ** 2 * slope / 2
    low = middle - np.sqrt(max(middle**2 - value**2 + above**2, 0.0)) if value > above else 0.0
    return value, float(max(low, 0.0)), float(middle + np.sqrt(middle**2 - value**2 + below**2))
