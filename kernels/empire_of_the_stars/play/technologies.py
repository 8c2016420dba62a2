"""Technology cards: decks, discard piles and hands (rulebook: Set Up 2, Scientist). Costs are counted from 0."""

import numpy as np

from stardeck.kernels.compile.jit import kernel
from stardeck.kernels.empire_of_the_stars.play.galaxy import bit
from stardeck.kernels.primitives.action_set import population
from stardeck.kernels.primitives.random import shuffle


@kernel
def can_draw_from_deck(state, cost):
    """Return True if a card can come from a deck (ruling: SCIENTIST: empty decks and piles)."""
    return state.deck_count[cost] > 0 or state.discard_count[cost] > 1


@kernel
def reshuffle(state, cost):
    """Make a new deck of the discard pile, without its top card."""
    top = state.discards[cost, state.discard_count[cost] - 1]
    count = np.int64(state.discard_count[cost]) - 1
    for place in range(count):
        state.decks[cost, place] = state.discards[cost, place]
    for place in range(state.discard_count[cost]):
        state.discards[cost, place] = 0
    shuffle(state, state.decks[cost], count)
    state.deck_count[cost] = count
    state.discards[cost, 0] = top
    state.discard_count[cost] = 1


@kernel
def draw_from_deck(state, cost):
    """Draw the top card of a deck."""
    if state.deck_count[cost] == 0:
        reshuffle(state, cost)
    state.deck_count[cost] -= 1
    card = np.int64(state.decks[cost, state.deck_count[cost]])
    state.decks[cost, state.deck_count[cost]] = 0
    return card


@kernel
def draw_from_discards(state, cost):
    """Draw the top card of a discard pile, and refill an empty pile at once."""
    state.discard_count[cost] -= 1
    card = np.int64(state.discards[cost, state.discard_count[cost]])
    state.discards[cost, state.discard_count[cost]] = 0
    if state.discard_count[cost] == 0 and state.deck_count[cost] > 0:
        put_on_discards(state, cost, draw_from_deck(state, cost))
    return card


@kernel
def put_on_discards(state, cost, card):
    """Lay a card face up on the pile of its cost."""
    state.discards[cost, state.discard_count[cost]] = card
    state.discard_count[cost] += 1


@kernel
def hand_size(player):
    """Return the number of technology cards in hand."""
    return population(player.hand[0]) + population(player.hand[1])


@kernel
def take_card(player, card):
    """Add a card to the hand."""
    player.hand[card >> 6] |= bit(card & 63)


@kernel
def lose_card(player, card):
    """Remove a card from the hand."""
    player.hand[card >> 6] &= ~bit(card & 63)
