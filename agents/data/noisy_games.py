"""Games in which agents play a share of their moves at random, to their end or to the start of a turn.

An agent with a share of random moves is weaker by degrees, between itself and `random`. Such agents bridge two agents
of which one wins everything (benchmarks/design/variance/depth.py).
"""

import numpy as np

from stardeck.agents.random_legal import random_legal
from stardeck.kernels.compile.jit import entry, kernel
from stardeck.kernels.loops.playouts import agent_stream, decide
from stardeck.kernels.primitives.random import mix, splitmix64
from stardeck.kernels.verbs import apply

NO_LIMIT = 1 << 30  # turns; every game ends before
_NOISE = np.uint64(0x6E6F_6973_65)  # separates the draw from the agent's own use of its random bits
_UNIT_53 = 2.0**-53


@kernel
def is_random_move(random, noise):
    """Return true for a share `noise` of all random bits (uint64)."""
    return np.float64(mix(random ^ _NOISE) >> np.uint64(11)) * _UNIT_53 < noise


@entry
def draw_noise(seeds, noise, drawn):
    """Write for each decision whether it is a random move: seeds uint64[n], noise float64[n], drawn bool[n]."""
    for i in range(len(seeds)):
        drawn[i] = is_random_move(seeds[i], noise[i])


@entry
def play_noisy(rules, states, players, noise, last_turn, agent_seed, game_seeds):
    """Play every row with compiled agents to its end, or until a turn after `last_turn` has begun.

    Args:
        rules: The rules, one record.
        states: The games, one row each, changed in place.
        players: As for `play_out`, with kinds int64[n, seats].
        noise: Share of the moves of each seat that are random: float64[n, seats].
        last_turn: Number of the last turn that is played, or NO_LIMIT.
        agent_seed: Seed of the agents.
        game_seeds: Seeds of the games: uint64[n].
    """
    agent, kinds, networks = players
    for i in range(len(states)):
        state = states[i]
        for seat in range(kinds.shape[1]):
            agent[0].stream[seat] = agent_stream(agent_seed, game_seeds[i], seat)
        while state.to_act >= 0 and state.turn <= last_turn:
            seat = np.int64(state.to_act)
            agent[0].kind = kinds[i, seat]
            agent[0].random = splitmix64(agent[0].stream[seat], state.decisions)
            if noise[i, seat] > 0.0 and is_random_move(agent[0].random, noise[i, seat]):
                action = random_legal(rules[0], state, agent[0])
            else:
                action = decide(rules[0], state, agent[0], networks)
            apply(rules[0], state, action)
