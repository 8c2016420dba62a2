"""Information sets: positions by their observation, for searches with a known opponent model.

After the same actions of the searcher, chance and opponents lead simulations to different positions. The best action
depends on the searcher's observation, which is not part of the path of its own actions. So the actions of a position
belong to a node that is found by the observation of the acting seat. All deals and orders of play that look alike share
one node, an information set. (Cowling, Powley, Whitehouse: Information Set Monte Carlo Tree Search, 2012)
"""

import numpy as np

from stardeck.agents.search.evaluation_cache import digest_of_sight
from stardeck.kernels.compile.jit import kernel
from stardeck.kernels.compile.stack_arrays import stack_array
from stardeck.kernels.primitives.network import OBSERVATION_LIMIT
from stardeck.kernels.verbs import observe

SIGHT = np.dtype(
    [
        ("key", np.uint64),  # hash of the observation
        ("node", np.int32),
        ("row", np.int32),  # row of the batch whose search has observed it; -1: empty
    ],
    align=True,
)
MOST = 131_072  # places
_LOOKED = 16  # places that are probed; if all hold other keys, the first is overwritten and its node is lost


def no_sights(simulations: int) -> np.ndarray:
    """Return empty places for a search of that many simulations, each adding at most one node: SIGHT[power of two]."""
    sights = np.zeros(1 << (min(2 * simulations, MOST) - 1).bit_length(), SIGHT)
    sights["row"] = -1
    return sights


@kernel
def node_of_sight(rules, state, tree, search, sights):
    """Return the node of the acting seat's observation, a new one if necessary; -1: the tree is full."""
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
    """Return the place of a key, or a place where it may be put."""
    first = np.int64(key & np.uint64(len(sights) - 1))
    for step in range(min(_LOOKED, len(sights))):
        place = (first + step) & (len(sights) - 1)
        if sights[place].row != row or sights[place].key == key:
            return place
    return first
