"""The opponent-hand model of a search: a network that estimates the other hands from how opponents play.

It is evaluated once for each decision, from the searcher's observation. Every simulation deals by its weights.
"""

import numpy as np

from stardeck.agents.search.tree import NOBODY
from stardeck.kernels.compile.jit import kernel
from stardeck.kernels.compile.stack_arrays import stack_array
from stardeck.kernels.primitives.network import NETWORK, OBSERVATION_LIMIT, UNIT_LIMIT, Shape, preference, think
from stardeck.kernels.verbs import observe, resample_hidden, resample_weighted

_MOST = 10.0  # bound of a log weight: an estimate may be wrong, so no weight may vanish


@kernel
def believe(rules, root, search, networks):
    """Store the weights for a decision."""
    if search.belief == NOBODY:
        return
    number = search.belief - NETWORK
    weights, shape = networks.weights[number], networks.shapes[number]
    observation = stack_array(OBSERVATION_LIMIT, np.uint8)
    seen = observation[: shape[Shape.INPUTS]]
    observe(rules, root, np.int64(root.to_act), seen)
    hidden = stack_array(UNIT_LIMIT, np.float32)
    at = think(seen, weights, shape, hidden)
    for k in range(np.int64(shape[Shape.ACTIONS])):
        told = np.float64(preference(weights, shape, at, hidden, k))
        search.weights[k] = np.exp(min(_MOST, max(-_MOST, told)))


@kernel
def draw_hidden(rules, state, search, seat, seed):
    """Redraw everything unknown to a seat, by the opponent-hand model or at random."""
    if search.belief == NOBODY:
        resample_hidden(rules, state, seat, seed)
    else:
        resample_weighted(rules, state, seat, seed, search.weights)
