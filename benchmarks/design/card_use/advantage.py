"""What a card gives rather than the other things on offer, from the randomised trials of `stardeck worth`.

A trial draws one of the affordable cards, nothing, or authority. The advantage of a card is the mean outcome where it
was drawn, less the mean outcome where another card was drawn, over all trials that offered it. Where no other card was
on offer, nothing takes the place of the others.
"""

from collections.abc import Iterable
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from stardeck.benchmarks.card_values.treatment_effects import Sums, Trials

Array = NDArray[np.float64]
CARD, OTHERS = 0, 1


class Effects(NamedTuple):
    """Effects in win points, and their standard errors: float64[stages, cards]; NaN where not known."""

    points: Array
    errors: Array


def advantages(tables: Iterable[Trials], cards: int, stages: int, nothing: int) -> Effects:
    """Return the advantage of each card over the others on offer.

    Args:
        tables: Trials, with the cards as options 0 to cards - 1 and further options from there on.
        cards: Number of cards.
        stages: Number of groups of the trials.
        nothing: Number of the option that stands for nothing.
    """
    sums = [Sums(stages, 2) for _ in range(cards)]
    for trials in tables:
        is_card = (trials.options >= 0) & (trials.options < cards)
        count = is_card.sum(axis=1)
        options = (trials.options >= 0).sum(axis=1)
        for card in np.unique(trials.options[is_card]):
            rows = np.flatnonzero((trials.options == card).any(axis=1))
            arm = trials.arm[rows]
            own = arm == card
            alone = count[rows] == 1
            other = np.where(alone, arm == nothing, (arm < cards) & ~own)
            kept = own | other
            ways = np.where(own | alone, 1, count[rows] - 1)[kept]
            used = rows[kept]
            both = np.tile([CARD, OTHERS], (len(used), 1))
            arms = np.where(own[kept], CARD, OTHERS)
            outcome, expected = trials.outcome[used], trials.expected[used]
            sums[card].add(Trials(trials.group[used], arms, both, outcome, expected, options[used] / ways))
    found = [one.effects() for one in sums]
    points, errors = (100 * np.stack([part[which][:, CARD, OTHERS] for part in found], axis=1) for which in (0, 1))
    return Effects(points, errors)


def over_stages(effects: Effects, weights: Array) -> Effects:
    """Return effects averaged over the stages: float64[cards] each.

    Args:
        effects: Effects by stage.
        weights: Weight of each stage for each card, float64[stages, cards], such as its opportunities. Stages without
            an estimate are left out.
    """
    known = ~np.isnan(effects.points)
    weighted = np.where(known, weights, 0.0)
    total = weighted.sum(axis=0)
    with np.errstate(invalid="ignore", divide="ignore"):
        share = weighted / total
        points = np.where(known, share * effects.points, 0).sum(axis=0)
        errors = np.sqrt(np.where(known, (share * effects.errors) ** 2, 0).sum(axis=0))
    unknown = ~(total > 0)
    return Effects(np.where(unknown, np.nan, points), np.where(unknown, np.nan, errors))
