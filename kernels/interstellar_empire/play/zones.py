"""Card moves between deck, hands and discard pile (rulebook: Set Up, Ship Cards, Tyrannical State)."""

import numpy as np

from stardeck.kernels.compile.jit import kernel, long_kernel
from stardeck.kernels.interstellar_empire.state import KIND_LIMIT, LARGEST_NUMBER, Government


@kernel
def clockwise(rules, seat, distance):
    """Return the seat `distance` places clockwise; distance: 0 … players."""
    other = seat + distance
    return other if other < rules.players else other - rules.players


@long_kernel
def total(counts):
    """Return the number of cards of all kinds."""
    cards = 0
    for kind in range(KIND_LIMIT):
        cards += np.int64(counts[kind])
    return cards


@long_kernel
def kinds_in(counts):
    """Return the kinds with a count above 0, as bits of a uint64."""
    kinds = np.uint64(0)
    for kind in range(KIND_LIMIT):
        kinds |= np.uint64(counts[kind] > 0) << np.uint64(kind)
    return kinds


@kernel
def ships_of(player):
    """Return the number of ships of a player, tapped or not."""
    return total(player.untapped) + total(player.tapped)


@kernel
def put_on_discard_pile(state, card):
    """Lay a card on the discard pile, face up."""
    state.discard_pile[state.discard_count] = card
    state.discard_count += 1


@kernel
def discard(state, player, card):
    """Discard a card from the hand."""
    player.hand[card] -= 1
    put_on_discard_pile(state, card)


@kernel
def take_top(state):
    """Take the top card of the deck, which must not be empty."""
    state.deck_count -= 1
    return np.int64(state.deck[state.deck_count])


@kernel
def turn_over(rules, state):
    """Return a random number: turn over and discard the top card of the deck (rulebook: 60 Card Deck)."""
    card = take_top(state)
    put_on_discard_pile(state, card)
    return np.int64(rules.cards[card].number)


@kernel
def draw(state, player, count):
    """Draw cards, as many as the deck still has."""
    for _ in range(min(count, np.int64(state.deck_count))):
        player.hand[take_top(state)] += 1


@kernel
def may_discard(rules, player, kind):
    """Return True if a player may pay or answer with this kind: a dictator may not with a 6 (Tyrannical State)."""
    return player.government != Government.DICTATOR or rules.cards[kind].number != LARGEST_NUMBER


@long_kernel
def purse(rules, player):
    """Return the sum of the numbers of a hand as payment."""
    dictator = player.government == Government.DICTATOR
    numbers = rules.numbers_of_dictator if dictator else rules.numbers
    worth = 0
    for kind in range(KIND_LIMIT):
        worth += np.int64(player.hand[kind]) * np.int64(numbers[kind])
    return worth


@kernel
def can_discard(rules, player):
    """Return True if a player has a card to answer with."""
    return purse(rules, player) > 0


@kernel
def can_afford(rules, player, kind, worth):
    """Return True if the rest of a hand can pay for this card of it (rulebook: Explore, Build).

    worth: the sum of the numbers of the whole hand as payment.
    """
    number = np.int64(rules.cards[kind].number)
    own = number if may_discard(rules, player, kind) else 0
    return worth - own >= number


@kernel
def has_special(rules, player, op):
    """Return True if a hand holds a special with this operation."""
    return kinds_in(player.hand) & rules.with_op[op] != 0
