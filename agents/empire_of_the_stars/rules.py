"""The rule-based player of Empire of the Stars: values every legal action (values.py) and takes the best."""

import numpy as np

from stardeck.agents.empire_of_the_stars.values import worth
from stardeck.kernels.compile.jit import kernel
from stardeck.kernels.empire_of_the_stars.play.turn import legal_actions
from stardeck.kernels.primitives import action_set
from stardeck.kernels.primitives.random import mix

TIES = 16  # steps within a point: a random fraction of a point breaks ties


@kernel
def best_of(rules, state, agent, actions):
    """Return a uniformly random one of the actions of a set with the highest value."""
    best = -1
    most = -1_000_000
    for word in range(len(actions)):
        left = actions[word]
        while left != 0:
            action = 64 * word + action_set.lowest(left)
            left &= left - action_set.ONE
            value = TIES * worth(rules, state, rules.actions[action])
            value += np.int64(mix(agent.random + np.uint64(action)) & np.uint64(TIES - 1))
            if value > most:
                most = value
                best = action
    return best


@kernel
def rules_of_thumb(rules, state, agent):
    """Return a uniformly random one of the legal actions with the highest value."""
    legal = agent.legal[: (rules.num_actions + 63) >> 6]
    legal_actions(rules, state, legal)
    return best_of(rules, state, agent, legal)
