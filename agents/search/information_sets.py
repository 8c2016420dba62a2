"""Where a search stands by what is seen there, if it is known how the others decide.

Chance and the others bring one simulation elsewhere than another after the same actions of the searcher. What it should
do then depends on what it sees, which stands in no path of its own actions. So the actions of a position hang on a node
that is found by the sight of whoever decides there: one for all deals and orders of play that look alike, an
information set. (Cowling, Powley, Whitehouse: Information Set Monte Carlo Tree Search, 2012)
"""

import numpy as np

from stardeck.agents.search.evaluation_cache import digest_of_sight
from stardeck.kernels.compile.jit import kernel
from stardeck.kernels.compile.stack_arrays import stack_array
from stardeck.kernels.primitives.network import OBSERVATION_LIMIT
from stardeck.kernels.verbs import observe

SIGHT = np.dtype(
    [
        ("key", np.uint64),  # what is seen, as a number
        ("node", np.int32),
        ("row", np.int32),  # of the batch, in whose search it was seen; -1: in none
    ],
    align=True,
)
MOST = 131_072  # places
_LOOKED = 16  # places that are looked at; if all hold others, the first is taken, and its node is forgotten


def no_sights(simulations: int) -> np.ndarray:
    """Places for a search of so many simulations, each of which adds one node at most: SIGHT[a power of two]."""
    sights = np.zeros(1 << (min(2 * simulations, MOST) - 1).bit_length(), SIGHT)
    sights["row"] = -1
    return sights


@kernel
def node_of_sight(rules, state, tree, search, sights):
    """The node of what the seat to act sees, a new one if there is none; -1: the tree is full."""
    actor = np.int64(state.to_act)
    observation = stack_array(OBSERVATION_LIMIT, np.uint8)
    size = np.int64(search.seen)
    observe(rules, state, actor, observation[:size])
    key = digest_of_sight(observation, size, actor)
    place = place_of_sight(sights, key, np.int64(search.row))
    here = sights[place]
    if here.key == key and here.row == search.row:
        return np.int64(here.node)
    if search.nodes >= len(tree):
        return -1
    here.key = key
    here.row = search.row
    here.node = search.nodes
    search.nodes += 1
    tree[here.node].child = 0
    tree[here.node].sibling = 0
    tree[here.node].visits = 0
    return np.int64(here.node)


@kernel
def place_of_sight(sights, key, row):
    """Where it is, or may be put."""
    first = np.int64(key & np.uint64(len(sights) - 1))
    for step in range(min(_LOOKED, len(sights))):
        place = (first + step) & (len(sights) - 1)
        if sights[place].row != row or sights[place].key == key:
            return place
    return first
