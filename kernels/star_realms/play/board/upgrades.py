"""Stickers on cards of the trade deck (Rise of Empire rulebook: Upgrading Cards, Political Victory).

A sticker is a row of one of its side's sheets, counted through all of them. It fits cards of the row's printed cost.
Its slot, counted through both sides, holds the card that has the sticker.
"""

import numpy as np

from stardeck.kernels.compile.jit import kernel
from stardeck.kernels.star_realms.play.board.faces import face
from stardeck.kernels.star_realms.play.board.scenes import scene
from stardeck.kernels.star_realms.rules import NO_SLOTS
from stardeck.kernels.star_realms.state import ROWS, SHEETS, SLOT_LIMIT, STICKERS


@kernel
def stickers_at_hand(state):
    """Count the stickers that each side has, used ones included (rulebook: Additional Sticker Sheets)."""
    return min(np.int64(state.scenario), SHEETS) * ROWS


@kernel
def sticker_fits(rules, state, side, sticker, card):
    """Return whether an unused row of a side's sheets has a sticker for a card without one."""
    if card >= rules.slots_from or rules.form[side * STICKERS + sticker, card] == 0:
        return False
    return (state.rows_used[side] >> np.uint32(sticker)) & np.uint32(1) == 0


@kernel
def plain_copies(rules, state, card):
    """Count the copies of a card of the trade deck that have no sticker."""
    copies = 0
    for i in range(rules.trade_deck_count):
        copies += rules.trade_deck[i] == card
    for slot in range(SLOT_LIMIT):
        copies -= state.upgraded[slot] == card
    return copies


@kernel
def has_plain_copy(rules, state, card):
    """Return whether the trade deck has a copy of a card without a sticker."""
    return face(rules, state, card).in_trade_deck != 0 and plain_copies(rules, state, card) > 0


@kernel
def has_sticker_for(rules, state, side, stickers, card):
    """Return whether one of the first `stickers` stickers of a side fits a card."""
    for sticker in range(stickers):
        if sticker_fits(rules, state, side, sticker, card):
            return True
    return False


@kernel
def upgrade_price(rules, state, card):
    """Return the trade that an upgrade of a card costs."""
    kind = face(rules, state, card).kind
    return max(np.int64(rules.upgrade_cost[kind]) + scene(rules, state).upgrade_cost[kind], 1)


@kernel
def can_upgrade(rules, state, seat, card):
    """Return whether a player who acquires a card may upgrade it (ruling: upgrade_asked_when_possible)."""
    if rules.slots_from == NO_SLOTS or state.players[seat].trade < upgrade_price(rules, state, card):
        return False
    return has_sticker_for(rules, state, np.int64(rules.seat_side[seat]), stickers_at_hand(state), card)


@kernel
def put_sticker(state, side, sticker, card):
    """Put the sticker on the card and mark the row as used."""
    state.upgraded[side * STICKERS + sticker] = card
    state.rows_used[side] |= np.uint32(1) << np.uint32(sticker)


@kernel
def rows_used(state, side, sheet):
    """Count the used rows of a sheet (from 0)."""
    used = 0
    for row in range(ROWS):
        used += np.int64((state.rows_used[side] >> np.uint32(sheet * ROWS + row)) & np.uint32(1))
    return used


@kernel
def upgrade(rules, state, seat, sticker, card):
    """Pay for a sticker on a card just acquired; return whether it wins as the last of the scenario's own sheet.

    (Rulebook: Political Victory)
    """
    side = np.int64(rules.seat_side[seat])
    state.players[seat].trade -= upgrade_price(rules, state, card)
    put_sticker(state, side, sticker, card)
    sheet = scene(rules, state).sheet - 1
    return sticker // ROWS == sheet and rows_used(state, side, sheet) == ROWS
