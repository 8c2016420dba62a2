"""Games of a network with their hidden hands, the data of an opponent-hand model (agents/search/belief.py)."""

import numpy as np

from stardeck.agents.data.perturbed_games import chance, choose, happens
from stardeck.kernels.compile.jit import entry
from stardeck.kernels.compile.stack_arrays import stack_array
from stardeck.kernels.primitives import action_set
from stardeck.kernels.primitives.action_set import WORD_LIMIT
from stardeck.kernels.verbs import apply, count_hidden, legal_actions, observe

LOOKED = 1 / 8  # share of the decisions that are recorded
_TURN, _LOOK = 0, 1  # uses of chance, as in agents/data/perturbed_games.py


@entry
def play_and_count(rules, states, networks, seeds, share, observations, counts):
    """Play every row to its end with the first network; return the number of recorded decisions.

    Only real choices are recorded, until the arrays are full.

    Args:
        rules: The rules, one record.
        states: The games, one row each; they are played to their end.
        networks: The `Networks`; the first one plays.
        seeds: Chance of each game, uint64[n].
        share: Share of the turns that are perturbed, float64.
        observations: Views of the acting seat, uint8[k, observation_size], written.
        counts: Cards hidden from that seat (`count_hidden`), uint8[k, players, kinds], written.
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
