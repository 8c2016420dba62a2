"""The compiled agents of Empire of the Stars: which player `choose` asks.

`simple` takes every chance at random: it never declines while there is something else to answer. `rules`
(values.py) gives every legal action a worth and takes the best.
"""

import numpy as np

from stardeck.agents.empire_of_the_stars.values import worth
from stardeck.agents.kinds import AgentKind
from stardeck.agents.random_legal import random_legal
from stardeck.kernels import actionset, verbs
from stardeck.kernels.empire_of_the_stars.play.legal import legal_actions
from stardeck.kernels.empire_of_the_stars.rules import Act
from stardeck.kernels.empire_of_the_stars.state import STATE
from stardeck.kernels.jit import kernel
from stardeck.kernels.random import below, mix

TIES = 16  # worths are told apart by chance within a point


@kernel
def simple(rules, state, agent):
    """A random answer other than a refusal, if there is one."""
    legal = agent.legal[: (rules.num_actions + 63) >> 6]
    legal_actions(rules, state, legal)
    if actionset.size(legal) > 1:
        for refusal in (Act.PASS, Act.DONE, Act.DECLINE):
            if rules.first[refusal] >= 0:
                action = np.int64(rules.first[refusal])
                legal[action >> 6] &= ~(actionset.ONE << np.uint64(action & 63))
    return actionset.member(legal, below(agent.random, actionset.size(legal)))


@kernel
def rules_of_thumb(rules, state, agent):
    """The legal action that is worth most, each of several as likely."""
    legal = agent.legal[: (rules.num_actions + 63) >> 6]
    legal_actions(rules, state, legal)
    best = -1
    most = -1_000_000
    for word in range(len(legal)):
        left = legal[word]
        while left != 0:
            action = 64 * word + actionset.lowest(left)
            left &= left - actionset.ONE
            value = TIES * worth(rules, state, rules.actions[action])
            value += np.int64(mix(agent.random + np.uint64(action)) & np.uint64(TIES - 1))
            if value > most:
                most = value
                best = action
    return best


@kernel
def choose(rules, state, agent):
    """The action of a compiled agent."""
    if agent.kind == AgentKind.RANDOM:
        return random_legal(rules, state, agent)
    if agent.kind == AgentKind.SIMPLE:
        return simple(rules, state, agent)
    return rules_of_thumb(rules, state, agent)


verbs.implement(verbs.choose, STATE, choose)
