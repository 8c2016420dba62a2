"""Putting questions, and the order of seats (rulebook: Gameplay; rulings: order of seats in a role)."""

import numpy as np

from stardeck.kernels.compile.jit import kernel
from stardeck.kernels.empire_of_the_stars.play.galaxy import clear_board, clockwise
from stardeck.kernels.empire_of_the_stars.state import NOBODY, Stage

NOT_YET = -2  # `to_act` while the game runs on by itself


@kernel
def put_question(state, seat, ask):
    """Ask a seat."""
    state.to_act = seat
    state.ask = ask


@kernel
def begin_step(state, step, seat):
    """A step of the role begins with a seat."""
    state.step = step
    state.active = seat
    state.stage = Stage.SURGE


@kernel
def next_round_table(rules, seat, first):
    """The seat after this one in a round that began with `first`; NOBODY at its end."""
    following = clockwise(rules, seat, 1)
    return NOBODY if following == first else following


@kernel
def next_by_power(rules, state, seat):
    """The seat with the next higher power number, or NOBODY."""
    for place in range(rules.players - 1):
        if state.order[place] == seat:
            return np.int64(state.order[place + 1])
    return NOBODY


@kernel
def rank_of(rules, state, seat):
    """The place of a seat in the order of power numbers."""
    for place in range(rules.players):
        if state.order[place] == seat:
            return place
    return NOBODY


@kernel
def left_of_scepter(rules, state):
    """The seat left of the holder of the scepter, who comes last in WARLORD and in placing influence."""
    return clockwise(rules, np.int64(state.scepter), 1)


@kernel
def forget_moves(rules, state):
    """No ship has moved yet."""
    for seat in range(rules.players):
        clear_board(state.players[seat].moved)
