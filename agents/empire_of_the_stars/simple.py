"""The simple player of Empire of the Stars: takes every opportunity at random.

It never declines while there is another answer.
"""

import numpy as np

from stardeck.kernels.compile.jit import kernel
from stardeck.kernels.empire_of_the_stars.play.turn import legal_actions
from stardeck.kernels.empire_of_the_stars.rules import Act
from stardeck.kernels.primitives import action_set
from stardeck.kernels.primitives.random import below


@kernel
def simple_player(rules, state, agent):
    """Return a random answer that does not decline, if there is one."""
    legal = agent.legal[: (rules.num_actions + 63) >> 6]
    legal_actions(rules, state, legal)
    if action_set.size(legal) > 1:
        for refusal in (Act.PASS, Act.DONE, Act.DECLINE):
            if rules.first[refusal] >= 0:
                action = np.int64(rules.first[refusal])
                legal[action >> 6] &= ~(action_set.ONE << np.uint64(action & 63))
    return action_set.member(legal, below(agent.random, action_set.size(legal)))
