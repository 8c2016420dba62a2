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
def begin_by_power(state, step):
    """Begin a step with the seat of the lowest power number."""
    begin_step(state, step, np.int64(state.order[0]))


@kernel
def pass_on(state, step, following):
    """Begin a step with the following seat; return False after the last seat (NOBODY)."""
    if following == NOBODY:
        return False
    begin_step(state, step, following)
    return True


@kernel
def pass_left(rules, state, step, first):
    """Begin a step with the next seat in the round that began with `first`; return False after the last seat."""
    return pass_on(state, step, next_round_table(rules, np.int64(state.active), first))


@kernel
def pass_by_power(rules, state, step):
    """Begin a step with the seat of the next higher power number; return False after the last seat."""
    return pass_on(state, step, next_by_power(rules, state, np.int64(state.active)))


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
