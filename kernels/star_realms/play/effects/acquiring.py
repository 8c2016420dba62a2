"""Acquisition of a card: its cost, its upgrade, its destination, and its "when acquired" abilities.

(Rulebook: Acquiring Cards. Rise of Empire rulebook: "When Acquired" Abilities, Upgrade Timing)
"""

import numpy as np

from stardeck.kernels.compile.jit import kernel
from stardeck.kernels.star_realms.play.board.decisions import pop, push, top
from stardeck.kernels.star_realms.play.board.faces import face, is_large
from stardeck.kernels.star_realms.play.board.scenes import cost_change, scene
from stardeck.kernels.star_realms.play.board.trade_row import pass_over_top, price, take_from_supply
from stardeck.kernels.star_realms.play.board.upgrades import can_upgrade, upgrade
from stardeck.kernels.star_realms.play.board.zones import put_in_discard_pile, put_on_deck
from stardeck.kernels.star_realms.play.effects.effects import resolve
from stardeck.kernels.star_realms.play.effects.elimination import win_at_once
from stardeck.kernels.star_realms.play.effects.scenarios import comes_in
from stardeck.kernels.star_realms.rules import NO_SLOTS
from stardeck.kernels.star_realms.state import STICKERS, Decision, Goal


@kernel
def acquire(rules, state, seat, card, goal):
    """Acquire a paid or free card into the discard pile or on top of the deck.

    The card uses up a scenario's limit if it is the first such card of a turn to cost less. (Facts: acquire_cost_delta)
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
    """Put a card of the supply away, refill the trade row, then resolve its "when acquired" effects.

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
    """Resolve the ability that the card had before its sticker, then the scenario's effect.

    (Rulebook: Upgrade Timing)
    """
    if is_large(state) and rules.slots_from != NO_SLOTS:
        effects = scene(rules, state).acquired
        of_opponent = rules.side_faction[1 - np.int64(rules.seat_side[seat])]
        if (face(rules, state, card).faction & of_opponent) != 0 and comes_in(rules, state, effects):
            push(state, Decision.REST, seat, seat, np.int64(effects[0]), np.int64(effects[1]))
    acquired = face(rules, state, taken).acquired
    resolve(rules, state, seat, np.int64(acquired[0]), np.int64(acquired[1]))


@kernel
def buy(rules, state, seat, card, goal):
    """Pay the cost and acquire the card (rulebook: Acquiring Cards)."""
    player = state.players[seat]
    player.trade -= price(rules, state, player, card)
    if goal == Goal.DECK:
        player.next_ship_on_top -= 1
    acquire(rules, state, seat, card, goal)


@kernel
def acquire_for_nothing(rules, state, seat, card, goal):
    """Acquire a card as the answer to a decision; later effects wait until the card's own effects are done."""
    frame = top(state)
    if frame.rest < frame.end:
        frame.decision = Decision.REST
        frame.optional = 0
    else:
        pop(state)
    acquire(rules, state, seat, card, goal)


@kernel
def answer_upgrade(rules, state, sticker):
    """Upgrade the acquired card with a sticker, or not (-1), and receive it unless the sticker wins the game."""
    frame = top(state)
    seat = np.int64(frame.seat)
    card = np.int64(frame.detail)
    goal = np.int64(frame.purpose)
    pop(state)
    if sticker < 0:
        receive(rules, state, seat, card, card, goal)
    elif upgrade(rules, state, seat, sticker, card):
        win_at_once(rules, state, seat)
    else:
        side = np.int64(rules.seat_side[seat])
        receive(rules, state, seat, card, rules.slots_from + side * STICKERS + sticker, goal)
