"""Acquiring cards: trade row, Explorer pile, trade deck (rulebook: Acquiring Cards, Scrapping Cards)."""

import numpy as np

from stardeck.kernels.jit import kernel
from stardeck.kernels.random import shuffle
from stardeck.kernels.star_realms.rules import Kind
from stardeck.kernels.star_realms.state import NO_CARD
from stardeck.kernels.star_realms.zones import put_in_discard_pile, put_on_deck, scrap


@kernel
def shuffle_scrap_heap_into_trade_deck(rules, state):
    """In a challenge the Scrap Heap becomes the new trade deck, but for starting cards. (Rulebook: Challenge Notes)"""
    count = 0
    for card in range(rules.types):
        if rules.cards[card].in_trade_deck:
            for _ in range(state.scrap_heap[card]):
                state.trade_deck[count] = card
                count += 1
            state.scrap_heap[card] = 0
    state.trade_deck_count = count
    shuffle(state, state.trade_deck, np.int64(count))


@kernel
def draw_from_trade_deck(rules, state):
    """The next card of the trade deck, or NO_CARD where it has run out. (Ruling)"""
    if state.trade_deck_count == 0 and rules.challenge:
        shuffle_scrap_heap_into_trade_deck(rules, state)
    if state.trade_deck_count == 0:
        return NO_CARD
    state.trade_deck_count -= 1
    return np.int64(state.trade_deck[state.trade_deck_count])


@kernel
def refill(rules, state, place):
    """Fill a place of the trade row from the trade deck; it stays empty when the deck has run out."""
    state.trade_row[place] = draw_from_trade_deck(rules, state)


@kernel
def take_from_supply(rules, state, card):
    """Take an Explorer from its pile, or any other card from the trade row, which is refilled at once."""
    if card == rules.explorer:
        state.explorers -= 1
        return
    for place in range(len(state.trade_row)):
        if state.trade_row[place] == card:
            refill(rules, state, place)
            return


@kernel
def pass_over_top(rules, player, card):
    """A ship acquired into the discard pile uses up one "next ship on top", which was not taken. (Ruling)"""
    if player.next_ship_on_top > 0 and rules.cards[card].kind == Kind.SHIP:
        player.next_ship_on_top -= 1


@kernel
def acquire(rules, state, player, card):
    """Acquire a card into the discard pile, for nothing unless it has been paid."""
    pass_over_top(rules, player, card)
    put_in_discard_pile(player, card)
    take_from_supply(rules, state, card)


@kernel
def acquire_to_deck(rules, state, player, card):
    """Acquire a card on top of the deck."""
    put_on_deck(player, card)
    take_from_supply(rules, state, card)


@kernel
def buy(rules, state, player, card):
    """Pay the cost and acquire the card into the discard pile."""
    player.trade -= rules.cards[card].cost
    acquire(rules, state, player, card)


@kernel
def buy_to_deck(rules, state, player, card):
    """Pay the cost of a ship and put it on top of the deck (Freighter, Central Office)."""
    player.trade -= rules.cards[card].cost
    player.next_ship_on_top -= 1
    acquire_to_deck(rules, state, player, card)


@kernel
def scrap_from_trade_row(rules, state, card):
    """Scrap a card of the trade row, which is replaced at once; in a challenge it may even come back."""
    scrap(rules, state, np.int64(card))
    take_from_supply(rules, state, card)


@kernel
def mulligan_trade_row(rules, state):
    """Scrap every card in the trade row; it is filled anew. (Rulebook: Mulliganing the Trade Row)"""
    state.mulligan_used = 1
    for place in range(len(state.trade_row)):
        if state.trade_row[place] != NO_CARD:
            scrap(rules, state, np.int64(state.trade_row[place]))
    for place in range(len(state.trade_row)):
        refill(rules, state, place)


@kernel
def may_be_acquired(rules, card, most):
    """Whether a card on offer costs at most so much."""
    return card != NO_CARD and rules.cards[card].cost <= most


@kernel
def any_to_acquire(rules, state, most):
    """Whether the trade row or the Explorer pile has a card of at most this cost."""
    if state.explorers > 0 and rules.cards[rules.explorer].cost <= most:
        return True
    for place in range(len(state.trade_row)):
        if may_be_acquired(rules, np.int64(state.trade_row[place]), most):
            return True
    return False


@kernel
def ship_on_offer(rules, state):
    """Whether the trade row or the Explorer pile has a ship."""
    if state.explorers > 0:
        return True
    for place in range(len(state.trade_row)):
        card = state.trade_row[place]
        if card != NO_CARD and rules.cards[card].kind == Kind.SHIP:
            return True
    return False


@kernel
def row_is_empty(state):
    """Whether no card lies in the trade row."""
    for place in range(len(state.trade_row)):
        if state.trade_row[place] != NO_CARD:
            return False
    return True
