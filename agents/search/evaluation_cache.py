"""A cache of network evaluations within a search.

The same cards played in another order lead to the same position, and deals that differ only in unseen cards look alike.
In Star Realms a third of the evaluations of 16 simulations repeat earlier ones, and more simulations repeat more. A
place holds one evaluation, under a hash of everything that it depends on; a later one overwrites it. Two evaluations
with the same 64 bits would be confused, which is expected once in a million years.
"""

import numpy as np

from stardeck.kernels.compile.jit import kernel, long_kernel
from stardeck.kernels.compile.stack_arrays import stack_array
from stardeck.kernels.primitives import action_set
from stardeck.kernels.primitives.network import (
    NETWORK,
    OBSERVATION_LIMIT,
    UNIT_LIMIT,
    Shape,
    likeliest,
    think,
    value_of,
)
from stardeck.kernels.primitives.random import mix, splitmix64
from stardeck.kernels.verbs import legal_actions, observe

ANSWER = np.dtype(
    [
        ("key", np.uint64),  # hash of the question; 0: empty
        ("answer", np.float64),  # an action or a value
    ],
    align=True,
)
FEWEST, MOST = 256, 65_536  # places; 8 for every simulation, between these
_ACTION = 0  # kinds of questions
_VALUE = 1


def room_for(simulations: int) -> int:
    """Return the number of places for a search of that many simulations, a power of two."""
    return 1 << (min(max(8 * simulations, FEWEST), MOST) - 1).bit_length()


@long_kernel
def digest(words, start):
    """Return a hash of words, uint64. Each is scrambled with its place alone, so no word waits for another."""
    total = np.uint64(start)
    for k in range(len(words)):
        total += splitmix64(words[k], k)
    return mix(total)


@kernel
def digest_of_sight(observation, size, start):
    """Return a hash of the first `size` bytes; the bytes that fill up the last word are overwritten."""
    words = (size + 7) >> 3
    for i in range(size, 8 * words):
        observation[i] = 0
    return digest(observation[: 8 * words].view(np.uint64), mix(np.uint64(start)))


@kernel
def place_of(memory, key):
    """Return the place of a key. The number of places is a power of two."""
    return np.int64(key & np.uint64(len(memory) - 1))


@kernel
def recalled_action(rules, state, agent, networks, memory):
    """Return the action of `choose_by_network`, for a network that takes the likeliest action."""
    legal = agent.legal[: (rules.num_actions + 63) >> 6]
    legal_actions(rules, state, legal)
    if action_set.size(legal) == 1:
        return action_set.member(legal, 0)
    number = np.int64(agent.kind) - NETWORK
    weights, shape = networks.weights[number], networks.shapes[number]
    size = np.int64(shape[Shape.INPUTS])
    observation = stack_array(OBSERVATION_LIMIT, np.uint8)
    observe(rules, state, np.int64(state.to_act), observation[:size])
    key = digest(legal, digest_of_sight(observation, size, 2 * number + _ACTION))
    here = memory[place_of(memory, key)]
    if here.key != key:
        hidden = stack_array(UNIT_LIMIT, np.float32)
        at = think(observation[:size], weights, shape, hidden)
        here.answer = likeliest(legal, weights, shape, at, hidden)
        here.key = key
    return np.int64(here.answer)


@kernel
def value_seen(observation, weights, shape):
    """Return a network's estimate for a seat with this observation."""
    hidden = stack_array(UNIT_LIMIT, np.float32)
    at = think(observation, weights, shape, hidden)
    return np.float64(value_of(weights, shape, at, hidden))


@kernel
def recalled_value(rules, state, kind, seat, networks, memory):
    """Return the estimate of a network of this kind for a seat, from that seat's observation."""
    number = kind - NETWORK
    size = np.int64(networks.shapes[number, Shape.INPUTS])
    observation = stack_array(OBSERVATION_LIMIT, np.uint8)
    observe(rules, state, seat, observation[:size])
    key = digest_of_sight(observation, size, 2 * number + _VALUE)
    here = memory[place_of(memory, key)]
    if here.key != key:
        here.answer = value_seen(observation[:size], networks.weights[number], networks.shapes[number])
        here.key = key
    return here.answer
