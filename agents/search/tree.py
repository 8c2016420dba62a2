"""The search tree: its nodes, and the choice of the next child in a simulation.

A node stands for the actions that lead to it, as seen by the searcher. The legal actions of a node may differ from deal
to deal. It gets a child for every action that was legal in some deal, and considers the children that are legal now.
(Cowling, Powley, Whitehouse: Information Set Monte Carlo Tree Search, 2012, single observer)
"""

import numpy as np

from stardeck.kernels.compile.jit import kernel
from stardeck.kernels.loops.playouts import SEAT_LIMIT
from stardeck.kernels.primitives import action_set

DEAL_LIMIT = 256  # tries of a root action whose deal effects are recorded
BELIEF_LIMIT = 3 * 24  # weights of an opponent-hand model: Interstellar Empire with four players
DEPTH_LIMIT = 64  # decisions from the root; deeper ones are part of the rollout
NOBODY = -1
UNASKED = -1
OUTSIDE = -2  # kind of a prior policy that is not compiled: Python evaluates it, and the search waits for the answer

NODE = np.dtype(
    [
        ("total", np.float64),  # sum of returns of the seat that took the action
        ("prior", np.float64),  # probability of the action under the prior policy
        ("visits", np.int32),
        ("child", np.int32),  # the first one, 0: none
        ("sibling", np.int32),  # the next one, 0: none
        ("action", np.int16),  # the action that leads here
        ("actor", np.int8),  # the seat that took it
        ("considered", np.int8),  # at the root: 1 if the action is still compared
    ],
    align=True,
)

SEARCH = np.dtype(
    [
        ("exploration", np.float64),  # weight of exploration below the root
        ("first_play", np.float64),  # reduction of an action's value below the mean before its first try
        ("temperature", np.float64),  # of a network's prior policy
        ("trust", np.float64),  # prior of the action of an agent that is not a network; all actions share the rest
        ("certainty", np.float64),  # weight of the returns relative to the prior at the root
        ("deals", np.int64),  # number of recorded deals of this decision so far
        ("by_deal", np.float64, (DEAL_LIMIT,)),  # returns of the searching seat by deal, summed over the actions tried
        ("squares", np.float64),  # of all these returns, summed
        ("pooled", np.int64),  # 1: the root holds the tries of several trees; then these hold for all of them:
        ("residual", np.float64),  # squares that neither the actions nor the deals explain,
        ("free", np.float64),  # and their degrees of freedom
        ("candidates", np.int64),  # actions compared at the root
        ("simulations", np.int64),  # of a decision
        ("timed", np.int64),  # 1: the number of simulations is not known beforehand
        ("open", np.int64),  # 1: the searcher knows everything hidden and the outcomes of chance
        ("turns", np.int64),  # rollout depth in turns; 0: evaluation at the leaf
        ("guide", np.int64),  # kind of the agent that gives the prior policy
        ("player", np.int64),  # kind of the agent that plays the rollout
        ("judge", np.int64),  # kind of the value network, or NOBODY
        ("others", np.int64),  # kind of the opponent model for the other sides, or NOBODY: they are in the tree
        ("belief", np.int64),  # kind of the opponent-hand model, or NOBODY
        ("weights", np.float64, (BELIEF_LIMIT,)),  # its weights in this decision
        ("seen", np.int64),  # size of an observation
        ("sides", np.int64),
        ("side_of", np.int64, (SEAT_LIMIT,)),  # by seat, NOBODY above the number of players
        ("row", np.int64),  # row of the current decision in a batch
        ("nodes", np.int64),  # nodes in use; the root is node 0; 0: the tree has not begun
        ("left", np.int64),  # node of the previous decision's tree that continues in this one, 0: none
        ("simulated", np.int64),  # simulations of this decision so far
        ("decisions", np.int64),  # simulated so far, in all rows
        ("goal", np.int64),  # tries that every considered action gets before the next halving
        ("planned", np.int64),  # simulations until the last halving
        ("share", np.int64),  # simulations of one halving
        ("path", np.int64, (DEPTH_LIMIT,)),  # nodes of one simulation
        ("node", np.int64),  # current node of the simulation
        ("depth", np.int64),  # decisions from the root so far, 0: a new simulation begins
        ("deal", np.uint64),  # the seed of its deal
        ("waiting", np.int64),  # 1: Python has to evaluate the prior policy here
        ("answer", np.int64),  # the action it gave, or UNASKED
    ],
    align=True,
)


@kernel
def note_return(search, tries, gained):
    """Record the return of a root action by its number of earlier `tries`, which is also the number of its deal."""
    if tries >= DEAL_LIMIT:
        return
    if tries == search.deals:
        search.by_deal[tries] = 0.0
        search.deals += 1
    search.by_deal[tries] += gained
    search.squares += gained * gained


@kernel
def is_here(child, legal, actor):
    """Return true if a child stands for an action that `actor` may take now."""
    return child.actor == actor and action_set.contains(legal, np.int64(child.action))


@kernel
def child_of(tree, node, action, actor):
    """Return the node that an action of `actor` leads to, or 0."""
    child = np.int64(tree[node].child)
    while child != 0 and (tree[child].action != action or tree[child].actor != actor):
        child = np.int64(tree[child].sibling)
    return child


@kernel
def add_child(tree, search, node, action, actor, prior):
    """Add an empty node."""
    child = np.int64(search.nodes)
    search.nodes += 1
    new = tree[child]
    new.action = action
    new.actor = actor
    new.prior = prior
    new.visits = 0
    new.total = 0.0
    new.child = 0
    new.considered = 0
    new.sibling = tree[node].child
    tree[node].child = child


@kernel
def lacks(tree, node, legal, actor):
    """Return true if some legal action has no child yet."""
    missing = action_set.size(legal)
    child = np.int64(tree[node].child)
    while child != 0:
        missing -= np.int64(is_here(tree[child], legal, actor))
        child = np.int64(tree[child].sibling)
    return missing > 0


@kernel
def tried_here(tree, node, legal, actor):
    """Return the summed returns, visits and priors of the actions that are legal now."""
    total = 0.0
    visits = 0
    prior = 0.0
    child = np.int64(tree[node].child)
    while child != 0:
        here = tree[child]
        if is_here(here, legal, actor):
            total += here.total
            visits += np.int64(here.visits)
            prior += here.prior
        child = np.int64(here.sibling)
    return total, visits, prior


@kernel
def select(tree, search, node, legal, actor):
    """Return the child for the next try: a high mean, and few tries relative to its prior (PUCT).

    (Silver et al.: Mastering the game of Go without human knowledge, 2017)
    """
    total, visits, priors = tried_here(tree, node, legal, actor)
    untried = (total / visits if visits > 0 else 0.0) - search.first_play
    bonus = search.exploration * np.sqrt(visits + 1.0) / priors if priors > 0 else 0.0  # all priors are 0
    best = 0
    most = -np.inf
    child = np.int64(tree[node].child)
    while child != 0:
        here = tree[child]
        if is_here(here, legal, actor):
            mean = here.total / here.visits if here.visits > 0 else untried
            deserved = mean + bonus * here.prior / (1.0 + here.visits)
            if deserved > most:
                most = deserved
                best = child
        child = np.int64(here.sibling)
    return best
