"""The course of the game: after every action it advances to the next decision (rulebook: Gameplay).

`legal_actions` and `apply` are the entry points. The module of each role (`roles/`) knows the questions of its steps:
how they begin and go on, which answers are legal, and their results. The other questions can come up in any role.
"""

import numpy as np

from stardeck.kernels.compile.jit import kernel
from stardeck.kernels.empire_of_the_stars.play import dealing, movement, rondel, windows, working
from stardeck.kernels.empire_of_the_stars.play.answers import mark, mark_regions
from stardeck.kernels.empire_of_the_stars.play.choices import goods
from stardeck.kernels.empire_of_the_stars.play.questions import NOT_YET, pass_by_power, put_question
from stardeck.kernels.empire_of_the_stars.play.roles import (
    engineer,
    explorer,
    merchant,
    regent,
    scientist,
    steward,
    warlord,
)
from stardeck.kernels.empire_of_the_stars.rules import Act, Point
from stardeck.kernels.empire_of_the_stars.state import Ask, Role, Step
from stardeck.kernels.primitives import action_set

# The present role


@kernel
def begin_role(rules, state):
    """Begin the role itself, after the window before it."""
    role = state.role
    if role == Role.EXPLORER:
        explorer.begin(rules, state)
    elif role == Role.STEWARD:
        steward.begin(rules, state)
    elif role == Role.MERCHANT:
        merchant.begin(rules, state)
    elif role == Role.ENGINEER:
        engineer.begin(state)
    elif role == Role.SCIENTIST:
        scientist.begin(state)
    elif role == Role.WARLORD:
        warlord.begin(rules, state)
    else:
        regent.begin(rules, state)


@kernel
def advance_role(rules, state):
    """Advance within the role."""
    role = state.role
    if role == Role.EXPLORER:
        explorer.advance(rules, state)
    elif role == Role.STEWARD:
        steward.advance(rules, state)
    elif role == Role.MERCHANT:
        merchant.advance(rules, state)
    elif role == Role.ENGINEER:
        engineer.advance(rules, state)
    elif role == Role.SCIENTIST:
        scientist.advance(rules, state)
    elif role == Role.WARLORD:
        warlord.advance(rules, state)
    else:
        regent.advance(rules, state)


@kernel
def mark_role(rules, state, seat, legal):
    """Mark the legal answers in the role."""
    role = state.role
    if role == Role.EXPLORER:
        explorer.mark_answers(rules, state, seat, legal)
    elif role == Role.STEWARD:
        steward.mark_answers(rules, state, seat, legal)
    elif role == Role.MERCHANT:
        merchant.mark_answers(rules, state, seat, legal)
    elif role == Role.ENGINEER:
        engineer.mark_answers(rules, state, seat, legal)
    elif role == Role.SCIENTIST:
        scientist.mark_answers(rules, state, seat, legal)
    elif role == Role.WARLORD:
        warlord.mark_answers(rules, state, seat, legal)
    else:
        regent.mark_answers(rules, state, seat, legal)


@kernel
def answer_role(rules, state, seat, row):
    """Carry out an answer in the role."""
    role = state.role
    if role == Role.EXPLORER:
        explorer.answer(rules, state, seat, row)
    elif role == Role.STEWARD:
        steward.answer(rules, state, seat, row)
    elif role == Role.MERCHANT:
        merchant.answer(rules, state, seat, row)
    elif role == Role.ENGINEER:
        engineer.answer(rules, state, seat, row)
    elif role == Role.SCIENTIST:
        scientist.answer(rules, state, seat, row)
    elif role == Role.WARLORD:
        warlord.answer(rules, state, seat, row)
    else:
        regent.answer(rules, state, seat, row)


# The question of a step: in a role, in the choice of a role, or in the set-up


@kernel
def mark_step(rules, state, seat, legal):
    """Mark the legal answers of the step."""
    if state.role >= 0:
        mark_role(rules, state, seat, legal)
    elif state.step == Step.CHOOSE_ROLE:
        rondel.mark_roles(rules, state, legal)
    else:
        dealing.mark_answers(rules, state, seat, legal)


@kernel
def answer_step(rules, state, seat, row):
    """Carry out an answer of the step."""
    if state.role >= 0:
        answer_role(rules, state, seat, row)
    elif state.step == Step.CHOOSE_ROLE:
        rondel.choose_role(rules, state, row)
    else:
        dealing.answer(rules, state, row)


# Advancing


@kernel
def advance_window(rules, state):
    """Offer the uses of cards before or after the role, by power number."""
    seat = np.int64(state.active)
    is_before = state.step == Step.BEFORE
    point = (Point.BEFORE if is_before else Point.AFTER) + np.int64(state.role)
    if not windows.pass_point(rules, state, seat, point):
        return
    if pass_by_power(rules, state, np.int64(state.step)):
        return
    if is_before:
        begin_role(rules, state)
    else:
        rondel.end_role(rules, state)


@kernel
def advance(rules, state):
    """Advance to the next question, or a part of the way."""
    step = state.step
    if step == Step.BEFORE or step == Step.AFTER:
        advance_window(rules, state)
    elif state.role >= 0:
        advance_role(rules, state)
    elif step == Step.CHOOSE_ROLE:
        put_question(state, np.int64(state.scepter), Ask.STEP)
    else:
        put_question(state, np.int64(state.active), Ask.STEP)


@kernel
def settle(rules, state):
    """Advance until a player has a decision or the game is over."""
    while state.to_act == NOT_YET:
        if goods.ask_owed(rules, state):
            return
        if state.work_side >= 0:
            working.go_on_working(rules, state)
        else:
            advance(rules, state)


# Questions and answers


@kernel
def legal_actions(rules, state, legal):
    """Write the set of legal actions of the seat to act; it is empty when the game is over. legal: uint64[words]."""
    action_set.clear(legal)
    seat = np.int64(state.to_act)
    if seat < 0:
        return
    ask = state.ask
    if ask == Ask.STEP:
        mark_step(rules, state, seat, legal)
    elif ask == Ask.DESTINATION:
        mark_regions(rules, legal, movement.destinations_at_hand(rules, state))
    elif ask == Ask.SURGE:
        windows.mark_surge(rules, state, seat, legal)
    elif ask == Ask.USE:
        mark(rules, legal, Act.PASS, 0)
        windows.mark_usable(rules, state, seat, windows.point_at_hand(state), legal)
    elif ask == Ask.GAIN:
        goods.mark_owed(rules, state.players[seat], legal)
    else:
        working.mark_answers(rules, state, seat, legal)


@kernel
def answer(rules, state, seat, row):
    """Carry out the answer to a question."""
    ask = state.ask
    if ask == Ask.STEP:
        answer_step(rules, state, seat, row)
    elif ask == Ask.DESTINATION:
        movement.arrive(rules, state, np.int64(row.what))
    elif ask == Ask.SURGE:
        windows.answer_surge(state, seat, np.int64(row.act))
    elif ask == Ask.USE:
        windows.answer_use(rules, state, seat, row)
    elif ask == Ask.GAIN:
        goods.answer_owed(rules, state.players[seat], row)
    else:
        working.answer(rules, state, seat, row)


@kernel
def apply(rules, state, action):
    """Apply a legal action, in place."""
    state.decisions += 1
    seat = np.int64(state.to_act)
    state.to_act = NOT_YET
    answer(rules, state, seat, rules.actions[action])
    settle(rules, state)
