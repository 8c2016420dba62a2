"""Stickers on cards of the trade deck (Rise of Empire rulebook: Upgrading Cards, Political Victory).

A sticker of a side is a row of one of its sheets, counted through all of them; it fits cards of the row's printed cost.
Its slot, counted through both sides, is the place of the card that has it.
"""

import numpy as np

from stardeck.kernels.compile.jit import kernel
from stardeck.kernels.star_realms.play.faces import face
from stardeck.kernels.star_realms.play.scenes import scene
from stardeck.kernels.star_realms.rules import NO_SLOTS
from stardeck.kernels.star_realms.state import ROWS, SHEETS, SLOT_LIMIT, STICKERS


@kernel
def stickers_at_hand(state):
    """How many stickers each side has, used ones included. (Rulebook: Additional Sticker Sheets)"""
    return min(np.int64(state.scenario), SHEETS) * ROWS


@kernel
def sticker_fits(rules, state, side, sticker, card):
    """Whether an unused row of a side's sheets has a sticker for a card that has none yet."""
    if card >= rules.slots_from or rules.form[side * STICKERS + sticker, card] == 0:
        return False
    return (state.rows_used[side] >> np.uint32(sticker)) & np.uint32(1) == 0


@kernel
def plain_copies(rules, state, card):
    """How many copies of a card of the trade deck have no sticker."""
    copies = 0
    for i in range(rules.trade_deck_count):
        copies += rules.trade_deck[i] == card
    for slot in range(SLOT_LIMIT):
        copies -= state.upgraded[slot] == card
    return copies


@kernel
def has_plain_copy(rules, state, card):
    """Whether the trade deck has a copy of a card without a sticker."""
    return face(rules, state, card).in_trade_deck != 0 and plain_copies(rules, state, card) > 0


@kernel
def has_sticker_for(rules, state, side, stickers, card):
    """Whether one of the first so many stickers of a side fits a card."""
    for sticker in range(stickers):
        if sticker_fits(rules, state, side, sticker, card):
            return True
    return False


@kernel
def upgrade_price(rules, state, card):
    """The trade that it takes to upgrade a card."""
    kind = face(rules, state, card).kind
    return max(np.int64(rules.upgrade_cost[kind]) + scene(rules, state).upgrade_cost[kind], 1)


@kernel
def can_upgrade(rules, state, seat, card):
    """Whether a player who acquires a card may upgrade it. (Ruling: upgrade_asked_when_possible)"""
    if rules.slots_from == NO_SLOTS or state.players[seat].trade < upgrade_price(rules, state, card):
        return False
    return has_sticker_for(rules, state, np.int64(rules.seat_side[seat]), stickers_at_hand(state), card)


@kernel
def put_sticker(state, side, sticker, card):
    """The card has the sticker from now on, and the row is used up."""
    state.upgraded[side * STICKERS + sticker] = card
    state.rows_used[side] |= np.uint32(1) << np.uint32(sticker)


@kernel
def rows_used(state, side, sheet):
    """How many rows of a sheet (from 0) are used up."""
    used = 0
    for row in range(ROWS):
        used += np.int64((state.rows_used[side] >> np.uint32(sheet * ROWS + row)) & np.uint32(1))
    return used


@kernel
def upgrade(rules, state, seat, sticker, card):
    """Pay for a sticker on a card just acquired; whether it is the last of the scenario's own sheet, which wins.

    (Rulebook: Political Victory)
    """
    side = np.int64(rules.seat_side[seat])
    state.players[seat].trade -= upgrade_price(rules, state, card)
    put_sticker(state, side, sticker, card)
    sheet = scene(rules, state).sheet - 1
    return sticker // ROWS == sheet and rows_used(state, side, sheet) == ROWS
