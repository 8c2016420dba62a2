"""What cards and moves are worth to the rule-based player of Interstellar Empire.

One scale for all: about three for a point of the number that a card pays with. The figures come from games against the
player's own variations, against `ppo` and against earlier rules, of two, three and four players.
"""

import numpy as np

from stardeck.kernels.compile.jit import kernel, long_kernel
from stardeck.kernels.interstellar_empire.play.zones import may_discard
from stardeck.kernels.interstellar_empire.rules import Family, Op

PAYING = 3  # a point of a card's number, as payment
SHIP = 5  # a ship of the hand beyond that
SECOND_CARD = 3  # what two cards for one cost beyond what they are worth: cards in hand break ties
SEVERAL_CARDS = 6  # what a point of a payment by more than two cards costs
EARLY = 20  # cards in the deck: from here on planets of the hand become dearer

# What else a card is good for. An Agricultural Planet brings a card; an Industrial Planet is dear, and whoever holds it
# must defend it: it pays better than it draws. Labor Unrest and Resistance only cost their victim a card.
_GOOD_FOR = {
    Op.NONE: 5,
    Op.DRAW_WHEN_DISCOVERED: 15,
    Op.ARTIFACT: 6,
    Op.PICK: 6,
    Op.STEAL_NEW_SHIP: 9,
    Op.PICK_SHARED: 2,
    Op.BATTLE_BONUS: 5,
}
GOOD_FOR = tuple(_GOOD_FOR.get(op, 0) for op in Op)


@kernel
def worth_keeping(rules, state, kind):
    """What it costs to discard a card: its number as payment, and what else it is good for."""
    card = rules.cards[kind]
    worth = PAYING * np.int64(card.number)
    if card.family == Family.SHIP:
        return worth + SHIP
    if card.family == Family.PLANET:  # the nearer the end, the less time others have to take it
        worth += max(0, EARLY - np.int64(state.deck_count)) // 2
    return worth + GOOD_FOR[card.op]


@kernel
def cheapest_discard(rules, state, player, needed):
    """The card that is worth least among those with at least this number, or -1."""
    best = -1
    least = 1_000
    for kind in range(rules.kinds):
        if player.hand[kind] > 0 and rules.cards[kind].number >= needed and may_discard(rules, player, kind):
            worth = worth_keeping(rules, state, kind)
            if worth < least:
                least = worth
                best = kind
    return best


@kernel
def largest_discard(rules, state, player, most):
    """The card with the highest number up to this one, or -1."""
    for number in range(most, 0, -1):
        kind = cheapest_discard(rules, state, player, number)
        if kind >= 0:
            return kind
    return -1


@kernel
def cheapest_second(rules, state, player, first, missing):
    """The card that is worth least among those that pay what is missing after a first one too small, or -1."""
    player.hand[first] -= 1
    second = cheapest_discard(rules, state, player, missing - rules.cards[first].number)
    player.hand[first] += 1
    return second


@kernel
def payment(rules, state, player, missing):
    """What the cheapest payment by one card or two is worth, and its first card; else several, the largest first."""
    best = cheapest_discard(rules, state, player, missing)
    least = worth_keeping(rules, state, best) if best >= 0 else 1_000
    for first in range(rules.kinds):
        number = rules.cards[first].number
        if player.hand[first] == 0 or number >= missing or not may_discard(rules, player, first):
            continue
        worth = worth_keeping(rules, state, first) + SECOND_CARD
        if worth < least:
            second = cheapest_second(rules, state, player, first, missing)
            if second >= 0 and worth + worth_keeping(rules, state, second) < least:
                least = worth + worth_keeping(rules, state, second)
                best = first
    if best < 0:
        return SEVERAL_CARDS * missing, largest_discard(rules, state, player, missing)
    return least, best


@kernel
def price(rules, state, player, kind):
    """What the payment for a card of the hand is worth."""
    player.hand[kind] -= 1
    worth, _ = payment(rules, state, player, np.int64(rules.cards[kind].number))
    player.hand[kind] += 1
    return worth


@long_kernel
def strength(rules, counts):
    """The firepower of ships."""
    sum_of_numbers = 0
    for kind in range(rules.kinds):
        sum_of_numbers += np.int64(counts[kind]) * rules.cards[kind].number
    return sum_of_numbers


@kernel
def fleet_strength(rules, player):
    """The firepower of all ships: tapped ones can defend."""
    return strength(rules, player.untapped) + strength(rules, player.tapped)


@kernel
def lead_in_fleet(rules, state, seat):
    """How much more firepower a player has than any other."""
    most = 0
    for other in range(rules.players):
        if other != seat:
            most = max(most, fleet_strength(rules, state.players[other]))
    return fleet_strength(rules, state.players[seat]) - most
