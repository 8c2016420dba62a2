"""The search tree: its nodes, and which way down from a node the next simulation takes.

A node stands for the actions that lead to it, as seen by the searcher. Which of its actions are legal may differ from
deal to deal: it gets a child for every action that was legal in one of them, and looks at those that are legal now.
(Cowling, Powley, Whitehouse: Information Set Monte Carlo Tree Search, 2012, single observer)
"""

import numpy as np

from stardeck.kernels.compile.jit import kernel
from stardeck.kernels.loops.playouts import SEAT_LIMIT
from stardeck.kernels.primitives import action_set

DEAL_LIMIT = 256  # tries of an action at the root, of which it is noted what the deal did
BELIEF_LIMIT = 3 * 24  # weights of a belief: of Interstellar Empire of four
DEPTH_LIMIT = 64  # decisions from the root; deeper ones are played on
NOBODY = -1
UNASKED = -1
OUTSIDE = -2  # the kind of a guide that is not compiled: Python asks it, and the search waits for the answer

NODE = np.dtype(
    [
        ("total", np.float64),  # returns of the seat that took the action, summed
        ("prior", np.float64),  # how likely the guide would take the action
        ("visits", np.int32),
        ("child", np.int32),  # the first one, 0: none
        ("sibling", np.int32),  # the next one, 0: none
        ("action", np.int16),  # that leads here
        ("actor", np.int8),  # the seat that took it
        ("considered", np.int8),  # at the root: whether it is still among those that are compared
    ],
    align=True,
)

SEARCH = np.dtype(
    [
        ("exploration", np.float64),  # what an action gets for few tries
        ("first_play", np.float64),  # how much less than the mean an action is worth before its first try
        ("temperature", np.float64),  # of a network's prior
        ("trust", np.float64),  # prior of what a guide that is no network would do; the rest is shared by all actions
        ("certainty", np.float64),  # how much the returns count beside the prior at the root
        ("deals", np.int64),  # of this decision so far, those that are noted
        ("by_deal", np.float64, (DEAL_LIMIT,)),  # returns of the seat that searches, summed over the actions tried
        ("squares", np.float64),  # of all these returns, summed
        ("candidates", np.int64),  # actions compared at the root
        ("simulations", np.int64),  # of a decision
        ("timed", np.int64),  # 1: it is not known beforehand how many that will be
        ("open", np.int64),  # 1: the searcher knows all that is hidden, and what chance will bring
        ("turns", np.int64),  # after which the judge is asked, 0: where the tree ends
        ("guide", np.int64),  # kind of the agent that says what to look at first
        ("player", np.int64),  # kind of the agent that plays on below the tree
        ("judge", np.int64),  # kind of the network that says what a position is worth, or NOBODY
        ("others", np.int64),  # kind of the agent that decides for the other sides, or NOBODY: they are in the tree
        ("belief", np.int64),  # kind of the network that says what the other hands hold, or NOBODY
        ("weights", np.float64, (BELIEF_LIMIT,)),  # what it says in this decision
        ("seen", np.int64),  # numbers of an observation
        ("sides", np.int64),
        ("side_of", np.int64, (SEAT_LIMIT,)),  # by seat, NOBODY above the number of players
        ("row", np.int64),  # the decision at work, in a batch
        ("nodes", np.int64),  # in use; the root is node 0; 0: the tree is to be begun
        ("left", np.int64),  # the node of the decision before, whose tree goes on in this one, 0: none
        ("simulated", np.int64),  # simulations of this decision so far
        ("decisions", np.int64),  # simulated so far, of all rows
        ("goal", np.int64),  # tries that every action still considered gets before the next halving
        ("planned", np.int64),  # simulations until the last halving
        ("share", np.int64),  # simulations of one halving
        ("path", np.int64, (DEPTH_LIMIT,)),  # nodes of one simulation
        ("node", np.int64),  # where the simulation stands
        ("depth", np.int64),  # decisions from the root so far, 0: a new simulation is to begin
        ("deal", np.uint64),  # the seed of its deal
        ("waiting", np.int64),  # 1: a guide outside has to say what it would do here
        ("answer", np.int64),  # what it said, or UNASKED
    ],
    align=True,
)


@kernel
def note_return(search, tries, gained):
    """What an action at the root returned that had been tried so often before: `tries` is the number of its deal."""
    if tries >= DEAL_LIMIT:
        return
    if tries == search.deals:
        search.by_deal[tries] = 0.0
        search.deals += 1
    search.by_deal[tries] += gained
    search.squares += gained * gained


@kernel
def is_here(child, legal, actor):
    """Whether a child stands for an action that `actor` may take now."""
    return child.actor == actor and action_set.contains(legal, np.int64(child.action))


@kernel
def child_of(tree, node, action, actor):
    """The node that an action of `actor` leads to, or 0."""
    child = np.int64(tree[node].child)
    while child != 0 and (tree[child].action != action or tree[child].actor != actor):
        child = np.int64(tree[child].sibling)
    return child


@kernel
def add_child(tree, search, node, action, actor, prior):
    """A new node, in which nothing is known yet."""
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
    """Whether an action that is legal now has no child yet."""
    missing = action_set.size(legal)
    child = np.int64(tree[node].child)
    while child != 0:
        missing -= np.int64(is_here(tree[child], legal, actor))
        child = np.int64(tree[child].sibling)
    return missing > 0


@kernel
def tried_here(tree, node, legal, actor):
    """What is known of the actions that are legal now: their returns, their tries, their priors, each summed."""
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
    """The child that deserves the next try: a high mean, and few tries for what it promises (PUCT).

    (Silver et al.: Mastering the game of Go without human knowledge, 2017)
    """
    total, visits, priors = tried_here(tree, node, legal, actor)
    untried = (total / visits if visits > 0 else 0.0) - search.first_play
    bonus = search.exploration * np.sqrt(visits + 1.0) / priors if priors > 0 else 0.0  # none of them is liked at all
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
