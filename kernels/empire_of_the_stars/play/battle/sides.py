"""Sides in a battle, and the effects on a side (rulebook: Warlord 2)."""

import numpy as np

from stardeck.kernels.compile.jit import kernel
from stardeck.kernels.empire_of_the_stars.operations import BattleSide, Op
from stardeck.kernels.empire_of_the_stars.play.effects import summed_for
from stardeck.kernels.empire_of_the_stars.play.galaxy import NONE
from stardeck.kernels.empire_of_the_stars.state import NOBODY, NOTHING, Plan, Side


@kernel
def side_of(state, seat):
    """Return the side that a seat fights on, or NOTHING."""
    if state.mains[Side.ATTACKER] == seat:
        return Side.ATTACKER
    if state.mains[Side.DEFENDER] == seat:
        return Side.DEFENDER
    return np.int64(state.players[seat].allied)


@kernel
def other_side(side):
    """Return the opposing side."""
    return 1 - side


@kernel
def main_bonus(rules, state, side, column):
    """Return the bonus of attacker or defender from effects. column: a Battle."""
    player = state.players[state.mains[side]]
    return summed_for(rules, player, Op.BATTLE, side, BattleSide.ANY, column)


@kernel
def shields_of(state, side):
    """Return the shields of a side: the rest of its strength."""
    return state.strength[side] - state.plans[side, Plan.TACTICS] - state.plans[side, Plan.WEAPONS]


@kernel
def clear_battle(rules, state):
    """Clear the data of a battle."""
    state.sector = NOTHING
    for side in range(2):
        state.mains[side] = NOBODY
        state.strength[side] = 0
        state.scored[side] = NONE
        for part in range(2):
            state.plans[side, part] = NOTHING
    state.tactics_left = 0
    state.hitting = NOTHING
    state.hits_left = 0
    for seat in range(rules.players):
        state.players[seat].allied = NOTHING
        state.players[seat].invited = 0
