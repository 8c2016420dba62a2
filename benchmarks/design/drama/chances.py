"""Chances to win at every snapshot, from a regression of results that never predicts a game from itself.

The regression is a conditional logit with a ridge: each contender has a utility, linear in its numbers, and its chance
is the softmax over the contenders that are still in the game. Where a network estimates chances, its log chances are
the numbers, and the regression calibrates them. Elsewhere the open numbers and the turn serve. Games are dealt into
folds; the games of a fold are predicted by the fit to all others.
"""

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from stardeck.benchmarks.design.drama.games import Floats, Watch

FOLDS = 5
RIDGE = 1.0  # games
KNOTS = 5  # of the piecewise linear dependence on the turn
MOST_NUMBERS = 8_000_000  # in a matrix of a fit or a prediction
STEPS = 30  # of Newton's method
CURVE = (0.0, 0.1, 0.3, 0.7, 0.9, 1.0)  # knots of the calibration of a network's chances
LEAST_CHANCE = 1e-3  # of a network, before its logarithm is taken
BINS = 10  # of the calibration error
RESAMPLES = 200  # of games, for its interval


class Chances(NamedTuple):
    """Chances at every snapshot.

    Attributes:
        of: Chance of each contender: float64[all, contenders]. The last snapshot of a game holds its result.
        source: "network", "calibrated network", "open numbers" or "observations".
    """

    of: Floats
    source: str


def chances(watch: Watch, open_numbers: bool) -> Chances:
    """Return chances that are held out: no game takes part in the fit that predicts it.

    A network's own estimates stay as they are if calibration does not make them more likely.

    Args:
        watch: The games, at least FOLDS of them.
        open_numbers: True if `watch.seen` holds open numbers.
    """
    by_network = watch.chance.shape[1] > 0
    fitted = _held_out(watch, _calibrating(watch) if by_network else _explaining(watch))
    results = watch.result[watch.game]
    ends = watch.ends
    fitted[ends] = watch.result
    if not by_network:
        return Chances(fitted, "open numbers" if open_numbers else "observations")
    plain = watch.chance.astype(np.float64)
    plain[ends] = watch.result
    if _loss(plain, results) <= _loss(fitted, results):
        return Chances(plain, "network")
    return Chances(fitted, "calibrated network")


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


def _held_out(watch, numbers):
    """Return the chances of each fold by the fit to the other folds. numbers: function of snapshots."""
    fold = (np.arange(len(watch.snapshots)) % FOLDS)[watch.game]
    width = numbers(np.arange(1))[0].size
    rows = _training_rows(watch, width)
    given = numbers(rows)
    scale = given.std(axis=(0, 1))
    scale[scale == 0] = 1.0
    given /= scale
    weight = len(watch.snapshots) / max(len(rows), 1)  # all turns of a game say little more than one
    found = np.empty(watch.out.shape)
    step = max(1, MOST_NUMBERS // width)
    for number in range(FOLDS):
        others = fold[rows] != number
        results = watch.result[watch.game[rows[others]]]
        slopes = fit(given[others], watch.out[rows[others]], results, np.full(len(results), weight))
        mine = np.flatnonzero(fold == number)
        for at in range(0, len(mine), step):
            some = mine[at : at + step]
            found[some] = predict(numbers(some) / scale, watch.out[some], slopes)
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
    utility = np.where(out, -np.inf, numbers @ slopes)
    odds = np.exp(utility - utility.max(axis=1, keepdims=True))
    return odds / odds.sum(axis=1, keepdims=True)


def fit(numbers: Floats, out: NDArray[np.bool_], results: Floats, weight: Floats, ridge: float = RIDGE) -> Floats:
    """Return the slopes of a conditional logit with a ridge, by Newton's method: float64[numbers].

    Args:
        numbers: float64[rows, contenders, numbers], of about unit spread.
        out: Contenders that have lost: bool[rows, contenders].
        results: Share of each contender: float64[rows, contenders].
        weight: Weight of each row: float64[rows].
        ridge: Weight of the penalty, in rows of weight 1.
    """
    count = numbers.shape[2]

    def loss(slopes):
        likely = np.log(np.maximum(predict(numbers, out, slopes), 1e-300))
        return float(-(weight @ np.where(results > 0, results * likely, 0).sum(axis=1)) + ridge / 2 * slopes @ slopes)

    slopes = np.zeros(count)
    now = loss(slopes)
    for _ in range(STEPS):
        chance = predict(numbers, out, slopes)
        centred = numbers - np.einsum("rc,rck->rk", chance, numbers)[:, None]
        weighted = (centred * (weight[:, None] * chance)[:, :, None]).reshape(-1, count)
        bend = weighted.T @ centred.reshape(-1, count) + ridge * np.eye(count)
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


def calibration_error(watch: Watch, chance: Floats, seed: int) -> tuple[float, float, float]:
    """Return the mean distance of chances from what then happens, in points, with its 95 % interval.

    Chances of all contenders fall into BINS; the distance of a bin is that of its mean chance from its mean result.
    Games are drawn again for the interval, and the mean excess of the drawn distances, which is bias, is subtracted.

    Args:
        watch: The games.
        chance: float64[all, contenders].
        seed: Seed of the draws.

    Returns:
        Value, low and high.
    """
    inside = np.ones(len(chance), bool)
    inside[watch.ends] = False
    game, chance = watch.game[inside], chance[inside]
    apart = watch.result[game] - chance
    place = game[:, None] * BINS + np.minimum((chance * BINS).astype(np.int64), BINS - 1)
    games = len(watch.snapshots)
    sums = np.bincount(place.ravel(), apart.ravel(), games * BINS).reshape(games, BINS)
    total = chance.size
    value = float(np.abs(sums.sum(axis=0)).sum() / total)
    rng = np.random.default_rng([seed, 1])
    drawn = np.stack([rng.multinomial(games, np.full(games, 1 / games)) for _ in range(RESAMPLES)]) @ sums
    again = np.abs(drawn).sum(axis=1) / total
    bias = float(again.mean()) - value
    low, high = np.quantile(again, (0.025, 0.975)) - 2 * bias
    corrected = max(value - bias, 0.0)
    return 100 * corrected, 100 * max(float(low), 0.0), 100 * max(float(high), corrected)
