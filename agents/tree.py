"""The search tree: information-set Monte-Carlo tree search over the verbs, for every game.

One simulation deals again what the searcher cannot know, walks down the tree, adds one node, and plays the game out
with a compiled agent or asks a network what the position is worth. A node stands for the actions that lead to it, as
seen by the searcher; which of its actions are legal may differ from deal to deal, so each keeps count of how often it
could have been taken. (Cowling, Powley, Whitehouse: Information Set Monte Carlo Tree Search, 2012, single observer)

Two things make few simulations go far. What a compiled agent or a network would do is looked at first (as in AlphaZero,
Silver et al. 2017). And the k-th try of every action at the root uses the k-th deal, so that actions are compared on
the same deals.
"""

import numpy as np

from stardeck.kernels import actionset
from stardeck.kernels.actionset import WORD_LIMIT
from stardeck.kernels.jit import entry, kernel
from stardeck.kernels.network import NETWORK, OBSERVATION_LIMIT, UNIT_LIMIT, think, value_of
from stardeck.kernels.playing import SEAT_LIMIT, decide
from stardeck.kernels.random import splitmix64
from stardeck.kernels.scratch import stack_array
from stardeck.kernels.verbs import apply, legal_actions, observe, resample_hidden

ALGORITHM = 2  # raised whenever searches choose otherwise than before: results of two are never mixed
DEPTH_LIMIT = 64  # decisions from the root; deeper ones are played out
NOBODY = -1
UNASKED = -1
OUTSIDE = -2  # the kind of a guide that is not compiled: Python asks it, and the search waits for the answer

NODE = np.dtype(
    [
        ("total", np.float64),  # returns of the seat that took the action, summed
        ("visits", np.int32),
        ("available", np.int32),  # how often the action could have been taken
        ("child", np.int32),  # the first one, 0: none
        ("sibling", np.int32),  # the next one, 0: none
        ("action", np.int16),  # that leads here
        ("guided", np.int16),  # what the guide would do from here, or UNASKED
        ("actor", np.int32),  # the seat that took it
    ],
    align=True,
)

SEARCH = np.dtype(
    [
        ("exploration", np.float64),
        ("trust", np.float64),  # prior probability of what the guide would do; the rest is shared by all actions
        ("guide", np.int64),  # kind of the agent whose choice is looked at first
        ("player", np.int64),  # kind of the agent that plays games out
        ("judge", np.int64),  # kind of the network that says what a position is worth, or NOBODY
        ("turns", np.int64),  # played out before the judge is asked
        ("sides", np.int64),
        ("side_of", np.int64, (SEAT_LIMIT,)),  # by seat, NOBODY above the number of players
        ("nodes", np.int64),  # in use; the root is node 0
        ("guided", np.int64),  # what the guide would do at the root
        ("simulations", np.int64),  # so far
        ("decisions", np.int64),  # simulated so far
        ("path", np.int64, (DEPTH_LIMIT,)),  # nodes of one simulation
        ("node", np.int64),  # where the simulation stands
        ("depth", np.int64),  # decisions from the root so far, 0: a new simulation is to begin
        ("deal", np.uint64),  # the seed of its deal
        ("waiting", np.int64),  # 1: a guide outside has to say what it would do here
    ],
    align=True,
)


@kernel
def return_of(search, state, seat):
    """What a game that is over pays a seat; a draw and a truncated game pay nothing."""
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
    """What a seat gets when another side wins."""
    return -1.0 / max(search.sides - 1, 1)


@kernel
def child_of(tree, node, action, actor):
    """The node that an action of `actor` leads to, or 0."""
    child = np.int64(tree[node].child)
    while child != 0 and (tree[child].action != action or tree[child].actor != actor):
        child = np.int64(tree[child].sibling)
    return child


@kernel
def add_child(tree, search, node, action, actor):
    """A new node, in which nothing is known yet."""
    child = np.int64(search.nodes)
    search.nodes += 1
    new = tree[child]
    new.action = action
    new.actor = actor
    new.guided = UNASKED
    new.visits = 0
    new.available = 0
    new.total = 0.0
    new.child = 0
    new.sibling = tree[node].child
    tree[node].child = child
    return child


@kernel
def mean_here(tree, node, legal, actor):
    """The mean return of `actor` over all tries of actions that are legal now; counts that they could be taken."""
    total = 0.0
    visits = 0
    child = np.int64(tree[node].child)
    while child != 0:
        here = tree[child]
        if here.actor == actor and actionset.contains(legal, here.action):
            here.available += 1
            total += here.total
            visits += here.visits
        child = np.int64(here.sibling)
    return total / visits if visits > 0 else 0.0


@kernel
def select(tree, search, node, legal, actor, guided):
    """The action that deserves the next try: a high mean, and few tries for what it promises (PUCT)."""
    mean = mean_here(tree, node, legal, actor)
    size = actionset.size(legal)
    best = NOBODY
    most = -np.inf
    for k in range(size):
        action = actionset.member(legal, k)
        prior = (1.0 - search.trust) / size + (search.trust if action == guided else 0.0)
        child = child_of(tree, node, action, actor)
        if child != 0 and tree[child].visits > 0:
            here = tree[child]
            bonus = search.exploration * prior * np.sqrt(np.float64(here.available)) / (1 + here.visits)
            deserved = here.total / here.visits + bonus
        else:
            deserved = mean + search.exploration * prior * np.sqrt(tree[node].visits + 1.0)
        if deserved > most:
            most = deserved
            best = action
    return best


@kernel
def ask(rules, state, kind, agent, weights, shapes, seed):
    """What an agent would do."""
    agent.kind = kind
    agent.random = splitmix64(seed, state.decisions)
    return decide(rules, state, agent, weights, shapes)


@kernel
def guided_from(rules, state, node, search, agent, weights, shapes, legal, seed):
    """What the guide would do. A network, which takes long to ask, is asked once for a node.

    It is asked again where its answer is not legal in another deal. A guide outside is waited for.
    """
    if search.guide == OUTSIDE:
        search.waiting = np.int64(not actionset.contains(legal, node.guided))
        return np.int64(node.guided)
    if search.guide < NETWORK:
        return ask(rules, state, search.guide, agent, weights, shapes, seed)
    if not actionset.contains(legal, node.guided):
        node.guided = ask(rules, state, search.guide, agent, weights, shapes, seed)
    return np.int64(node.guided)


@kernel
def play_out(rules, state, search, agent, weights, shapes, seed):
    """Let the player play all seats, to the end or until the judge is to be asked; counts decisions."""
    last = np.int64(state.turn) + search.turns
    while state.to_act >= 0 and (search.judge == NOBODY or state.turn < last):
        apply(rules, state, ask(rules, state, search.player, agent, weights, shapes, seed))
        search.decisions += 1


@kernel
def judged(rules, state, search, weights, shapes):
    """What the judge expects for the seat to act."""
    number = search.judge - NETWORK
    observation = stack_array(OBSERVATION_LIMIT, np.uint8)
    seen = observation[: shapes[number, 0]]
    observe(rules, state, np.int64(state.to_act), seen)
    hidden = stack_array(UNIT_LIMIT, np.float32)
    at = think(seen, weights[number], shapes[number], hidden)
    return min(1.0, max(-1.0, np.float64(value_of(weights[number], shapes[number], at, hidden))))


@kernel
def back_up(rules, state, tree, search, depth, weights, shapes):
    """Add to every node of the path what its actor got."""
    over = state.to_act < 0
    worth = 0.0 if over else judged(rules, state, search, weights, shapes)
    for k in range(depth):
        node = tree[search.path[k]]
        if over:
            gained = return_of(search, state, np.int64(node.actor))
        elif search.side_of[node.actor] == search.side_of[state.to_act]:
            gained = worth
        else:
            gained = worth * loss(search)
        node.visits += 1
        node.total += gained


@kernel
def descend(rules, state, tree, search, first, agent, weights, shapes, legal, seed):
    """Walk down from the root by `first` and then by `select`, and add a node; or until a guide is waited for."""
    node = np.int64(search.node)
    depth = np.int64(search.depth)
    while state.to_act >= 0 and depth < DEPTH_LIMIT:
        actor = np.int64(state.to_act)
        action = first
        if depth > 0:
            legal_actions(rules, state, legal)
            guided = guided_from(rules, state, tree[node], search, agent, weights, shapes, legal, seed)
            if search.waiting:
                break
            action = select(tree, search, node, legal, actor, guided)
        child = child_of(tree, node, action, actor)
        if child == 0:
            child = add_child(tree, search, node, action, actor)
            tree[child].available = 1
        apply(rules, state, action)
        search.decisions += 1
        search.path[depth] = child
        depth += 1
        node = child
        if tree[child].visits == 0:
            break
    search.node = node
    search.depth = depth


@entry
def search_one(rules, states, scratch, tree, searches, agents, weights, shapes, seed, simulations):
    """Simulate so many more times from the first row, or until `waiting` for a guide outside.

    It is asked about `scratch[0]`, its answer goes into `guided` of `node`, or of the search itself where that is the
    root, and the next call goes on. scratch: one more state; tree: NODE[simulations in all + 1]; searches: SEARCH[1],
    without nodes before the first call; agents: AGENT[1], scratch.
    """
    search = searches[0]
    seat = np.int64(states[0].to_act)
    root_legal = stack_array(WORD_LIMIT, np.uint64)[: (rules[0].num_actions + 63) >> 6]
    legal = stack_array(WORD_LIMIT, np.uint64)[: (rules[0].num_actions + 63) >> 6]
    legal_actions(rules[0], states[0], root_legal)
    if search.nodes == 0:
        begin(rules[0], states, scratch, tree, search, agents[0], weights, shapes, seed)
    last = search.simulations + simulations
    while search.simulations < last and not search.waiting:
        first = np.int64(NOBODY)
        if search.depth == 0:
            first = select(tree, search, 0, root_legal, seat, np.int64(search.guided))
            child = child_of(tree, 0, first, seat)
            tried = np.int64(tree[child].visits) if child != 0 else 0
            search.deal = splitmix64(np.uint64(seed), tried)
            search.node = 0
            scratch[0] = states[0]
            resample_hidden(rules[0], scratch[0], seat, np.uint64(search.deal))
        state = scratch[0]
        deal_seed = np.uint64(search.deal)
        descend(rules[0], state, tree, search, first, agents[0], weights, shapes, legal, deal_seed)
        if search.waiting:
            break
        play_out(rules[0], state, search, agents[0], weights, shapes, deal_seed)
        back_up(rules[0], state, tree, search, np.int64(search.depth), weights, shapes)
        tree[0].visits += 1
        search.simulations += 1
        search.depth = 0


@kernel
def begin(rules, states, scratch, tree, search, agent, weights, shapes, seed):
    """An empty tree; the guide is asked about the root as the searcher sees it."""
    search.nodes = 1
    tree[0].child = 0
    tree[0].visits = 0
    scratch[0] = states[0]
    resample_hidden(rules, scratch[0], np.int64(states[0].to_act), np.uint64(seed))
    search.deal = np.uint64(seed)
    search.node = 0
    search.depth = 0
    search.waiting = np.int64(search.guide == OUTSIDE)
    if not search.waiting:
        search.guided = ask(rules, scratch[0], search.guide, agent, weights, shapes, np.uint64(seed))
