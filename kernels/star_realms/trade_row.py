"""Acquiring cards: trade row, Explorer pile, trade deck (rulebook: Acquiring Cards, Scrapping Cards)."""

import numpy as np

from stardeck.kernels.jit import kernel
from stardeck.kernels.star_realms.rules import Kind
from stardeck.kernels.star_realms.state import NO_CARD, Zone
from stardeck.kernels.star_realms.zones import put, put_on_deck, scrap


@kernel
def refill(state, place):
    """Fill a place of the trade row from the trade deck; it stays empty when the deck has run out. (Ruling)"""
    if state.trade_deck_count == 0:
        state.trade_row[place] = NO_CARD
    else:
        state.trade_deck_count -= 1
        state.trade_row[place] = state.trade_deck[state.trade_deck_count]


@kernel
def take_from_supply(rules, state, card):
    """Take an Explorer from its pile, or any other card from the trade row, which is refilled at once."""
    if card == rules.explorer:
        state.explorers -= 1
        return
    for place in range(len(state.trade_row)):
        if state.trade_row[place] == card:
            refill(state, place)
            return


@kernel
def buy(rules, state, player, card):
    """Pay the cost and acquire the card into the discard pile.

    A ship bought so uses up one "next ship on top", which its buyer chose not to take. (Ruling)
    """
    player.trade -= rules.cards[card].cost
    if player.next_ship_on_top > 0 and rules.cards[card].kind == Kind.SHIP:
        player.next_ship_on_top -= 1
    put(player, Zone.DISCARD_PILE, card)
    take_from_supply(rules, state, card)


@kernel
def buy_to_deck(rules, state, player, card):
    """Pay the cost of a ship and put it on top of the deck (Freighter, Central Office)."""
    player.trade -= rules.cards[card].cost
    player.next_ship_on_top -= 1
    put_on_deck(player, card)
    take_from_supply(rules, state, card)


@kernel
def acquire_to_deck(rules, state, player, card):
    """Acquire a card for nothing, on top of the deck (Blob Carrier)."""
    put_on_deck(player, card)
    take_from_supply(rules, state, card)


@kernel
def scrap_from_trade_row(rules, state, card):
    """Scrap a card of the trade row, which is replaced at once."""
    take_from_supply(rules, state, card)
    scrap(rules, state, np.int64(card))


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
