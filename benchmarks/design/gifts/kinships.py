"""Test of relations between cards: do pairs that have one go together better than other pairs?

Pairs share cards, so an estimate from 1,000 pairs of 47 cards is as sure as 47 cards make it. The test deals the places
of a relation out to the cards at random. Each result is divided by a standard error that allows for shared cards,
so the test also holds where the difference varies between cards. The interval has all differences that the test does
not reject after they are subtracted, so it agrees with the p-value.
"""

from collections.abc import Mapping
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from stardeck.benchmarks.design.gifts.experiment import Cells
from stardeck.benchmarks.design.gifts.pairs import Interactions

Array = NDArray[np.float64]
Bools = NDArray[np.bool_]
PERMUTATIONS = 2_000
AT_ONCE = 1 << 22  # numbers of a block of permutations
LIMIT = 0.05
FARTHEST = 16.0  # log odds that an interval may reach
HALVINGS = 30
ROUNDING = 1 - 1e-9
TINY = 1e-24
FLOOR = 0.25  # least variance, of what it would be if pairs did not share cards
FORMS = ((0, 0), (0, 1), (1, 1))


class Kinship(NamedTuple):
    """Difference between the interactions of pairs with a relation and of other pairs, in log odds.

    Attributes:
        name: The relation, in words.
        pairs: Number of known pairs that have it.
        effect: The difference.
        low: Lower end of its 95 % interval over cards; None if no difference is rejected.
        high: Upper end.
        p: Chance of such a difference if the relation were dealt out to the cards at random.
    """

    name: str
    pairs: int
    effect: float
    low: float | None
    high: float | None
    p: float

    @property
    def least(self) -> bool:
        """True if p is the least that the number of permutations allows."""
        return self.p < 1.5 / (1 + PERMUTATIONS)


def kinships(found: Interactions, cells: Cells, relations: Mapping[str, Bools], seed: int) -> list[Kinship]:
    """Test relations between two different cards.

    Args:
        found: Interactions of all pairs.
        cells: The groups.
        relations: Relations by their words: bool[cards, cards], symmetric.
        seed: Seed of the permutations.
    """
    extra, known = _square(found, cells)
    tested = []
    for name, relation in relations.items():
        has = (relation & known).sum() // 2
        if 0 < has < known.sum() // 2:
            dealt = _dealt(extra, known, relation, seed)
            effect = float(dealt.contrasts[0, 0])
            low, high = (_end(dealt, effect, sign) for sign in (-1, 1))
            tested.append(Kinship(name, int(has), effect, low, high, dealt.chance_of(0.0)))
    return tested


def _square(found, cells):
    """Return the interactions of different cards, and where they are known: [cards, cards] each."""
    extra, known = np.zeros((cells.cards, cells.cards)), np.zeros((cells.cards, cells.cards), bool)
    first, second = cells.pairs.T
    there = ~np.isnan(found.extra) & (first != second)
    for row, column in ((first[there], second[there]), (second[there], first[there])):
        extra[row, column], known[row, column] = found.extra[there], True
    return extra, known


class _Dealt(NamedTuple):
    """Contrasts of permuted relations, the true one first, and what their variances are made of.

    A difference d is subtracted from the interactions of related pairs. A contrast is then that of the interactions,
    less d times that of the relation. Its variance is a quadratic form of the same two.
    """

    contrasts: Array  # [2, permutations]: of the interactions, of the true relation
    by_card: Array  # [3, permutations]: squares of the cards' shares: of the first, of both, of the second
    by_pair: Array  # [3, permutations]: the same of the pairs' shares

    def chance_of(self, difference: float) -> float:
        """Return the p-value of a difference."""
        form = np.array([1, -2 * difference, difference**2])
        own = form @ self.by_pair
        variance = np.maximum(form @ self.by_card - own, FLOOR * own)  # a pair counts once, not at both of its cards
        contrast = self.contrasts[0] - difference * self.contrasts[1]
        distance = np.abs(contrast) / np.sqrt(np.maximum(variance, TINY))
        return float((distance >= distance[0] * ROUNDING).mean())


def _dealt(extra, known, relation, seed):
    """Return the contrasts of the relation and of its permutations."""
    cards, random = len(extra), np.random.default_rng(seed)
    orders = np.argsort(random.random((1 + PERMUTATIONS, cards)), axis=1)
    orders[0] = np.arange(cards)
    block = max(1, AT_ONCE // cards**2)
    parts = [_block(extra, known, relation, orders[at : at + block]) for at in range(0, len(orders), block)]
    return _Dealt(*(np.concatenate(column, axis=1) for column in zip(*parts, strict=True)))


def _block(extra, known, relation, orders):
    """Return the contrasts of some permutations, and the squares of their shares by card and by pair."""
    dealt = relation[orders[:, :, None], orders[:, None, :]]
    values = np.stack([extra, relation])
    inside, outside = (_Kind(there & known, values) for there in (dealt, ~dealt))
    shares = inside.shares - outside.shares
    by_card = np.stack([(shares[one] * shares[other]).sum(axis=1) for one, other in FORMS])
    return inside.means - outside.means, by_card, inside.squares + outside.squares


class _Kind:
    """The pairs of one kind, related or not, in each permutation.

    Args:
        there: Pairs of the kind, bool[permutations, cards, cards], symmetric.
        values: Interactions, and the true relation: float64[2, cards, cards].

    Attributes:
        means: Means of the values: float64[2, permutations].
        shares: Share of each card in the errors of the means: float64[2, permutations, cards].
        squares: Squares of the shares of pairs, by `FORMS`: float64[3, permutations].
    """

    def __init__(self, there: Bools, values: Array) -> None:
        weight = there.astype(np.float64)
        number = weight.sum(axis=2)  # of pairs, by card
        pairs = np.maximum(number.sum(axis=1) / 2, 1)
        sums = np.einsum("pij,vij->vpi", weight, values, optimize=True)
        self.means = sums.sum(axis=2) / 2 / pairs
        self.shares = (sums - self.means[..., None] * number) / pairs[:, None]
        products = np.stack([values[one] * values[other] for one, other in FORMS])
        totals = np.einsum("pij,vij->vp", weight, products, optimize=True) / 2
        means = np.stack([self.means[one] * self.means[other] for one, other in FORMS])
        self.squares = (totals - means * pairs) / pairs**2


def _end(dealt, effect, sign):
    """Return the end of the interval on one side, the last difference that is not rejected; None without one."""
    inner, outer = 0.0, 0.125
    while dealt.chance_of(effect + sign * outer) >= LIMIT:
        inner, outer = outer, 2 * outer
        if outer > FARTHEST:
            return None
    for _ in range(HALVINGS):
        middle = (inner + outer) / 2
        kept = dealt.chance_of(effect + sign * middle) >= LIMIT
        inner, outer = (middle, outer) if kept else (inner, middle)
    return effect + sign * inner
