"""Loops over many games at once; they serve every game, for the verbs are resolved by the type of the states.

`rules` is an array of one record, `states` an array of game records, one row per game. Every function releases the
GIL, so that threads can share a batch between them by slices. No function here checks more than its text says.
"""

import numpy as np

from stardeck.kernels import actionset
from stardeck.kernels.actionset import WORD_LIMIT
from stardeck.kernels.jit import entry, kernel
from stardeck.kernels.network import NETWORK, UNIT_LIMIT, choose_by_network, think, value_of
from stardeck.kernels.random import below, mix, splitmix64
from stardeck.kernels.scratch import stack_array
from stardeck.kernels.verbs import apply, choose, deal, legal_actions, observe, resample_hidden

SEAT_LIMIT = 8  # no game has more seats
STRIDE = 32  # masks are searched stretch by stretch

AGENT = np.dtype(
    [
        ("random", np.uint64),  # the chance of this decision
        ("kind", np.int64),  # which compiled agent
        ("legal", np.uint64, (WORD_LIMIT,)),  # scratch for a set of actions
        ("stream", np.uint64, (SEAT_LIMIT,)),  # where the chance of each seat's agent begins in this game
    ],
    align=True,
)


@entry
def copy_states(target, source):
    """Copy rows; much faster than ndarray.copy() of nested records."""
    for i in range(len(source)):
        target[i] = source[i]


@entry
def deal_all(rules, states, seeds):
    """Deal a game into every blank row. seeds: uint64[n]."""
    for i in range(len(states)):
        deal(rules[0], states[i], seeds[i])


@entry
def deal_over(rules, states, blank, seeds):
    """Deal a new game into every row that is over; returns how many. blank: one row of zeros; seeds: uint64[n]."""
    dealt = 0
    for i in range(len(states)):
        if states[i].to_act < 0:
            states[i] = blank[0]
            deal(rules[0], states[i], seeds[i])
            dealt += 1
    return dealt


@entry
def mask_all(rules, states, legal, masks):
    """Legal actions of every row as int8[n, num_actions]. legal: uint64[words], scratch."""
    for i in range(len(states)):
        legal_actions(rules[0], states[i], legal)
        actionset.spread(legal, masks[i])


@entry
def first_illegal(rules, states, actions, legal):
    """The first row whose action (int64[n]) is not legal, or -1. legal: uint64[words], scratch."""
    for i in range(len(states)):
        legal_actions(rules[0], states[i], legal)
        if actions[i] >= rules[0].num_actions or not actionset.contains(legal, actions[i]):
            return i
    return -1


@entry
def apply_all(rules, states, actions):
    """Apply a legal action (int64[n]) to every row."""
    for i in range(len(states)):
        apply(rules[0], states[i], actions[i])


@entry
def observe_all(rules, states, seats, observations):
    """What seats (int64[n]) may know of their rows: uint8[n, observation_size]."""
    for i in range(len(states)):
        observe(rules[0], states[i], seats[i], observations[i])


@entry
def resample_all(rules, states, seats, seeds):
    """Deal again in every row what its seat (int64[n]) cannot know. seeds: uint64[n]."""
    for i in range(len(states)):
        resample_hidden(rules[0], states[i], seats[i], seeds[i])


@kernel
def show(rules, state, legal, mask, observation):
    """Mask and observation of the seat to act; the observation stays as it is when the game is over."""
    legal_actions(rules, state, legal)
    actionset.spread(legal, mask)
    if state.to_act >= 0:
        observe(rules, state, np.int64(state.to_act), observation)


@entry
def show_and_pick_all(rules, states, legal, masks, observations, seeds, actions):
    """Masks and observations of the seats to act of all rows, and for each a legal action drawn like `pick_all`.

    seeds: uint64[n]; actions: int64[n], -1 where a game is over.
    """
    for i in range(len(states)):
        show(rules[0], states[i], legal, masks[i], observations[i])
        count = actionset.size(legal)
        actions[i] = actionset.member(legal, below(seeds[i], count)) if count > 0 else -1


@entry
def show_one(rules, states, legal, mask, observation):
    """Mask and observation of the seat to act in the first row; returns that seat, -1 when the game is over."""
    show(rules[0], states[0], legal, mask, observation)
    return np.int64(states[0].to_act)


@entry
def step_one(rules, states, action, legal, mask, observation):
    """Apply a legal action to the first row and show it: `show_one`."""
    apply(rules[0], states[0], action)
    show(rules[0], states[0], legal, mask, observation)
    return np.int64(states[0].to_act)


@kernel
def decide(rules, state, agent, weights, shapes):
    """The action of a compiled agent: a network if its kind says so (kernels/network.py), else what `choose` knows."""
    if agent.kind >= NETWORK:
        return choose_by_network(rules, state, agent, weights, shapes)
    return choose(rules, state, agent)


@entry
def play_until(rules, states, agent, seat, kinds, weights, shapes, agent_seed, game_seed):
    """Let compiled agents play the first row until `seat` decides or the game is over.

    agent: AGENT[1], scratch; kinds: int64[seats]; weights, shapes: of the networks among them.
    """
    state = states[0]
    while state.to_act >= 0 and state.to_act != seat:
        actor = np.int64(state.to_act)
        agent[0].kind = kinds[actor]
        agent[0].random = decision_seed(agent_seed, game_seed, actor, state.decisions)
        apply(rules[0], state, decide(rules[0], state, agent[0], weights, shapes))


@entry
def pick_one(mask, seed):
    """A legal action of one mask (int8[num_actions]), each as likely; -1 where none is. seed: uint64."""
    return pick(mask, seed)


@kernel
def count_ones(mask):
    """How many actions of a stretch of a mask are legal; narrow sums are the ones that become wide additions."""
    count = np.int32(0)
    for action in range(len(mask)):
        count = np.int32(count + np.int32(mask[action]))
    return np.int64(count)


@kernel
def pick(mask, seed):
    """A legal action of a mask (int8[num_actions]), each as likely; -1 where none is. seed: uint64."""
    count = count_ones(mask)
    if count == 0:
        return -1
    k = below(np.uint64(seed), count)
    for start in range(0, len(mask), STRIDE):
        stretch = mask[start : start + STRIDE]
        here = count_ones(stretch)
        if k >= here:
            k -= here
            continue
        for action in range(len(stretch)):
            k -= stretch[action]
            if k < 0:
                return start + action
    return -1


@entry
def pick_all(masks, seeds, actions):
    """A legal action for every row of masks (int8[n, num_actions]). seeds: uint64[n]; actions: int64[n]."""
    for i in range(len(masks)):
        actions[i] = pick(masks[i], seeds[i])


@kernel
def agent_stream(agent_seed, game_seed, seat):
    """Where the stream of chance begins on which the agent of a seat draws in a game: uint64."""
    return splitmix64(np.uint64(agent_seed) ^ mix(np.uint64(game_seed)), seat)


@kernel
def decision_seed(agent_seed, game_seed, seat, decision):
    """The chance an agent draws on at one decision: uint64. `decision` counts the game's actions from the deal."""
    return splitmix64(agent_stream(agent_seed, game_seed, seat), decision)


@entry
def seed_one(agent_seed, game_seed, seat, decision):
    """`decision_seed` for Python: uint64."""
    return decision_seed(agent_seed, game_seed, seat, decision)


@entry
def seed_all(agent_seed, game_seeds, seats, decisions, seeds):
    """`decision_seed` for every row: game_seeds, seeds: uint64[n]; seats, decisions: int64[n]."""
    for i in range(len(seeds)):
        seeds[i] = decision_seed(agent_seed, game_seeds[i], seats[i], decisions[i])


@entry
def seed_blocks(series_seed, blocks, seeds):
    """The deal seeds of blocks (int64[n]) of a series: seeds uint64[n]."""
    for i in range(len(blocks)):
        seeds[i] = splitmix64(np.uint64(series_seed), blocks[i])


@entry
def choose_all(rules, states, agent, kind, weights, shapes, seeds, actions):
    """The action of compiled agent `kind` for every row.

    agent: AGENT[1], scratch; weights, shapes: of the network if it is one; seeds: uint64[n]; actions: int64[n].
    """
    for i in range(len(states)):
        agent[0].kind = kind
        agent[0].random = seeds[i]
        actions[i] = decide(rules[0], states[i], agent[0], weights, shapes)


@entry
def play_out(rules, states, agent, kinds, weights, shapes, agent_seed, game_seeds):
    """Play every row to its end with compiled agents.

    agent: AGENT[1], scratch; kinds: int64[n, seats]; weights, shapes: of the networks among them;
    game_seeds: uint64[n].
    """
    for i in range(len(states)):
        state = states[i]
        for seat in range(kinds.shape[1]):
            agent[0].stream[seat] = agent_stream(agent_seed, game_seeds[i], seat)
        while state.to_act >= 0:
            seat = np.int64(state.to_act)
            agent[0].kind = kinds[i, seat]
            agent[0].random = splitmix64(agent[0].stream[seat], state.decisions)
            apply(rules[0], state, decide(rules[0], state, agent[0], weights, shapes))


@entry
def value_all(weights, shape, observations, values):
    """What a network expects of every observation (uint8[n, observation_size]). values: float32[n]."""
    hidden = stack_array(UNIT_LIMIT, np.float32)
    for i in range(len(observations)):
        at = think(observations[i], weights, shape, hidden)
        values[i] = value_of(weights, shape, at, hidden)
