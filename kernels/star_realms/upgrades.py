"""Acquiring a card to the end: upgrading it, putting it away, what it does when acquired (Rise of Empire rulebook:
Upgrading Cards, "When Acquired" Abilities, Upgrade Timing).

A sticker of a side is a row of one of its sheets, counted through all of them; it fits cards of the row's printed cost.
Its slot, counted through both sides, is the place of the card that has it.
"""

import numpy as np

from stardeck.kernels.jit import kernel
from stardeck.kernels.star_realms.decisions import pop, push, top
from stardeck.kernels.star_realms.effects import resolve
from stardeck.kernels.star_realms.elimination import win_at_once
from stardeck.kernels.star_realms.faces import face, is_large
from stardeck.kernels.star_realms.rules import NO_SLOTS
from stardeck.kernels.star_realms.scenarios import comes_in
from stardeck.kernels.star_realms.scenes import cost_change, scene
from stardeck.kernels.star_realms.state import ROWS, SHEETS, SLOT_LIMIT, STICKERS, Decision, Goal
from stardeck.kernels.star_realms.trade_row import pass_over_top, price, take_from_supply
from stardeck.kernels.star_realms.zones import put_in_discard_pile, put_on_deck


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
def acquire(rules, state, seat, card, goal):
    """Acquire a card that is paid for, or free, into the discard pile or on top of the deck.

    It counts for a scenario that makes the first such card of a turn cost less. (Facts: acquire_cost_delta)
    """
    if is_large(state) and card != rules.explorer and cost_change(rules, state, card) != 0:
        state.limit_used += 1
    if is_large(state) and can_upgrade(rules, state, seat, card):
        frame = push(state, Decision.UPGRADE, seat, seat, 0, 0)
        frame.detail = card
        frame.purpose = goal
        frame.optional = 1
    else:
        receive(rules, state, seat, card, card, goal)


@kernel
def receive(rules, state, seat, taken, card, goal):
    """A card of the supply is put away, the trade row refilled, and then comes what it does when acquired.

    taken: the card as it lay there; card: the card with a sticker, if it got one.
    """
    player = state.players[seat]
    if goal == Goal.DECK:
        put_on_deck(player, card)
    else:
        pass_over_top(rules, state, player, card)
        put_in_discard_pile(player, card)
    take_from_supply(rules, state, taken)
    if rules.acquires_more:
        happen_when_acquired(rules, state, seat, taken, card)


@kernel
def happen_when_acquired(rules, state, seat, taken, card):
    """The ability that the card had before the sticker, then the scenario's effect. (Rulebook: Upgrade Timing)"""
    if is_large(state) and rules.slots_from != NO_SLOTS:
        effects = scene(rules, state).acquired
        of_opponent = rules.side_faction[1 - np.int64(rules.seat_side[seat])]
        if (face(rules, state, card).faction & of_opponent) != 0 and comes_in(rules, state, effects):
            push(state, Decision.REST, seat, seat, np.int64(effects[0]), np.int64(effects[1]))
    acquired = face(rules, state, taken).acquired
    resolve(rules, state, seat, np.int64(acquired[0]), np.int64(acquired[1]))


@kernel
def buy(rules, state, seat, card, goal):
    """Pay the cost and acquire the card. (Rulebook: Acquiring Cards)"""
    player = state.players[seat]
    player.trade -= price(rules, state, player, card)
    if goal == Goal.DECK:
        player.next_ship_on_top -= 1
    acquire(rules, state, seat, card, goal)


@kernel
def acquire_for_nothing(rules, state, seat, card, goal):
    """The answer to a decision; effects that follow it wait until all that the card does is done."""
    frame = top(state)
    if frame.rest < frame.end:
        frame.decision = Decision.REST
        frame.optional = 0
    else:
        pop(state)
    acquire(rules, state, seat, card, goal)


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
def answer_upgrade(rules, state, sticker):
    """Upgrade the card acquired with a sticker, or not (-1). The last sticker of the scenario's own sheet wins.

    (Rulebook: Political Victory)
    """
    frame = top(state)
    seat = np.int64(frame.seat)
    card = np.int64(frame.detail)
    goal = np.int64(frame.purpose)
    pop(state)
    if sticker < 0:
        receive(rules, state, seat, card, card, goal)
        return
    side = np.int64(rules.seat_side[seat])
    state.players[seat].trade -= upgrade_price(rules, state, card)
    put_sticker(state, side, sticker, card)
    sheet = scene(rules, state).sheet - 1
    if sticker // ROWS == sheet and rows_used(state, side, sheet) == ROWS:
        win_at_once(rules, state, seat)
    else:
        receive(rules, state, seat, card, rules.slots_from + side * STICKERS + sticker, goal)
