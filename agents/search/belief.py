"""What a search believes of the other hands: a network that has seen how others play says what they rather hold.

It is asked once for each decision, from what the searcher sees; every simulation deals by its weights.
"""

import numpy as np

from stardeck.agents.search.tree import NOBODY
from stardeck.kernels.compile.jit import kernel
from stardeck.kernels.compile.stack_arrays import stack_array
from stardeck.kernels.primitives.network import NETWORK, OBSERVATION_LIMIT, UNIT_LIMIT, Shape, preference, think
from stardeck.kernels.verbs import observe, resample_hidden, resample_weighted

_MOST = 10.0  # a logarithm; a weight may be wrong, and is never nothing


@kernel
def believe(rules, root, search, networks):
    """Note the weights of a decision."""
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
    """Draw again what a seat cannot know, by what is believed of it, or by chance alone."""
    if search.belief == NOBODY:
        resample_hidden(rules, state, seat, seed)
    else:
        resample_weighted(rules, state, seat, seed, search.weights)
