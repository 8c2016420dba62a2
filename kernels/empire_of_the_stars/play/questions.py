"""Questions to players, and the order of seats (rulebook: Gameplay; rulings: order of seats in a role)."""

import numpy as np

from stardeck.kernels.compile.jit import kernel
from stardeck.kernels.empire_of_the_stars.play.galaxy import clear_board, clockwise
from stardeck.kernels.empire_of_the_stars.state import NOBODY, Stage

NOT_YET = -2  # `to_act` while the game advances without a decision


@kernel
def put_question(state, seat, ask):
    """Put a question to a seat."""
    state.to_act = seat
    state.ask = ask


@kernel
def begin_step(state, step, seat):
    """Begin a step of the role with a seat."""
    state.step = step
    state.active = seat
    state.stage = Stage.SURGE


@kernel
def next_round_table(rules, seat, first):
    """Return the next seat in a round that began with `first`; NOBODY at its end."""
    following = clockwise(rules, seat, 1)
    return NOBODY if following == first else following


@kernel
def next_by_power(rules, state, seat):
    """Return the seat with the next higher power number, or NOBODY."""
    for place in range(rules.players - 1):
        if state.order[place] == seat:
            return np.int64(state.order[place + 1])
    return NOBODY


@kernel
def rank_of(rules, state, seat):
    """Return the place of a seat in the order of power numbers."""
    for place in range(rules.players):
        if state.order[place] == seat:
            return place
    return NOBODY


@kernel
def left_of_scepter(rules, state):
    """Return the seat left of the holder of the scepter, who comes last in WARLORD and in placing influence."""
    return clockwise(rules, np.int64(state.scepter), 1)


@kernel
def forget_moves(rules, state):
    """Clear the record of ships that have moved."""
    for seat in range(rules.players):
        clear_board(state.players[seat].moved)
