"""Upgrades of the rule-based player of Star Realms: its cards and stickers (Rise of Empire)."""

import numpy as np

from stardeck.agents.star_realms.values import DILUTION, value, value_of_face
from stardeck.kernels.compile.jit import kernel
from stardeck.kernels.star_realms.play.board.scenes import scene
from stardeck.kernels.star_realms.play.board.trade_row import price
from stardeck.kernels.star_realms.play.board.upgrades import (
    has_plain_copy,
    rows_used,
    sticker_fits,
    stickers_at_hand,
    upgrade_price,
)
from stardeck.kernels.star_realms.rules import Act
from stardeck.kernels.star_realms.state import NO_CARD, ROWS, STICKERS

LASTING = 2  # value of a sticker relative to trade of one turn: it returns with its card
TOWARDS_VICTORY = (10, 15, 25, 40, 1000)  # for the first to the fifth sticker of the scenario's own sheet


@kernel
def best_purchase(rules, state, player, trade, stage, taken):
    """Return the value of the best card that `trade` can pay for, or 0 if every card would dilute the deck.

    taken: the card being acquired, which is still in the trade row.
    """
    best = 0
    passed = False
    for place in range(len(state.trade_row)):
        card = np.int64(state.trade_row[place])
        if card == taken and not passed:
            passed = True
        elif card != NO_CARD and price(rules, state, player, card) <= trade:
            here = value(rules, state, player, card, stage)
            if here > DILUTION[stage]:
                best = max(best, here)
    return best


@kernel
def upgrade_or_not(rules, state, seat, card, stage):
    """Choose the best sticker, if it adds more value than the trade could buy instead.

    Stickers of the scenario's own sheet count for more as they bring a Political Victory closer.
    """
    player = state.players[seat]
    side = np.int64(rules.seat_side[seat])
    trade = np.int64(player.trade)
    lost = best_purchase(rules, state, player, trade, stage, card)
    lost -= best_purchase(rules, state, player, trade - upgrade_price(rules, state, card), stage, card)
    plain = value(rules, state, player, card, stage)
    own_sheet = scene(rules, state).sheet - 1
    best = -1
    gain = lost
    for sticker in range(stickers_at_hand(state)):
        if sticker_fits(rules, state, side, sticker, card):
            form = rules.cards[rules.form[side * STICKERS + sticker, card]]
            here = LASTING * (value_of_face(rules, state, player, form, stage) - plain)
            if sticker // ROWS == own_sheet:
                here += TOWARDS_VICTORY[rows_used(state, side, own_sheet)]
            if here >= gain:
                gain = here
                best = sticker
    return np.int64(rules.first[Act.DECLINE]) if best < 0 else rules.first[Act.UPGRADE] + best


@kernel
def fill_up(rules, state, side, stage):
    """Choose the card and the sticker that add most value, after a campaign."""
    player = state.players[side]
    best = -1
    gain = 0
    for card in range(rules.slots_from):
        if has_plain_copy(rules, state, card):
            plain = value(rules, state, player, card, stage)
            for sticker in range(STICKERS):
                if sticker_fits(rules, state, side, sticker, card):
                    form = rules.cards[rules.form[side * STICKERS + sticker, card]]
                    here = value_of_face(rules, state, player, form, stage) - plain
                    if best < 0 or here > gain:
                        gain = here
                        best = np.int64(rules.fill_up[card, sticker])
    return best
