"""Decisions of the compiled agents of Interstellar Empire among some of the legal actions.

The agent decides again in a copy of the state from which everything that it wanted, and may not have, is taken away.
"""

import numpy as np

from stardeck.kernels.compile.jit import kernel
from stardeck.kernels.interstellar_empire.play.zones import clockwise
from stardeck.kernels.interstellar_empire.rules import NO_ACTION, Act
from stardeck.kernels.primitives import action_set
from stardeck.kernels.verbs import choose

TRIES = 24  # kinds of cards


@kernel
def take_away(rules, state, action):
    """Take from the state what an action acts on; return false where nothing can be taken."""
    if action < 0 or action >= rules.num_actions:
        return False
    row = rules.actions[action]
    seat = np.int64(state.to_act)
    player = state.players[seat]
    kind = np.int64(row.card)
    act = row.act
    if act == Act.EXPLORE or act == Act.BUILD or act == Act.PLAY or act == Act.PLAY_ON or act == Act.DISCARD:
        there = player.hand[kind] > 0
        player.hand[kind] = 0
    elif act == Act.ATTACK:
        other = state.players[clockwise(rules, seat, np.int64(row.detail))]
        there = other.empire[kind] > 0
        other.empire[kind] = 0
    elif act == Act.SEND:
        there = player.untapped[kind] > 0
        player.untapped[kind] = 0
    elif act == Act.SEND_TAPPED:
        there = player.tapped[kind] > 0
        player.tapped[kind] = 0
    elif act == Act.DRAW:
        there = state.extra_draws > 0
        state.extra_draws = 0
    else:
        there = False
    return there


@kernel
def choose_among(rules, state, agent, room):
    """Return the agent's action where what it may not have is not there, or NO_ACTION."""
    copy = room.copy
    copy[0] = state
    for _ in range(TRIES):
        action = choose(rules, copy[0], agent)
        if action_set.contains(room.allowed, action):
            return np.int64(action)
        if not take_away(rules, copy[0], np.int64(action)):
            break
    return np.int64(NO_ACTION)
