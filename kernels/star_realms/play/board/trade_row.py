"""The supply: trade row, Explorer pile, trade deck (rulebook: Acquiring Cards, Scrapping Cards)."""

import numpy as np

from stardeck.kernels.compile.jit import kernel
from stardeck.kernels.primitives.random import shuffle
from stardeck.kernels.star_realms.play.board.faces import face, is_large
from stardeck.kernels.star_realms.play.board.scenes import cost_change
from stardeck.kernels.star_realms.play.board.zones import scrap
from stardeck.kernels.star_realms.rules import Kind
from stardeck.kernels.star_realms.state import NO_CARD


@kernel
def shuffle_scrap_heap_into_trade_deck(rules, state):
    """Turn the Scrap Heap, without starting cards, into the new trade deck (rulebook: Challenge Notes)."""
    count = 0
    for card in range(rules.types):
        if face(rules, state, card).in_trade_deck:
            for _ in range(state.scrap_heap[card]):
                state.trade_deck[count] = card
                count += 1
            state.scrap_heap[card] = 0
    state.trade_deck_count = count
    shuffle(state, state.trade_deck, np.int64(count))


@kernel
def draw_from_trade_deck(rules, state):
    """Draw the next card of the trade deck, or return NO_CARD if it has run out (ruling).

    The deck is refilled from the Scrap Heap in a challenge, and if every turn has a new trade row. (Ruling: trade_row)
    """
    if state.trade_deck_count == 0 and (rules.challenge or rules.row_replaced):
        shuffle_scrap_heap_into_trade_deck(rules, state)
    if state.trade_deck_count == 0:
        return NO_CARD
    state.trade_deck_count -= 1
    return np.int64(state.trade_deck[state.trade_deck_count])


@kernel
def refill(rules, state, place):
    """Fill a place of the trade row from the trade deck; it stays empty if the deck has run out."""
    state.trade_row[place] = draw_from_trade_deck(rules, state)


@kernel
def clear_trade_row(state):
    """Remove all cards from the trade row."""
    for place in range(len(state.trade_row)):
        state.trade_row[place] = NO_CARD


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
def pass_over_top(rules, state, player, card):
    """Use up one "next ship on top" when its player acquires a ship into the discard pile instead (ruling)."""
    if player.next_ship_on_top > 0 and face(rules, state, card).kind == Kind.SHIP:
        player.next_ship_on_top -= 1


@kernel
def price(rules, state, player, card):
    """Return the trade that a card on offer costs, at least 1 after all changes (ruling: cost_changes_add).

    Changes of cost add up. Explorers are not in the trade row and keep their cost.
    """
    printed = np.int64(face(rules, state, card).cost)
    if rules.costs_change == 0 or card == rules.explorer:
        return printed
    change = -np.int64(player.discount)
    if is_large(state):
        change += cost_change(rules, state, card)
    return max(printed + change, min(printed, 1))


@kernel
def scrap_from_trade_row(rules, state, card):
    """Scrap a card of the trade row and replace it at once; in a challenge the same card may come back."""
    scrap(rules, state, np.int64(card))
    take_from_supply(rules, state, card)


@kernel
def replace_trade_row(rules, state):
    """Scrap every card in the trade row, then fill it from the trade deck."""
    for place in range(len(state.trade_row)):
        if state.trade_row[place] != NO_CARD:
            scrap(rules, state, np.int64(state.trade_row[place]))
    for place in range(len(state.trade_row)):
        refill(rules, state, place)


@kernel
def mulligan_trade_row(rules, state):
    """Replace the trade row, at most once a game (rulebook: Mulliganing the Trade Row)."""
    state.mulligan_used = 1
    replace_trade_row(rules, state)


@kernel
def may_be_acquired(rules, state, card, most):
    """Return whether a card on offer has at most this printed cost."""
    return card != NO_CARD and face(rules, state, card).cost <= most


@kernel
def any_to_acquire(rules, state, most):
    """Return whether the trade row or the Explorer pile has a card of at most this cost."""
    if state.explorers > 0 and rules.cards[rules.explorer].cost <= most:
        return True
    for place in range(len(state.trade_row)):
        if may_be_acquired(rules, state, np.int64(state.trade_row[place]), most):
            return True
    return False


@kernel
def ship_on_offer(rules, state):
    """Return whether the trade row or the Explorer pile has a ship."""
    if state.explorers > 0:
        return True
    for place in range(len(state.trade_row)):
        card = state.trade_row[place]
        if card != NO_CARD and face(rules, state, np.int64(card)).kind == Kind.SHIP:
            return True
    return False


@kernel
def is_ship_up_to(rules, state, card, most):
    """Return whether a place of the trade row holds a ship of at most this printed cost."""
    return may_be_acquired(rules, state, card, most) and face(rules, state, card).kind == Kind.SHIP


@kernel
def ship_in_row(rules, state, most):
    """Return whether the trade row has a ship of at most this printed cost."""
    for place in range(len(state.trade_row)):
        if is_ship_up_to(rules, state, np.int64(state.trade_row[place]), most):
            return True
    return False


@kernel
def row_is_empty(state):
    """Return whether the trade row is empty."""
    for place in range(len(state.trade_row)):
        if state.trade_row[place] != NO_CARD:
            return False
    return True
