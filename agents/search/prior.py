"""The prior policy at a node: a network's policy, or most of the weight on the action of any other agent."""

import numpy as np

from stardeck.agents.search.evaluation_cache import recalled_action
from stardeck.agents.search.tree import OUTSIDE, UNASKED, add_child, child_of
from stardeck.kernels.compile.jit import kernel
from stardeck.kernels.compile.stack_arrays import stack_array
from stardeck.kernels.loops.playouts import decide
from stardeck.kernels.primitives import action_set
from stardeck.kernels.primitives.network import (
    ACTION_LIMIT,
    NETWORK,
    OBSERVATION_LIMIT,
    UNIT_LIMIT,
    Shape,
    preference,
    think,
)
from stardeck.kernels.primitives.random import splitmix64
from stardeck.kernels.verbs import observe


@kernel
def ask(rules, state, kind, work, seed):
    """Return the action of an agent. work: `Workspace`."""
    agent, networks = work.agent, work.networks
    agent.kind = kind
    if kind >= NETWORK and not networks.shapes[kind - NETWORK, Shape.SAMPLED]:
        return recalled_action(rules, state, agent, networks, work.memory)
    agent.random = splitmix64(seed, state.decisions)
    return decide(rules, state, agent, networks)


@kernel
def soften(prior, size, temperature):
    """Turn logits into probabilities, in place."""
    most = -np.inf
    for k in range(size):
        most = max(most, prior[k])
    total = 0.0
    for k in range(size):
        prior[k] = np.exp((prior[k] - most) / temperature)
        total += prior[k]
    for k in range(size):
        prior[k] /= total


@kernel
def policy_of(rules, state, legal, weights, shape, temperature, prior):
    """Write a network's policy for the legal actions, in their order. prior: float64[size of legal or more]."""
    observation = stack_array(OBSERVATION_LIMIT, np.uint8)
    seen = observation[: shape[Shape.INPUTS]]
    observe(rules, state, np.int64(state.to_act), seen)
    hidden = stack_array(UNIT_LIMIT, np.float32)
    at = think(seen, weights, shape, hidden)
    size = action_set.size(legal)
    for k in range(size):
        prior[k] = np.float64(preference(weights, shape, at, hidden, action_set.member(legal, k)))
    soften(prior, size, temperature)


@kernel
def trust_in(action, legal, trust, prior):
    """Write a prior of `trust` for one action; all actions share the rest."""
    size = action_set.size(legal)
    for k in range(size):
        prior[k] = (1.0 - trust) / size + (trust if action_set.member(legal, k) == action else 0.0)


@kernel
def prior_of(rules, state, work, legal, prior):
    """Write the prior policy of the legal actions, or set `search.waiting` for an agent that Python asks."""
    search, networks = work.search, work.networks
    if search.guide >= NETWORK:
        number = search.guide - NETWORK
        weights, shape = networks.weights[number], networks.shapes[number]
        policy_of(rules, state, legal, weights, shape, search.temperature, prior)
    elif search.guide != OUTSIDE:
        action = ask(rules, state, search.guide, work, np.uint64(search.deal))
        trust_in(action, legal, search.trust, prior)
    elif search.answer == UNASKED:
        search.waiting = 1
    else:
        trust_in(search.answer, legal, search.trust, prior)
        search.answer = UNASKED


@kernel
def expand(rules, state, work, node, legal):
    """Give a node its missing children, and return the action with the highest prior.

    The children of the root lie in the order of their actions, the highest first. Return -1 if the search has to wait.
    """
    tree, search = work.tree, work.search
    prior = stack_array(ACTION_LIMIT, np.float64)
    prior_of(rules, state, work, legal, prior)
    if search.waiting:
        return -1
    actor = np.int64(state.to_act)
    new = tree[node].child == 0
    best = 0
    for k in range(action_set.size(legal)):
        if prior[k] > prior[best]:
            best = k
        action = action_set.member(legal, k)
        if new or child_of(tree, node, action, actor) == 0:
            add_child(tree, search, node, action, actor, prior[k])
    return action_set.member(legal, best)
