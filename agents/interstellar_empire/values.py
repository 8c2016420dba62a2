"""What cards are worth to the rule-based player of Interstellar Empire."""

import numpy as np

from stardeck.kernels.interstellar_empire.play.zones import may_discard
from stardeck.kernels.interstellar_empire.rules import Family, Op
from stardeck.kernels.jit import kernel

# What a card is worth in the hand beyond its number, beside which ships come first.
KEEP_SPECIAL = 4
KEEP_PLANET = 0
KEEP_SHIP = 10
SEVERAL_CARDS = 6  # what a point of a payment by several cards costs


@kernel
def worth_keeping(rules, kind):
    """What it costs to discard a card: its number as payment, and what else it is good for."""
    card = rules.cards[kind]
    number = np.int64(card.number)
    if card.family == Family.SPECIAL:
        return 2 * number + KEEP_SPECIAL
    if card.family == Family.PLANET:
        return 2 * number + KEEP_PLANET + 2 * (card.op == Op.DRAW_WHEN_DISCOVERED or card.op == Op.DRAW_EACH_TURN)
    return 2 * number + KEEP_SHIP


@kernel
def cheapest_discard(rules, player, needed):
    """The card that is worth least among those with at least this number, or -1."""
    best = -1
    for kind in range(rules.kinds):
        if player.hand[kind] > 0 and may_discard(rules, player, kind) and rules.cards[kind].number >= needed:
            if best < 0 or worth_keeping(rules, kind) < worth_keeping(rules, best):
                best = kind
    return best


@kernel
def strength(rules, counts):
    """The firepower of ships."""
    sum_of_numbers = 0
    for kind in range(rules.kinds):
        sum_of_numbers += np.int64(counts[kind]) * rules.cards[kind].number
    return sum_of_numbers


@kernel
def prize(rules, kind):
    """How much a planet is worth fighting for."""
    card = rules.cards[kind]
    return 4 + 2 * (card.op == Op.DRAW_EACH_TURN) - 2 * (card.op == Op.PRICE_OF_CONQUEST)


@kernel
def price_of_ship(rules, player, kind):
    """What the payment for a ship of the hand is worth, as far as one card pays it; else what several are at most."""
    player.hand[kind] -= 1
    single = cheapest_discard(rules, player, rules.cards[kind].number)
    player.hand[kind] += 1
    return worth_keeping(rules, single) if single >= 0 else SEVERAL_CARDS * np.int64(rules.cards[kind].number)
