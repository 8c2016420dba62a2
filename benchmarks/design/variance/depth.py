"""Depth of a game: the number of steps of 60 % of the points between the weakest and the strongest agent of a ladder.

Neighbours of the ladder play each other, and ratings are those of a league (benchmarks/league/ratings.py): a step of
60 % is 70.4 Elo. Where one of two neighbours wins nearly everything, their distance would have no upper bound. Agents
between them bridge the gap: the stronger one with a share of random moves. The share is bisected until neighbours of
the longer ladder both win some games, or no more bridges are allowed.

The first games of a pair decide about bridges, and do not count for the ratings. Otherwise pairs would be chosen by the
results that rate them, and intervals would be too narrow.
"""

import math
from collections.abc import Callable, Sequence
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from stardeck.benchmarks.design.variance.replays import Contender
from stardeck.benchmarks.league.ratings import Comparisons, compare, rate

STEP = 400 * math.log10(0.6 / 0.4)  # Elo: 70.4
CLEAR = 0.95  # share of the points above which two neighbours are bridged
PILOT = 100  # games of a pair that decide whether it is bridged
FEWEST = 400  # games of a pair, the pilot included
BRIDGES = 6  # most bridges between two neighbours of the ladder

Play = Callable[[Contender, Contender], "Match"]


class Match(NamedTuple):
    """Games of two contenders.

    Attributes:
        places: Places of the sides: int64[games, sides].
        order: Number of the contender on each side, 0 or 1: int64[games, sides].
        block: Number of consecutive games that share a deal.
    """

    places: NDArray[np.int64]
    order: NDArray[np.int64]
    block: int

    def first_pilot(self) -> "Match":
        """Return the first games, which decide about bridges whatever the number of games."""
        games = self._pilot()
        return Match(self.places[:games], self.order[:games], self.block)

    def after_pilot(self) -> "Match":
        """Return the games that count for the ratings."""
        games = self._pilot()
        return Match(self.places[games:], self.order[games:], self.block)

    def _pilot(self):
        """Return the number of games of the pilot: whole blocks."""
        return -(-PILOT // self.block) * self.block


class Rung(NamedTuple):
    """Place of a contender on the scale of steps.

    Attributes:
        name: Name of the contender.
        steps: Number of steps above the weakest agent.
        low: Lower end of the 95 % interval; None if the games set no bound.
        high: Upper end.
    """

    name: str
    steps: float
    low: float | None
    high: float | None


def points_of_second(match: Match) -> float:
    """Return the share of the points that the second contender wins against the first."""
    points = compare((0, 1), match.places, match.order, match.block)
    total = np.tensordot(points.counts, points.outcomes, 1)
    return float(total[1, 0] / (total[1, 0] + total[0, 1]))


def chain(ladder: Sequence[Contender], play: Play) -> list[Contender]:
    """Return the ladder with its bridges, from the weakest to the strongest.

    Args:
        ladder: Agents from the weakest to the strongest.
        play: Function that returns the match of two contenders; it may be called again for the same two.
    """
    longer = [ladder[0]]
    for weaker, stronger in zip(ladder, ladder[1:], strict=False):
        longer.extend([*_bridges(weaker, stronger, play), stronger])
    return longer


def _bridges(weaker: Contender, stronger: Contender, play: Play) -> list[Contender]:
    """Return bridges between two neighbours, from the weakest to the strongest."""
    found: list[Contender] = []
    gaps = [(weaker, stronger)]
    tries = BRIDGES
    while gaps:
        below, above = gaps.pop()
        most = below.noise if below.agent is above.agent else 1.0  # random moves of the weakest possible bridge
        least = above.noise
        while points_of_second(play(below, above).first_pilot()) > CLEAR and tries > 0 and most - least > 1e-3:
            tries -= 1
            middle = Contender(above.agent, (least + most) / 2)
            if points_of_second(play(below, middle).first_pilot()) > 0.5:
                found.append(middle)
                gaps.extend([(below, middle), (middle, above)])
                break
            most = middle.noise  # weaker than the neighbour below: fewer random moves
    return sorted(found, key=lambda one: -one.noise)


def rungs(matches: Sequence[tuple[int, int, Match]], names: Sequence[str], seed: int) -> list[Rung]:
    """Return the place of each contender on the scale of steps, by the games after the pilots.

    Args:
        matches: Numbers of two contenders, and their games, more than those of a pilot.
        names: Names of all contenders; the first one is the weakest of the ladder.
        seed: Seed of the bootstrap over deals.
    """
    compared: list[Comparisons] = []
    for one, other, match in matches:
        rated = match.after_pilot()
        compared.append(compare((one, other), rated.places, rated.order, rated.block))
    table = rate(compared, len(names), seed=seed)
    low, high = table.rating_intervals() / STEP
    return [
        Rung(name, float(table.ratings[number] / STEP), _bound(low[number]), _bound(high[number]))
        for number, name in enumerate(names)
    ]


def _bound(value):
    return float(value) if math.isfinite(value) else None
