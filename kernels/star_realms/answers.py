"""Answers to the decision on top of the stack: what each choice does, and what follows it."""

import numpy as np

from stardeck.kernels.jit import kernel
from stardeck.kernels.star_realms.combat import attack_player, destroy_base
from stardeck.kernels.star_realms.decisions import pop, push, top
from stardeck.kernels.star_realms.effects import copy_ship, must_discard, resolve
from stardeck.kernels.star_realms.rules import Act
from stardeck.kernels.star_realms.state import Decision, Zone
from stardeck.kernels.star_realms.trade_row import acquire_to_deck, row_is_empty, scrap_from_trade_row
from stardeck.kernels.star_realms.zones import (
    discard_from_hand,
    draw_cards,
    scrap,
    take_from_discard_pile,
    take_from_hand,
)


@kernel
def has_more_to_choose(state, frame):
    """Whether the same question can be put once more; only choices of cards can be repeated."""
    player = state.players[frame.seat]
    in_hand = player.count[Zone.HAND] > 0
    if frame.decision == Decision.SCRAP_FROM_HAND_OR_DISCARD:
        return in_hand or player.count[Zone.DISCARD_PILE] > 0
    if frame.decision == Decision.SCRAP_FROM_TRADE_ROW:
        return not row_is_empty(state)
    return in_hand


@kernel
def finish(rules, state):
    """The decision on top is made: draw what it earned, then carry out the effects after it."""
    frame = top(state)
    owner = np.int64(frame.owner)
    drawn = np.int64(frame.done) if frame.then_draw else 0
    rest = np.int64(frame.rest)
    end = np.int64(frame.end)
    pop(state)
    draw_cards(state, state.players[owner], drawn)
    resolve(rules, state, owner, rest, end)


@kernel
def one_chosen(rules, state):
    """One of the choices is made; the question is put again while some are left."""
    frame = top(state)
    frame.done += 1
    frame.left -= 1
    if frame.left == 0 or not has_more_to_choose(state, frame):
        finish(rules, state)


@kernel
def answer_option(rules, state, option):
    """A ship with "or" does what was chosen."""
    frame = top(state)
    seat = np.int64(frame.seat)
    ability = rules.cards[frame.detail].primary[option]
    pop(state)
    resolve(rules, state, seat, np.int64(ability[0]), np.int64(ability[1]))


@kernel
def answer_copy(rules, state, card):
    """A Stealth Needle copies; what the copied ability asks comes before the rest of the Needle's own."""
    frame = top(state)
    seat = np.int64(frame.seat)
    if frame.rest < frame.end:
        frame.decision = Decision.REST
        frame.optional = 0
    else:
        pop(state)
    copy_ship(rules, state, seat, card)


@kernel
def answer_target(rules, state, target):
    """The owner of a discard effect has named the opponent."""
    frame = top(state)
    owner = np.int64(frame.owner)
    count = np.int64(frame.left)
    rest = np.int64(frame.rest)
    end = np.int64(frame.end)
    pop(state)
    if not must_discard(rules, state, owner, target, count, rest, end):
        resolve(rules, state, owner, rest, end)


@kernel
def open_part_attack(state, seat, target):
    """Begin an attack with part of the combat; the amount is put together from the numbers added."""
    frame = push(state, Decision.AMOUNT, seat, seat, 0, 0)
    frame.left = state.players[seat].combat
    frame.detail = target


@kernel
def answer_done(rules, state):
    """The amount of an attack is complete."""
    frame = top(state)
    seat = np.int64(frame.seat)
    target = np.int64(frame.detail)
    amount = np.int64(frame.done)
    pop(state)
    attack_player(rules, state, seat, target, amount)


@kernel
def answer(rules, state, row):
    """Apply the answer to the decision on top of the stack."""
    frame = top(state)
    seat = np.int64(frame.seat)
    player = state.players[seat]
    kind = row.act
    card = np.int64(row.card)
    detail = np.int64(row.detail)
    if kind == Act.DECLINE:
        finish(rules, state)
    elif kind == Act.CHOOSE:
        answer_option(rules, state, option_named(rules, np.int64(frame.detail), detail))
    elif kind == Act.COPY:
        answer_copy(rules, state, card)
    elif kind == Act.TARGET:
        answer_target(rules, state, (seat + detail) % rules.players)
    elif kind == Act.ADD:
        frame.done += detail
    elif kind == Act.DONE:
        answer_done(rules, state)
    else:
        if kind == Act.SCRAP_FROM_HAND:
            take_from_hand(player, card)
            scrap(rules, state, card)
        elif kind == Act.SCRAP_FROM_DISCARD:
            take_from_discard_pile(player, card)
            scrap(rules, state, card)
        elif kind == Act.SCRAP_FROM_TRADE_ROW:
            scrap_from_trade_row(rules, state, card)
        elif kind == Act.DISCARD:
            discard_from_hand(player, card)
        elif kind == Act.DESTROY_BASE:
            destroy_base(rules, state, (seat + detail) % rules.players, card)
        elif kind == Act.ACQUIRE:
            acquire_to_deck(rules, state, player, card)
        one_chosen(rules, state)


@kernel
def option_named(rules, card, word):
    """Which side of an "or" a word names."""
    for option in range(rules.cards[card].options):
        if rules.cards[card].word[option] == word:
            return option
    return 0
