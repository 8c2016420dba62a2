"""Small networks in compiled code: from an observation to the logits of the legal actions and a value.

An observation is mostly zeros, and a decision has about ten legal actions among hundreds. Only the rows of the first
layer with a nonzero input and the outputs of legal actions are computed: a few microseconds on one core. The order of
sums is fixed, so an action depends only on the weights and the observation, not on the batch.

A network is a row of `weights` (float32) with its row of `shapes` (SHAPE, see `Shape`). First come the layers, of
rectified linear units or of tanh units, each stored as its matrix [inputs, units] and its biases [units]. Then come the
policy as [actions, units] and [actions], and the value as [units] and one bias. Inputs are the bytes of the observation
as the kernel writes them.
"""

from enum import IntEnum
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from stardeck.kernels.compile.jit import kernel, long_kernel
from stardeck.kernels.compile.simd import plus_product, put, taken, total, zeros
from stardeck.kernels.compile.stack_arrays import stack_array
from stardeck.kernels.primitives import action_set
from stardeck.kernels.primitives.action_set import WORD_LIMIT
from stardeck.kernels.primitives.random import GOLDEN, mix
from stardeck.kernels.verbs import legal_actions, observe

NETWORK = 1_000  # agents of this kind and above are networks: kind - NETWORK is the row of `weights`
LAYER_LIMIT = 4
UNIT_LIMIT = 1_024  # of a layer
SIDE_BY_SIDE = 32  # units that are summed at once: their sums fit into the registers of every processor
OBSERVATION_LIMIT = 8_192
WORDS = OBSERVATION_LIMIT // 8
ACTION_LIMIT = 64 * WORD_LIMIT
_UNIT_53 = 2.0**-53


class Shape(IntEnum):
    """Columns of a row of `shapes`."""

    INPUTS = 0  # observation_size
    ACTIONS = 1
    LAYERS = 2
    UNITS = 3  # of the first layer, then of the others
    SAMPLED = 3 + LAYER_LIMIT  # 1: actions are sampled from the policy, 0: the likeliest is taken
    TANH = 4 + LAYER_LIMIT  # 1: the activation is tanh, 0: it is ReLU


SHAPE_SIZE = Shape.TANH + 1


class Networks(NamedTuple):
    """Networks and value tables of the agents in a loop: a row of both arrays for each."""

    weights: NDArray[np.float32]  # [rows, size]
    shapes: NDArray[np.int64]  # [rows, SHAPE_SIZE]


@kernel
def tanh(x):
    """Return the hyperbolic tangent of a float32, by a rational approximation: the same bits on every machine.

    The math libraries of two systems differ in the last bit. (Coefficients: Eigen, generic_fast_tanh_float)
    """
    x = min(max(x, np.float32(-7.99881172180175781)), np.float32(7.99881172180175781))
    x2 = x * x
    p = x2 * np.float32(-2.76076847742355e-16) + np.float32(2.00018790482477e-13)
    p = x2 * p + np.float32(-8.60467152213735e-11)
    p = x2 * p + np.float32(5.12229709037114e-08)
    p = x2 * p + np.float32(1.48572235717979e-05)
    p = x2 * p + np.float32(6.37261928875436e-04)
    p = x2 * p + np.float32(4.89352455891786e-03)
    q = x2 * np.float32(1.19825839466702e-06) + np.float32(1.18534705686654e-04)
    q = x2 * q + np.float32(2.26843463243900e-03)
    q = x2 * q + np.float32(4.89352518554385e-03)
    return x * p / q


@long_kernel
def answer(hidden, units, with_tanh):
    """Apply the activation function to the sums of a layer, in place."""
    if with_tanh:
        for j in range(units):
            hidden[j] = tanh(hidden[j])
    else:
        for j in range(units):
            hidden[j] = max(hidden[j], np.float32(0))


@long_kernel
def find_in(before, start, stop, found, count):
    """Append the indices of nonzero values of `before`, from `start` to `stop`, to `found`; return the new count.

    There is no branch: which inputs are nonzero is unpredictable, and a misprediction costs more than ten inputs.
    """
    for i in range(start, stop):
        found[count] = i
        count += before[i] != 0
    return count


@long_kernel
def find_inputs(before, width, found):
    """Write the indices of nonzero values of `before`, in order; return their count."""
    return find_in(before, 0, width, found, 0)


@long_kernel
def find_bytes(before, width, found):
    """Find nonzero inputs as `find_inputs` does, for an observation: skip eight zero bytes at once."""
    whole = width & ~7
    words = before[:whole].view(np.uint64)
    filled = stack_array(WORDS, np.uint16)
    count = 0
    for k in range(find_inputs(words, len(words), filled)):
        start = 8 * np.int64(filled[k])
        count = find_in(before, start, start + 8, found, count)
    return find_in(before, whole, width, found, count)


class Inputs(NamedTuple):
    """Inputs of a layer."""

    values: NDArray  # [inputs]
    places: NDArray[np.uint16]  # of the values that are not zero
    count: int  # number of places


@long_kernel
def sum_of_unit(inputs, weights, at, units, unit, start):
    """Return the sum of one unit: `start`, then each input times its weight, in order."""
    so_far = start
    for k in range(inputs.count):
        place = np.int64(inputs.places[k])
        so_far += np.float32(inputs.values[place]) * weights[at + place * units + unit]
    return so_far


@long_kernel
def sum_side_by_side(inputs, weights, at, units, first, bias, hidden):
    """Sum SIDE_BY_SIDE units from `first` at once, in registers, with the same bits as `sum_of_unit`."""
    sums = taken(weights, bias + first, SIDE_BY_SIDE)
    for k in range(inputs.count):
        place = np.int64(inputs.places[k])
        sums = plus_product(sums, np.float32(inputs.values[place]), weights, at + place * units + first)
    put(sums, hidden, first)


@long_kernel
def sum_up(inputs, width, weights, at, units, hidden):
    """Sum a layer of `units` above `width` inputs, in their order; return the offset of the next layer.

    If the units do not divide evenly, some of the last ones are summed twice.
    """
    bias = at + width * units
    if units < SIDE_BY_SIDE:
        for unit in range(units):
            hidden[unit] = sum_of_unit(inputs, weights, at, units, unit, weights[bias + unit])
    else:
        for first in range(0, units, SIDE_BY_SIDE):
            last = min(first, units - SIDE_BY_SIDE)
            sum_side_by_side(inputs, weights, at, units, last, bias, hidden)
    return bias + units


@long_kernel
def dot(row, hidden, units):
    """Return a sum of products over `units`, a multiple of 8, in eight partial sums."""
    sums = zeros(8)
    for k in range(0, units, 8):
        sums = plus_product(sums, taken(row, k, 8), hidden, k)
    return total(sums)


@long_kernel
def think(observation, weights, shape, hidden):
    """Run the layers; the last one is in `hidden` (float32[UNIT_LIMIT]). Return the offset of the policy."""
    other = stack_array(UNIT_LIMIT, np.float32)
    found = stack_array(OBSERVATION_LIMIT, np.uint16)
    units = shape[Shape.UNITS]
    width = shape[Shape.INPUTS]
    seen = Inputs(observation, found, find_bytes(observation, width, found))
    at = sum_up(seen, width, weights, 0, units, hidden)
    answer(hidden, units, shape[Shape.TANH])
    for layer in range(1, shape[Shape.LAYERS]):
        for j in range(units):
            other[j] = hidden[j]
        width = units
        units = shape[Shape.UNITS + layer]
        at = sum_up(Inputs(other, found, find_inputs(other, width, found)), width, weights, at, units, hidden)
        answer(hidden, units, shape[Shape.TANH])
    return at


@kernel
def last_units(shape):
    """Return the number of units of the last layer."""
    return shape[Shape.UNITS + shape[Shape.LAYERS] - 1]


@kernel
def value_of(weights, shape, at, hidden):
    """Return the network's value: the expected return of the observing seat, about -1 to 1."""
    units = last_units(shape)
    start = at + shape[Shape.ACTIONS] * (units + 1)
    return dot(weights[start : start + units], hidden, units) + weights[start + units]


@kernel
def preference(weights, shape, at, hidden, action):
    """Return the logit of an action."""
    units = last_units(shape)
    start = at + action * units
    return dot(weights[start : start + units], hidden, units) + weights[at + shape[Shape.ACTIONS] * units + action]


@kernel
def likeliest(legal, weights, shape, at, hidden):
    """Return the legal action with the highest logit; of equal ones, the lowest."""
    best = -1
    most = np.float32(0)
    for k in range(action_set.size(legal)):
        action = action_set.member(legal, k)
        here = preference(weights, shape, at, hidden, action)
        if best < 0 or here > most:
            most = here
            best = action
    return best


@kernel
def drawn(legal, weights, shape, at, hidden, chance):
    """Draw a legal action from the policy. chance: uint64."""
    logits = stack_array(ACTION_LIMIT, np.float64)
    count = action_set.size(legal)
    most = -np.inf
    for k in range(count):
        logits[k] = preference(weights, shape, at, hidden, action_set.member(legal, k))
        most = max(most, logits[k])
    total = 0.0
    for k in range(count):
        logits[k] = np.exp(logits[k] - most)
        total += logits[k]
    left = total * np.float64(mix(chance + GOLDEN) >> np.uint64(11)) * _UNIT_53
    for k in range(count - 1):
        left -= logits[k]
        if left < 0:
            return action_set.member(legal, k)
    return action_set.member(legal, count - 1)


@kernel
def choose_by_network(rules, state, agent, networks):
    """Return the action of the network whose number is in `agent.kind`."""
    legal = agent.legal[: (rules.num_actions + 63) >> 6]
    legal_actions(rules, state, legal)
    if action_set.size(legal) == 1:
        return action_set.member(legal, 0)
    number = agent.kind - NETWORK
    weights, shape = networks.weights[number], networks.shapes[number]
    observation = stack_array(OBSERVATION_LIMIT, np.uint8)
    seen = observation[: shape[Shape.INPUTS]]
    observe(rules, state, np.int64(state.to_act), seen)
    hidden = stack_array(UNIT_LIMIT, np.float32)
    at = think(seen, weights, shape, hidden)
    if shape[Shape.SAMPLED]:
        return drawn(legal, weights, shape, at, hidden, agent.random)
    return likeliest(legal, weights, shape, at, hidden)
