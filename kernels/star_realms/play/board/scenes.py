"""The current scenario, as a record of its changes (Rise of Empire rulebook: Campaign Setup).

Call these functions for large states only: no other game has a scenario.
"""

import numpy as np

from stardeck.kernels.compile.jit import inline_kernel, kernel
from stardeck.kernels.star_realms.play.board.faces import face, is_large
from stardeck.kernels.star_realms.state import SCENARIOS


@inline_kernel
def scene(rules, state):
    """Return the record of the current scenario's changes; outside a campaign it changes nothing.

    The record depends on the choice of the first player, or on the side of the first player's faction.
    """
    number = np.int64(state.scenario)
    if rules.scenarios[number, 0].asks:
        return rules.scenarios[number, max(state.modifier - 1, 0)]
    return rules.scenarios[number, max(rules.seat_side[state.first], 0)]


@inline_kernel
def against_blob(rules, state):
    """Return whether both players fight the automated Blob of the last scenario."""
    return is_large(state) and rules.blob_authority > 0 and state.scenario == SCENARIOS


@inline_kernel
def against_boss(rules, state):
    """Return whether the opponent is automated: the Boss of a challenge, or the Blob."""
    return rules.challenge != 0 or against_blob(rules, state)


@kernel
def limit_is_open(rules, state):
    """Return whether an effect with a limit per turn may still happen."""
    return state.limit_used < scene(rules, state).limit


@kernel
def cost_change(rules, state, card):
    """Return the trade that the scenario now adds to the cost of a card of the trade row."""
    return np.int64(scene(rules, state).cost[face(rules, state, card).kind]) if limit_is_open(rules, state) else 0
