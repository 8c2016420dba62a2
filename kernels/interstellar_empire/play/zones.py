"""Moving cards between deck, hands and discard pile (rulebook: Set Up, Ship Cards, Tyrannical State)."""

import numpy as np

from stardeck.kernels.compile.jit import kernel, long_kernel
from stardeck.kernels.interstellar_empire.state import KIND_LIMIT, LARGEST_NUMBER, Government


@kernel
def clockwise(rules, seat, distance):
    """The seat so many places on; distance: 0 … players."""
    other = seat + distance
    return other if other < rules.players else other - rules.players


@long_kernel
def total(counts):
    """How many cards there are of all kinds."""
    cards = 0
    for kind in range(KIND_LIMIT):
        cards += np.int64(counts[kind])
    return cards


@long_kernel
def kinds_in(counts):
    """Bits of the kinds of which there is a card: uint64."""
    kinds = np.uint64(0)
    for kind in range(KIND_LIMIT):
        kinds |= np.uint64(counts[kind] > 0) << np.uint64(kind)
    return kinds


@kernel
def ships_of(player):
    """How many ships a player has, tapped or not."""
    return total(player.untapped) + total(player.tapped)


@kernel
def put_on_discard_pile(state, card):
    """Lay a card on the discard pile, face up."""
    state.discard_pile[state.discard_count] = card
    state.discard_count += 1


@kernel
def discard(state, player, card):
    """Discard a card of the hand."""
    player.hand[card] -= 1
    put_on_discard_pile(state, card)


@kernel
def take_top(state):
    """Take the top card of the deck, which must not be empty."""
    state.deck_count -= 1
    return np.int64(state.deck[state.deck_count])


@kernel
def turn_over(rules, state):
    """A random number: the top card of the deck is turned over and discarded. (Rulebook: 60 Card Deck)"""
    card = take_top(state)
    put_on_discard_pile(state, card)
    return np.int64(rules.cards[card].number)


@kernel
def draw(state, player, count):
    """Draw cards, as far as the deck goes."""
    for _ in range(min(count, np.int64(state.deck_count))):
        player.hand[take_top(state)] += 1


@kernel
def may_discard(rules, player, kind):
    """Whether a player may pay or answer with cards of this kind: a dictator may not with a 6. (Tyrannical State)"""
    return player.government != Government.DICTATOR or rules.cards[kind].number != LARGEST_NUMBER


@long_kernel
def purse(rules, player):
    """What the cards of a hand add up to as payment."""
    dictator = player.government == Government.DICTATOR
    numbers = rules.numbers_of_dictator if dictator else rules.numbers
    worth = 0
    for kind in range(KIND_LIMIT):
        worth += np.int64(player.hand[kind]) * np.int64(numbers[kind])
    return worth


@kernel
def can_discard(rules, player):
    """Whether a player has a card to answer with."""
    return purse(rules, player) > 0


@kernel
def can_afford(rules, player, kind, worth):
    """Whether the rest of a hand that is worth so much pays for this card of it. (Rulebook: Explore, Build)"""
    number = np.int64(rules.cards[kind].number)
    own = number if may_discard(rules, player, kind) else 0
    return worth - own >= number


@kernel
def has_special(rules, player, op):
    """Whether a hand holds a special that does this."""
    return kinds_in(player.hand) & rules.with_op[op] != 0
