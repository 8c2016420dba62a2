"""Shares of the variance of a result that agents, seat, deal and later chance explain, by the law of total variance.

The result Y is the share of a game that a side wins. In this order,

    Var Y = Var E[Y | agents] + E Var(E[Y | agents, seat] | agents)
            + E Var(E[Y | agents, seat, deal] | agents, seat) + E Var(Y | agents, seat, deal).

Squares of means are estimated without bias by products of results that are independent given what is fixed: of two
replays of one deal, or of two deals. Pairings of agents are a fixed list, each of the same weight.

Intervals come from a jackknife over groups of deals. Each group leaves out the same part of every pairing. Where a
component is zero, its estimate is degenerate and the jackknife is too small at times; the variance of that case is
added, which vanishes otherwise. Intervals near zero are then a little too wide. Equal results have no certain share: by
the rule of three, three in all games may be otherwise.
"""

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray
from scipy import stats

from stardeck.benchmarks.design.estimates import Estimate

Array = NDArray[np.float64]
GROUPS = 200  # most groups of the jackknife
LEAST = 4  # deals of a pairing
RARE = 3  # results that may differ unseen, where all are alike (rule of three)
AGENTS, SEAT, DEAL, REST = range(4)
COMPONENTS = ("agents", "seat", "deal", "rest")


class Moments(NamedTuple):
    """Moments of the deals of one pairing, which are all that the estimates need.

    Attributes:
        means: Mean over replays: float64[deals, seats].
        products: Mean product of two replays: float64[deals, seats].
        squares: Mean square: float64[deals, seats].
    """

    means: Array
    products: Array
    squares: Array


def moments(results: Array) -> Moments:
    """Return the moments of the deals of one pairing.

    Args:
        results: Results of the same agents, float64[deals, seats, replays], with at least two replays.

    Raises:
        ValueError: There are too few deals or replays.
    """
    deals, _, replays = results.shape
    if deals < LEAST or replays < 2:
        raise ValueError(f"{deals} deals, {replays} replays: shares of the variance need {LEAST} deals and 2 replays")
    sums, squares = results.sum(axis=2), (results**2).sum(axis=2)
    return Moments(sums / replays, (sums**2 - squares) / (replays * (replays - 1)), squares / replays)


class Parts(NamedTuple):
    """Components of the variance, and their intervals.

    Attributes:
        components: The four components: float64[4].
        groups: The components without each group of deals: float64[groups, 4].
        degenerate: Variance of agents and seat that the jackknife misses where they are zero: float64[4].
        games: Number of deals and seats that were played.
    """

    components: Array
    groups: Array
    degenerate: Array
    games: int


def decompose(pairings: Sequence[Moments], mean: float | None) -> Parts:
    """Return the components of the variance over some pairings.

    Args:
        pairings: Moments of each pairing.
        mean: Mean result where symmetry gives it, such as 1/2 between two sides; None where it is estimated.
    """
    groups = min(GROUPS, *(len(one.means) for one in pairings))
    sums = [_sums(one, groups) for one in pairings]
    whole = _components([part.sum(axis=0, keepdims=True) for part in sums], mean)[0]
    without = _components([part.sum(axis=0, keepdims=True) - part for part in sums], mean)
    return Parts(whole, without, _degenerate(pairings, mean), sum(one.means.size for one in pairings))


def _sums(one, groups):
    """Return sums over the deals of each group, one array: number; means, products, squares and squared means by seat;
    the square of the mean over seats."""
    over_seats = one.means.mean(axis=1, keepdims=True)
    columns = np.hstack([np.ones_like(over_seats), one.means, one.products, one.squares, one.means**2, over_seats**2])
    edges = np.arange(groups) * len(columns) // groups
    return np.add.reduceat(columns, edges, axis=0)


def _components(sums, mean):
    """Return the components for rows of sums: float64[rows, 4]."""
    pairings = len(sums)
    seats = (sums[0].shape[1] - 2) // 4
    agents, seat, deal, rest, means, own = [], [], [], [], [], []
    for one in sums:
        number = one[:, :1]
        first, products, squares, squared = (one[:, 1 + k * seats : 1 + (k + 1) * seats] for k in range(4))
        by_seat = ((first**2 - squared) / (number * (number - 1))).mean(axis=1)
        over_seats = first.mean(axis=1)
        together = (over_seats**2 - one[:, -1]) / (number * (number - 1))[:, 0]
        within = (products / number).mean(axis=1)
        agents.append(together)
        means.append(over_seats / number[:, 0])
        own.append(together)
        seat.append(by_seat - together)
        deal.append(within - by_seat)
        rest.append((squares / number).mean(axis=1) - within)
    if mean is None:  # the square of the mean over pairings: products within a pairing are of different deals
        total = np.sum(means, axis=0)
        grand = (total**2 - np.sum(np.square(means), axis=0) + np.sum(own, axis=0)) / pairings**2
        among = np.mean(agents, axis=0) - grand
    else:
        among = np.mean(agents, axis=0) - 2 * mean * np.mean(means, axis=0) + mean**2
    return np.column_stack([among, *(np.mean(part, axis=0) for part in (seat, deal, rest))])


def _degenerate(pairings, mean):
    """Return the variance of products of different deals whose factors have the mean zero: float64[4]."""
    result = np.zeros(4)
    count = len(pairings)
    apart = 1.0 if mean is not None else 1 - 1 / count
    for one in pairings:
        deals, seats = one.means.shape
        factor = 2 / (deals * (deals - 1)) / count**2
        over_seats = one.means.mean(axis=1)
        result[AGENTS] += factor * apart**2 * over_seats.var(ddof=1) ** 2
        centred = one.means - over_seats[:, None]
        spread = np.atleast_2d(np.cov(centred, rowvar=False))
        result[SEAT] += factor * (spread**2).sum() / seats**2
    return result


def shares(parts: Parts, labels: Sequence[tuple[str, str] | None]) -> list[Estimate]:
    """Return the shares of the variance in per cent.

    Args:
        parts: Components, from `decompose`.
        labels: Name and label of each component's share, or None for one that does not apply.
    """
    total = parts.components.sum()
    if total <= 0:
        raise ValueError("all games have the same result: no variance to explain")
    groups = len(parts.groups)
    found = []
    for number, label in enumerate(labels):
        if label is None:
            continue
        value = 100 * parts.components[number] / total
        without = 100 * parts.groups[:, number] / parts.groups.sum(axis=1)
        pseudo = groups * value - (groups - 1) * without
        error = np.hypot(pseudo.std(ddof=1) / np.sqrt(groups), 100 * np.sqrt(parts.degenerate[number]) / total)
        alike = error < 1e-9  # in per cent: no group differs from the others
        half = 100 * RARE / parts.games / total if alike else stats.t.ppf(0.975, groups - 1) * error
        middle = float(np.clip(value, 0, 100))  # an estimate beyond the ends still has an interval that reaches inside
        low, high = float(max(middle - half, 0)), float(min(middle + half, 100))
        found.append(Estimate(*label, "%", middle, low, high, pseudo))
    return found
