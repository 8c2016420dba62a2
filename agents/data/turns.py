"""Games that stop after every turn, and counts of how decisions fall to the seats.

A turn ends when the number `turn` of the state changes, or with the game. Agents draw on the same streams as in
`play_out` (kernels/loops/playouts.py), so these are the games that an ordinary series plays.
"""

import numpy as np

from stardeck.kernels.compile.jit import entry, kernel
from stardeck.kernels.loops.playouts import SEAT_LIMIT, agent_stream, decide
from stardeck.kernels.primitives import action_set
from stardeck.kernels.primitives.random import splitmix64
from stardeck.kernels.verbs import apply, legal_actions

NEVER = -1

WATCHED = np.dtype(
    [
        ("forced", np.int64),  # decisions with one legal action
        ("last", np.int64, (SEAT_LIMIT,)),  # number of the last decision of each seat, or NEVER
        ("longest", np.int64, (SEAT_LIMIT,)),  # most decisions of others between two decisions of a seat
    ],
    align=True,
)


def blank(games: int) -> np.ndarray:
    """Return counts for games in which nobody has decided yet: WATCHED[games]."""
    watched = np.zeros(games, WATCHED)
    watched["last"] = NEVER
    return watched


@kernel
def note_decision(rules, state, legal, watched):
    """Count the decision that the state waits for. legal: uint64[words or more], scratch."""
    words = legal[: (rules.num_actions + 63) >> 6]
    legal_actions(rules, state, words)
    if action_set.size(words) == 1:
        watched.forced += 1
    seat = np.int64(state.to_act)
    now = np.int64(state.decisions)
    if watched.last[seat] != NEVER:
        watched.longest[seat] = max(watched.longest[seat], now - watched.last[seat] - 1)
    watched.last[seat] = now


@entry
def note_all(rules, states, agent, watched):
    """Count the decision that every row waits for. agent: AGENT[1], scratch; watched: WATCHED[n], changed."""
    for i in range(len(states)):
        note_decision(rules[0], states[i], agent[0].legal, watched[i])


@entry
def play_turn(rules, states, players, agent_seed, game_seeds, watched):
    """Play every row whose game is not over to the end of its turn with compiled agents.

    players: `Players`, whose kinds are int64[n, seats]; game_seeds: uint64[n]; watched: WATCHED[n], changed.
    """
    agent, kinds, networks = players
    for i in range(len(states)):
        state, seen = states[i], watched[i]
        turn = state.turn
        for seat in range(kinds.shape[1]):
            agent[0].stream[seat] = agent_stream(agent_seed, game_seeds[i], seat)
        while state.to_act >= 0 and state.turn == turn:
            seat = np.int64(state.to_act)
            note_decision(rules[0], state, agent[0].legal, seen)
            agent[0].kind = kinds[i, seat]
            agent[0].random = splitmix64(agent[0].stream[seat], state.decisions)
            apply(rules[0], state, decide(rules[0], state, agent[0], networks))
