"""Replay of recorded games with extra verbs at every decision, to measure the time of each verb."""

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from stardeck.kernels.compile.jit import entry
from stardeck.kernels.loops.playouts import decide
from stardeck.kernels.primitives import action_set
from stardeck.kernels.primitives.network import Networks
from stardeck.kernels.primitives.random import below, splitmix64
from stardeck.kernels.verbs import apply, legal_actions, observe

LEGAL, PICK, SPREAD, OBSERVE, CHOOSE, WRITE = (1 << bit for bit in range(6))  # work done before an action is applied


class Scratch(NamedTuple):
    """Output arrays for the verbs of one decision."""

    legal: NDArray[np.uint64]  # [words]
    mask: NDArray[np.int8]  # [num_actions]
    observation: NDArray[np.uint8]  # [observation_size]


@entry
def replay(rules, states, actions, counts, what, agent, kind, scratch):
    """Apply the actions of every game; before each, do the work that the bits of `what` select; return a sum.

    actions: uint16[n, longest]; counts: int64[n]; agent: AGENT[1], whose `kind` decides for CHOOSE, networks excluded;
    scratch: `Scratch`. The sum keeps the compiler from removing any of the work.
    """
    legal, mask, observation = scratch
    networks = Networks(np.empty((0, 0), np.float32), np.empty((0, 0), np.int64))
    total = np.int64(0)
    for i in range(len(states)):
        state = states[i]
        for k in range(counts[i]):
            if what & (LEGAL | PICK | SPREAD):
                legal_actions(rules[0], state, legal)
            if what & PICK:
                total += action_set.member(legal, below(splitmix64(np.uint64(i), k), action_set.size(legal)))
            if what & SPREAD:
                action_set.spread(legal, mask)
            if what & OBSERVE:
                observe(rules[0], state, np.int64(state.to_act), observation)
            if what & WRITE:
                mask[:] = k & 1
                observation[:] = k & 1
            if what & CHOOSE:
                agent[0].kind = kind
                agent[0].random = splitmix64(np.uint64(i), k)
                total += decide(rules[0], state, agent[0], networks)
            total += np.int64(legal[0] & np.uint64(1)) + mask[0] + observation[0]
            apply(rules[0], state, np.int64(actions[i, k]))
    return total
