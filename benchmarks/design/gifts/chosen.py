"""Estimates of the stages of the experiment, and the pairs that a page shows of them."""

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np

from stardeck.benchmarks.card_values.treatment_effects import Z
from stardeck.benchmarks.design.gifts.kinships import Kinship
from stardeck.benchmarks.design.gifts.pairs import Clear, Interactions
from stardeck.benchmarks.design.gifts.strengths import Groups, MainEffects
from stardeck.benchmarks.design.gifts.win_points import points

CLEAR = 0.05  # q of the pairs that are picked out
FEW = 5  # pairs that are shown in any case
MOST = 40  # pairs of each kind that a page shows
Ends = tuple[float, float, float]  # value, lower and upper end


class Stage(NamedTuple):
    """Estimates of a stage of the experiment."""

    name: str
    games: int
    found: Groups
    pairs: Interactions
    main: MainEffects
    kinships: list[Kinship]

    def alone(self, card: int) -> Ends:
        """Return what a card gives where it is the only gift of a side, rather than nothing, in win points."""
        odds, variances = self.found.odds, self.found.variances
        error = np.sqrt(variances[1 + card] + variances[0])
        return ends_of(float(odds[1 + card] - odds[0]), float(error))


class ShownPair(NamedTuple):
    """A pair that the page and the table of estimates show, with the same intervals.

    Attributes:
        stage: Number of the stage.
        pair: Number of the pair.
        beyond: Win points of both together, less what adding odds would give, with the interval.
        together: Win points of both together, with the interval.
        added: Win points that adding odds would give.
        q: Bound on the false discovery rate.
        clear: True if the pair is picked out. Its intervals then allow for that.
    """

    stage: int
    pair: int
    beyond: Ends
    together: Ends
    added: float
    q: float
    clear: bool


def ends_of(effect: float, error: float, width: float = Z) -> Ends:
    """Return an effect on the log odds in win points, with its interval.

    Args:
        effect: The effect.
        error: Its standard error.
        width: Standard errors on each side.
    """
    middle, low, high = (float(points(effect + sign * width * error)) for sign in (0, -1, 1))
    return middle, low, high


def shown_pairs(stages: Sequence[Stage], clear: Clear) -> list[ShownPair]:
    """Return the pairs that a page shows: the clear ones, or else the surest, the most win points first.

    Args:
        stages: Estimates of each stage.
        clear: Correction of all pairs together.
    """
    chosen = []
    for number, stage in enumerate(stages):
        value = stage.pairs.beyond.value
        for sign in (1, -1):
            ranked = [int(pair) for pair in np.argsort(stage.pairs.p, kind="stable") if sign * value[pair] > 0]
            picked = [pair for pair in ranked if clear.q[number, pair] < CLEAR]
            kept = sorted(picked, key=lambda pair: -abs(value[pair]))[:MOST] or ranked[:FEW]
            chosen += [_shown(number, stage, pair, clear) for pair in kept]
    return sorted(chosen, key=lambda one: -one.beyond[0])


def _shown(number, stage, pair, clear):
    """Return a pair as it is shown."""
    found, q = stage.pairs.beyond, float(clear.q[number, pair])
    width = clear.wide if q < CLEAR else Z
    low, high = found.ends(width)
    beyond = float(found.value[pair]), float(low[pair]), float(high[pair])
    together = ends_of(found.together[pair], found.together_error[pair], width)
    return ShownPair(number, pair, beyond, together, float(points(found.added[pair])), q, q < CLEAR)
