"""Which cards the rule-based player of Star Realms upgrades, and with which stickers (Rise of Empire)."""

import numpy as np

from stardeck.agents.star_realms.values import DILUTION, value, value_of_face
from stardeck.kernels.compile.jit import kernel
from stardeck.kernels.star_realms.play.scenes import scene
from stardeck.kernels.star_realms.play.trade_row import price
from stardeck.kernels.star_realms.play.upgrades import (
    has_plain_copy,
    rows_used,
    sticker_fits,
    stickers_at_hand,
    upgrade_price,
)
from stardeck.kernels.star_realms.rules import Act
from stardeck.kernels.star_realms.state import NO_CARD, ROWS, STICKERS

LASTING = 2  # how much more a sticker is worth than the trade of one turn: it comes back with its card
TOWARDS_VICTORY = (10, 15, 25, 40, 1000)  # for the first to the fifth sticker of the scenario's own sheet


@kernel
def best_purchase(rules, state, player, trade, stage, taken):
    """The value of the best card that so much trade can pay for, or 0 where all would dilute the deck.

    taken: the card that is being acquired and lies in the trade row still.
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
    """The sticker that adds most, where it adds more than what the trade could buy instead.

    Stickers of the scenario's own sheet count for more the nearer they bring a Political Victory.
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
    """After a campaign: the card and the sticker that add most."""
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
