"""Evaluation of a simulation: the return of a finished game, or a value network's estimate where it stopped."""

import numpy as np

from stardeck.agents.search.evaluation_cache import recalled_value, value_seen
from stardeck.agents.search.tree import NOBODY, note_return
from stardeck.kernels.compile.jit import kernel
from stardeck.kernels.compile.stack_arrays import stack_array
from stardeck.kernels.loops.playouts import SEAT_LIMIT
from stardeck.kernels.primitives.network import NETWORK, OBSERVATION_LIMIT, Shape
from stardeck.kernels.verbs import observe


@kernel
def return_of(search, state, seat):
    """Return a seat's return in a finished game; a draw and a truncated game give 0."""
    if state.truncated:
        return 0.0
    winner = NOBODY
    for other in range(SEAT_LIMIT):
        side = search.side_of[other]
        if side != NOBODY and state.placement[other] == 1:
            if winner != NOBODY and winner != side:
                return 0.0
            winner = np.int64(side)
    return 1.0 if winner == search.side_of[seat] else loss(search)


@kernel
def loss(search):
    """Return the return of a seat when another side wins."""
    return -1.0 / max(search.sides - 1, 1)


@kernel
def bounded(value):
    """Return a value clipped to the range of returns, -1 to 1."""
    return min(1.0, max(-1.0, value))


@kernel
def expected(rules, state, judge, seat, networks):
    """Return a network's estimate for a seat from that seat's observation, -1 to 1. judge: kind of the network."""
    number = judge - NETWORK
    observation = stack_array(OBSERVATION_LIMIT, np.uint8)
    seen = observation[: networks.shapes[number, Shape.INPUTS]]
    observe(rules, state, seat, seen)
    return bounded(value_seen(seen, networks.weights[number], networks.shapes[number]))


@kernel
def expected_here(rules, state, judge, seat, networks, memory):
    """Return `expected` within a search, which caches evaluations."""
    return bounded(recalled_value(rules, state, judge, seat, networks, memory))


@kernel
def judged(rules, state, search, seat, networks, memory):
    """Return the value network's estimate for `seat`; if the other of two sides is to act, the mean of both views.

    Each side knows a hand that was drawn for this simulation only, so the mean of two views depends less on that hand.
    With three or more sides, the estimate for the next side says little about the searcher.
    """
    actor = np.int64(state.to_act)
    own = search.side_of[actor] == search.side_of[seat]
    mine = expected_here(rules, state, search.judge, actor if own else seat, networks, memory)
    if own or search.sides > 2:
        return mine
    return 0.5 * (mine - expected_here(rules, state, search.judge, actor, networks, memory))


@kernel
def back_up(rules, state, work, seat):
    """Add the return of its actor to every node of the path. work: `Workspace`; seat: the searcher."""
    tree, search = work.tree, work.search
    over = state.to_act < 0
    worth = 0.0 if over else judged(rules, state, search, seat, work.networks, work.memory)
    for k in range(search.depth):
        node = tree[search.path[k]]
        if over:
            gained = return_of(search, state, np.int64(node.actor))
        elif search.side_of[node.actor] == search.side_of[seat]:
            gained = worth
        else:
            gained = worth * loss(search)
        if k == 0:
            note_return(search, np.int64(node.visits), gained)
        node.visits += 1
        node.total += gained
