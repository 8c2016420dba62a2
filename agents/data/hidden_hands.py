"""Games of a network, and what the others held in them: what a belief learns from (agents/search/belief.py)."""

import numpy as np

from stardeck.agents.data.perturbed_games import chance, choose, happens
from stardeck.kernels.compile.jit import entry
from stardeck.kernels.compile.stack_arrays import stack_array
from stardeck.kernels.primitives import action_set
from stardeck.kernels.primitives.action_set import WORD_LIMIT
from stardeck.kernels.verbs import apply, count_hidden, legal_actions, observe

LOOKED = 1 / 8  # how often a decision is looked at
_TURN, _LOOK = 0, 1  # what chance decides, beside what it does in agents/data/perturbed_games.py


@entry
def play_and_count(rules, states, networks, seeds, share, observations, counts):
    """Play every row to its end by the first network; returns how many decisions were looked at.

    seeds: uint64[n], the chance of each game; share: float64, how many turns go astray. Written until it is full, of
    decisions that are a choice: observations uint8[k, observation_size], what the seat to act sees; counts uint8[k,
    players, kinds], what it does not see (`count_hidden`).
    """
    weights, shape = networks.weights[0], networks.shapes[0]
    legal = stack_array(WORD_LIMIT, np.uint64)[: (rules[0].num_actions + 63) >> 6]
    count = 0
    for i in range(len(states)):
        state = states[i]
        turn = np.int64(state.turn)
        astray = False
        while state.to_act >= 0:
            if state.turn != turn:
                turn = np.int64(state.turn)
                astray = happens(chance(seeds[i], state, _TURN), share)
            legal_actions(rules[0], state, legal)
            forced = action_set.size(legal) == 1
            if not forced and count < len(observations) and happens(chance(seeds[i], state, _LOOK), LOOKED):
                observe(rules[0], state, np.int64(state.to_act), observations[count])
                count_hidden(rules[0], state, np.int64(state.to_act), counts[count])
                count += 1
            action = choose(rules[0], state, weights, shape, legal, seeds[i], astray)
            apply(rules[0], state, action)
    return count
