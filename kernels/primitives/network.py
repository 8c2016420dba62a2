"""Small networks played by compiled code: observation in, preferences among the legal actions and a value out.

An observation is mostly zeros and a decision has ten legal actions among hundreds, so that only the rows of the first
layer that count and the outputs that may be chosen are computed: a few microseconds on one core. Sums are taken in one
fixed order, so that an action depends on the weights and the observation alone, not on the batch.

A network is a row of `weights` (float32) with its row of `shapes` (SHAPE, see `Shape`): layers of rectified units, or
of units that give the hyperbolic tangent of their sum, each stored as its matrix [inputs, units] and its biases
[units]; then the policy as [actions, units] and [actions], then the value as [units] and one bias. Inputs are the bytes
of the observation as the kernel writes them.
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
SIDE_BY_SIDE = 32  # units that are summed at once: as many as fit into the registers of every processor
OBSERVATION_LIMIT = 8_192
WORDS = OBSERVATION_LIMIT // 8
ACTION_LIMIT = 64 * WORD_LIMIT
_UNIT_53 = 2.0**-53


class Shape(IntEnum):
    """Where a row of `shapes` says what."""

    INPUTS = 0  # observation_size
    ACTIONS = 1
    LAYERS = 2
    UNITS = 3  # of the first layer, then of the others
    SAMPLED = 3 + LAYER_LIMIT  # 1: actions are drawn from the policy, 0: the likeliest is taken
    TANH = 4 + LAYER_LIMIT  # 1: units give the hyperbolic tangent of their sum, 0: they are rectified


SHAPE_SIZE = Shape.TANH + 1


class Networks(NamedTuple):
    """The networks, and the tables, of the agents in a loop: a row of both arrays for each."""

    weights: NDArray[np.float32]  # [rows, size]
    shapes: NDArray[np.int64]  # [rows, SHAPE_SIZE]


@kernel
def tanh(x):
    """The hyperbolic tangent of a float32, as a quotient of polynomials: the same bits on every machine.

    The libraries of two systems differ in the last bit. (Coefficients: Eigen, generic_fast_tanh_float)
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
    """What the units of a layer make of their sums, in place."""
    if with_tanh:
        for j in range(units):
            hidden[j] = tanh(hidden[j])
    else:
        for j in range(units):
            hidden[j] = max(hidden[j], np.float32(0))


@long_kernel
def find_in(before, start, stop, found, count):
    """Write down where `before` is not zero, from `start` to `stop`, behind `count` places; returns how many there are.

    Without a branch: nobody can tell beforehand which inputs count, and a wrong guess costs more than ten of them.
    """
    for i in range(start, stop):
        found[count] = i
        count += before[i] != 0
    return count


@long_kernel
def find_inputs(before, width, found):
    """Write down where `before` is not zero, from the first place to the last; returns how many places there are."""
    return find_in(before, 0, width, found, 0)


@long_kernel
def find_bytes(before, width, found):
    """`find_inputs` for an observation: eight bytes at once, and a closer look only at those that are not all zero."""
    whole = width & ~7
    words = before[:whole].view(np.uint64)
    filled = stack_array(WORDS, np.uint16)
    count = 0
    for k in range(find_inputs(words, len(words), filled)):
        start = 8 * np.int64(filled[k])
        count = find_in(before, start, start + 8, found, count)
    return find_in(before, whole, width, found, count)


class Inputs(NamedTuple):
    """The inputs of a layer."""

    values: NDArray  # [inputs]
    places: NDArray[np.uint16]  # of the values that are not zero
    count: int  # how many of the places there are


@long_kernel
def sum_of_unit(inputs, weights, at, units, unit, start):
    """The sum of one unit: `start` and then each input times its weight, one after the other."""
    so_far = start
    for k in range(inputs.count):
        place = np.int64(inputs.places[k])
        so_far += np.float32(inputs.values[place]) * weights[at + place * units + unit]
    return so_far


@long_kernel
def sum_side_by_side(inputs, weights, at, units, first, bias, hidden):
    """`sum_of_unit` for as many units as stand side by side, from `first`: with the same bits, in registers."""
    sums = taken(weights, bias + first, SIDE_BY_SIDE)
    for k in range(inputs.count):
        place = np.int64(inputs.places[k])
        sums = plus_product(sums, np.float32(inputs.values[place]), weights, at + place * units + first)
    put(sums, hidden, first)


@long_kernel
def sum_up(inputs, width, weights, at, units, hidden):
    """Sum a layer of `units` above `width` inputs, in their order; returns where the next layer begins.

    The last units are summed twice where the number does not come out even.
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
    """A sum of products over `units`, a multiple of 8, in eight partial sums side by side."""
    sums = zeros(8)
    for k in range(0, units, 8):
        sums = plus_product(sums, taken(row, k, 8), hidden, k)
    return total(sums)


@long_kernel
def think(observation, weights, shape, hidden):
    """Run the layers; the last one is in `hidden` (float32[UNIT_LIMIT]). Returns where the policy begins."""
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
    """How many units the last layer has."""
    return shape[Shape.UNITS + shape[Shape.LAYERS] - 1]


@kernel
def value_of(weights, shape, at, hidden):
    """The value that the network expects: the return of the seat that looks, about -1 to 1."""
    units = last_units(shape)
    start = at + shape[Shape.ACTIONS] * (units + 1)
    return dot(weights[start : start + units], hidden, units) + weights[start + units]


@kernel
def preference(weights, shape, at, hidden, action):
    """The logit of an action."""
    units = last_units(shape)
    start = at + action * units
    return dot(weights[start : start + units], hidden, units) + weights[at + shape[Shape.ACTIONS] * units + action]


@kernel
def likeliest(legal, weights, shape, at, hidden):
    """The legal action with the highest logit; of equal ones the lowest."""
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
    """A legal action drawn from the policy. chance: uint64."""
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
    """The action of the network whose number is in `agent.kind`."""
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
