"""Values of cards and moves for the rule-based player of Interstellar Empire.

All values have one scale: about three for a point of the number with which a card pays. The figures were tuned in games
against variations of the player, `ppo` and earlier rules, with two, three and four players.
"""

import numpy as np

from stardeck.kernels.compile.jit import kernel, long_kernel
from stardeck.kernels.interstellar_empire.play.zones import may_discard
from stardeck.kernels.interstellar_empire.rules import Family, Op

PAYING = 3  # for a point of a card's number, as payment
SHIP = 5  # added for a ship in hand
SECOND_CARD = 3  # extra price of paying with two cards: cards in hand break ties
SEVERAL_CARDS = 6  # price for each point, if the payment takes more than two cards
EARLY = 20  # cards in the deck: from here on, planets in hand gain value

# Other uses of a card. An Agricultural Planet draws a card. An Industrial Planet must be defended, and is better as
# payment than for its draw. Labor Unrest and Resistance only cost their victim a card.
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
    """Return the value lost by discarding a card: its number as payment, and its other uses."""
    card = rules.cards[kind]
    worth = PAYING * np.int64(card.number)
    if card.family == Family.SHIP:
        return worth + SHIP
    if card.family == Family.PLANET:  # toward the end, opponents have less time to take it
        worth += max(0, EARLY - np.int64(state.deck_count)) // 2
    return worth + GOOD_FOR[card.op]


@kernel
def cheapest_discard(rules, state, player, needed):
    """Return the card of lowest value with at least the number `needed`, or -1."""
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
    """Return the card with the highest number up to `most`, or -1."""
    for number in range(most, 0, -1):
        kind = cheapest_discard(rules, state, player, number)
        if kind >= 0:
            return kind
    return -1


@kernel
def cheapest_second(rules, state, player, first, missing):
    """Return the card of lowest value that completes a payment after a first card, or -1."""
    player.hand[first] -= 1
    second = cheapest_discard(rules, state, player, missing - rules.cards[first].number)
    player.hand[first] += 1
    return second


@kernel
def payment(rules, state, player, missing):
    """Return the value of the cheapest payment by one or two cards, and its first card; else several, largest first."""
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
    """Return the value of the payment for a card in hand."""
    player.hand[kind] -= 1
    worth, _ = payment(rules, state, player, np.int64(rules.cards[kind].number))
    player.hand[kind] += 1
    return worth


@long_kernel
def strength(rules, counts):
    """Return the firepower of ships."""
    sum_of_numbers = 0
    for kind in range(rules.kinds):
        sum_of_numbers += np.int64(counts[kind]) * rules.cards[kind].number
    return sum_of_numbers


@kernel
def fleet_strength(rules, player):
    """Return the firepower of all ships: tapped ones can defend."""
    return strength(rules, player.untapped) + strength(rules, player.tapped)


@kernel
def lead_in_fleet(rules, state, seat):
    """Return the firepower of a player above that of the strongest opponent."""
    most = 0
    for other in range(rules.players):
        if other != seat:
            most = max(most, fleet_strength(rules, state.players[other]))
    return fleet_strength(rules, state.players[seat]) - most
