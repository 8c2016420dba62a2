"""Tree search over the verbs, for every game: simulations from each row of a batch.

A simulation redraws everything unknown to the searcher, walks down the tree, adds the actions of one position to it,
and plays a rollout. The rollout ends with the game, or at the end of a turn, where a value network evaluates the
position. A forced decision, with one legal action, is not part of the tree.
"""

import numpy as np

from stardeck.agents.search.belief import believe, draw_hidden
from stardeck.agents.search.evaluation import back_up
from stardeck.agents.search.information_sets import node_of_sight
from stardeck.agents.search.prior import ask, expand
from stardeck.agents.search.root import best_at_root, improved_policy, next_at_root, plan
from stardeck.agents.search.tree import DEPTH_LIMIT, NOBODY, UNASKED, child_of, lacks, select
from stardeck.agents.search.tree_reuse import graft, leave_below, take_up
from stardeck.agents.search.workspace import Workspace
from stardeck.kernels.compile.jit import entry, kernel
from stardeck.kernels.compile.stack_arrays import stack_array
from stardeck.kernels.primitives import action_set
from stardeck.kernels.primitives.action_set import WORD_LIMIT
from stardeck.kernels.primitives.random import splitmix64
from stardeck.kernels.verbs import apply, legal_actions

FIRST_ROUND = 64  # simulations that are planned for where a time limit decides their number


@kernel
def begin(tree, search, left):
    """Begin a tree, empty except for the nodes that the previous decision has left."""
    search.nodes = 1
    search.simulated = 0
    search.deals = 0
    search.squares = 0.0
    search.pooled = 0
    search.depth = 0
    search.answer = UNASKED
    search.waiting = 0
    tree[0].child = 0
    tree[0].visits = 0
    take_up(tree, search, left)


@kernel
def deal_again(rules, root, scratch, search, seed):
    """Copy the root into `scratch`, with everything unknown to the searcher redrawn, unless cards are open."""
    search.deal = seed
    scratch[0] = root
    if not search.open:
        draw_hidden(rules, scratch[0], search, np.int64(root.to_act), seed)


@kernel
def step(rules, state, search, action):
    """Apply an action, and count it."""
    apply(rules, state, action)
    search.decisions += 1


@kernel
def let_play(rules, state, work, kind):
    """Apply the action of an agent."""
    step(rules, state, work.search, ask(rules, state, kind, work, np.uint64(work.search.deal)))


@kernel
def enter(search, child):
    """Go down to a child."""
    search.path[search.depth] = child
    search.depth += 1
    search.node = child


@kernel
def begin_simulation(rules, root, work, legal, seed):
    """Take the first step from the root, or stop where the search waits for a prior policy."""
    scratch, tree, search = work.scratch, work.tree, work.search
    if tree[0].child == 0:
        if search.answer == UNASKED:
            deal_again(rules, root, scratch, search, seed)
        legal_actions(rules, scratch[0], legal)
        search.node = 0
        expand(rules, scratch[0], work, 0, legal)
        if search.waiting:
            return
        graft(tree, search)
        plan(tree, search, FIRST_ROUND if search.timed else search.simulations)
    child = next_at_root(tree, search)
    deal_again(rules, root, scratch, search, splitmix64(seed, tree[child].visits))
    enter(search, child)
    step(rules, scratch[0], search, np.int64(tree[child].action))


@kernel
def is_within(state, last):
    """Return true while a simulation continues: the game is not over, and its last turn has not come."""
    return state.to_act >= 0 and state.turn < last


@kernel
def is_known(state, search, seat):
    """Return true if the opponent model decides for the acting seat, which is on another side."""
    return search.others != NOBODY and search.side_of[state.to_act] != search.side_of[seat]


@kernel
def descend(rules, state, work, last, seat, legal):
    """Walk down the tree to a new position and add its actions, or stop where the search waits for a prior policy."""
    tree, search = work.tree, work.search
    while is_within(state, last) and search.depth < DEPTH_LIMIT:
        legal_actions(rules, state, legal)
        if action_set.size(legal) == 1:
            step(rules, state, search, action_set.member(legal, 0))
            continue
        if is_known(state, search, seat):
            let_play(rules, state, work, search.others)
            continue
        node = np.int64(search.node)
        if search.others != NOBODY:
            node = node_of_sight(rules, state, tree, search, work.sights)
            if node < 0:
                return
        new = tree[node].child == 0
        if lacks(tree, node, legal, np.int64(state.to_act)):
            if search.nodes + action_set.size(legal) > len(tree):
                return
            liked = expand(rules, state, work, node, legal)
            if search.waiting:
                return
            if new:
                if search.guide == search.player and (search.turns > 0 or search.judge == NOBODY):
                    step(rules, state, search, liked)
                return
        child = select(tree, search, node, legal, np.int64(state.to_act))
        enter(search, child)
        step(rules, state, search, np.int64(tree[child].action))


@kernel
def play_on(rules, state, work, last, seat):
    """Play the rollout, to the end of the game or until the value network evaluates it."""
    search = work.search
    if search.judge != NOBODY and search.turns == 0:
        return
    while is_within(state, last):
        kind = search.others if is_known(state, search, seat) else search.player
        let_play(rules, state, work, kind)


@kernel
def simulate(rules, root, work, seed):
    """Run one simulation, or its part up to a wait for the prior policy; the next call continues it."""
    state, search = work.scratch[0], work.search
    legal = stack_array(WORD_LIMIT, np.uint64)[: (rules.num_actions + 63) >> 6]
    last = np.int64(2**31)
    if search.judge != NOBODY and search.turns > 0:
        last = np.int64(root.turn) + search.turns
    if search.depth == 0:
        begin_simulation(rules, root, work, legal, seed)
        if search.waiting:
            return
    seat = np.int64(root.to_act)
    descend(rules, state, work, last, seat, legal)
    if search.waiting:
        return
    play_on(rules, state, work, last, seat)
    back_up(rules, state, work, seat)
    search.simulated += 1
    search.depth = 0


@kernel
def search_row(rules, root, work, seed, most, left):
    """Continue with one row, by `most` simulations or until the prior policy is due; return their number."""
    search = work.search
    if search.nodes == 0:
        begin(work.tree, search, left)
        believe(rules, root, search, work.networks)
    before = np.int64(search.simulated)
    last = min(np.int64(search.simulations), before + most)
    while search.simulated < last and not search.waiting:
        simulate(rules, root, work, seed)
    return search.simulated - before


@entry
def search_all(rules, states, seeds, buffers, networks, most, results, reused):
    """Continue with the rows of a batch, by `most` simulations or until the search waits for a prior policy.

    The batch is done when `row` of the search is the number of rows. Python evaluates a prior policy that is not
    compiled at `scratch[0]`, and puts its action into `answer`.

    Args:
        rules: The rules, one record.
        states: The decisions, one row each.
        seeds: The chance of each, uint64[rows].
        buffers: The `Buffers` of the batch.
        networks: The `Networks` of the agents.
        most: Maximum number of simulations.
        results: The `Results`, written.
        reused: The reused trees; `left` is written.
    """
    scratch, tree, sights, searches, agents, memory = buffers
    search = searches[0]
    work = Workspace(scratch, tree, sights, search, agents[0], networks, memory)
    offsets, found, values, chosen = results
    known, known_from, known_to = reused.before
    nodes, nodes_from, nodes_to = reused.left
    room = len(nodes) // max(len(states), 1)
    legal = stack_array(WORD_LIMIT, np.uint64)[: (rules[0].num_actions + 63) >> 6]
    while search.row < len(states):
        row = np.int64(search.row)
        legal_actions(rules[0], states[row], legal)
        here = found[offsets[row] : offsets[row + 1]]
        if action_set.size(legal) == 1:
            here[0].policy = 1.0
            here[0].prior = 1.0
            here[0].mean = np.nan
            here[0].tries = 0
            values[row] = np.nan
            chosen[row] = action_set.member(legal, 0)
        else:
            took_up = known[known_from[row] : known_to[row]]
            most -= search_row(rules[0], states[row], work, np.uint64(seeds[row]), most, took_up)
            if search.simulated < search.simulations:
                return
            values[row] = improved_policy(tree, search, here)
            chosen[row] = best_at_root(tree, search)
            child = child_of(tree, 0, chosen[row], np.int64(states[row].to_act))
            below = nodes[nodes_from[row] : nodes_from[row] + room]
            nodes_to[row] = nodes_from[row] + leave_below(tree, child, below)
        search.row += 1
        search.nodes = 0
