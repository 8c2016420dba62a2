"""Decisions of compiled agents that may not do something, and whole games with such agents.

A network is masked: it takes the best of the allowed actions, or draws from its policy over them. Any other compiled
agent decides as usual. If its action is forbidden, the verb `choose_among` names its best allowed one; where that knows
none, the rank of actions decides. If all legal actions are forbidden, the restriction gives way.
"""

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from stardeck.agents.kinds import AgentKind
from stardeck.kernels.compile.jit import entry, kernel
from stardeck.kernels.compile.stack_arrays import stack_array
from stardeck.kernels.loops.playouts import TABLE, agent_stream, decide, lay_out_table
from stardeck.kernels.primitives import action_set
from stardeck.kernels.primitives.network import (
    NETWORK,
    OBSERVATION_LIMIT,
    UNIT_LIMIT,
    Shape,
    drawn,
    likeliest,
    think,
)
from stardeck.kernels.primitives.random import below, splitmix64
from stardeck.kernels.verbs import apply, choose_among, legal_actions, observe

BLANK, LIMITED = 0, 1  # rows of `Limits`: the first forbids nothing
COUNTED = np.dtype(
    [
        ("decisions", np.int64),
        ("offered", np.int64),  # of these, with a forbidden action among the legal ones
        ("gave_way", np.int64),  # of these, with no other legal action
    ],
    align=True,
)


class Limits(NamedTuple):
    """Restrictions, as kernels read them, one a row. The sets are uint64[rows, words]."""

    forbidden: NDArray[np.uint64]
    condition: NDArray[np.uint64]  # the restriction holds only while one of these is legal
    always: NDArray[np.bool_]  # [rows]: True if it always holds
    rank: NDArray[np.int16]  # [rows, num_actions]: the highest is taken where the agent names no allowed action


class Room(NamedTuple):
    """Scratch memory of a decision."""

    copy: NDArray[np.void]  # one state
    legal: NDArray[np.uint64]  # [words]
    allowed: NDArray[np.uint64]  # [words]


class Obeyed(NamedTuple):
    """Restrictions, and what deciding by them needs and counts."""

    limits: Limits
    room: Room
    counted: NDArray[np.void]  # COUNTED, changed


@kernel
def choose_none(rules, state, agent, room):
    """Name no action: the agents of this game know no second best."""
    return -1


@kernel
def find_allowed(rules, state, limits, row, room):
    """Write the legal actions, and those that a row of `limits` allows; return whether they differ."""
    legal, allowed = room.legal, room.allowed
    legal_actions(rules, state, legal)
    holds = limits.always[row]
    for word in range(len(legal)):
        holds = holds or (legal[word] & limits.condition[row, word]) != 0
    differ = False
    for word in range(len(legal)):
        allowed[word] = legal[word] & ~limits.forbidden[row, word] if holds else legal[word]
        differ = differ or allowed[word] != legal[word]
    return differ


@kernel
def choose_masked(rules, state, agent, networks, allowed):
    """Return the action of a network among some of the legal ones."""
    number = agent.kind - NETWORK
    weights, shape = networks.weights[number], networks.shapes[number]
    observation = stack_array(OBSERVATION_LIMIT, np.uint8)
    seen = observation[: shape[Shape.INPUTS]]
    observe(rules, state, np.int64(state.to_act), seen)
    hidden = stack_array(UNIT_LIMIT, np.float32)
    at = think(seen, weights, shape, hidden)
    if shape[Shape.SAMPLED]:
        return drawn(allowed, weights, shape, at, hidden, agent.random)
    return likeliest(allowed, weights, shape, at, hidden)


@kernel
def highest_rank(agent, rank, allowed):
    """Return a random one of the allowed actions with the highest rank. rank: int16[num_actions]."""
    best = -1
    equal = 0
    for k in range(action_set.size(allowed)):
        action = action_set.member(allowed, k)
        if best < 0 or rank[action] > rank[best]:
            best = action
            equal = 1
        elif rank[action] == rank[best]:
            equal += 1
            if below(splitmix64(agent.random, k), equal) == 0:
                best = action
    return best


@kernel
def decide_allowed(rules, state, agent, networks, limits, row, room, counted):
    """Return the action of a compiled agent that obeys a row of `limits`. counted: COUNTED, changed."""
    counted.decisions += 1
    differ = row != BLANK and find_allowed(rules, state, limits, row, room)
    size = 0
    if differ:
        size = action_set.size(room.allowed)
        counted.offered += 1
        counted.gave_way += size == 0
    if size == 1:
        return np.int64(action_set.member(room.allowed, 0))
    kind = np.int64(agent.kind)
    if size > 1 and kind >= NETWORK:
        return np.int64(choose_masked(rules, state, agent, networks, room.allowed))
    if size > 1 and kind == AgentKind.RANDOM:
        return np.int64(action_set.member(room.allowed, below(agent.random, size)))
    action = np.int64(decide(rules, state, agent, networks))  # the only call, as compiling it takes long
    if size > 1 and not action_set.contains(room.allowed, action):
        if kind <= TABLE:
            lay_out_table(agent, networks.weights)
        action = np.int64(choose_among(rules, state, agent, room))
        agent.kind = kind
        if not action_set.contains(room.allowed, action):
            action = np.int64(highest_rank(agent, limits.rank[row], room.allowed))
    return action


@entry
def choose_allowed_all(rules, states, agent, kind, networks, seeds, obeyed, actions):
    """Write the action of a restricted compiled agent `kind` for every row.

    agent: AGENT[1], scratch; seeds: uint64[n]; obeyed: `Obeyed`, which counts in one row; actions: int64[n].
    """
    limits, room, counted = obeyed
    for i in range(len(states)):
        agent[0].kind = kind
        agent[0].random = seeds[i]
        actions[i] = decide_allowed(rules[0], states[i], agent[0], networks, limits, LIMITED, room, counted[0])


@entry
def play_out_restricted(rules, states, players, agent_seed, game_seeds, limited, obeyed):
    """Play every row to its end with compiled agents, some seats of which obey a restriction.

    players: `Players`, whose kinds are int64[n, seats]; game_seeds: uint64[n]; limited: int64[n, seats], the row of the
    limits of each seat: 0 is blank and forbids nothing; obeyed: `Obeyed`, with limits of two rows, and counts for free
    and for limited seats, COUNTED[n, 2].
    """
    limits, room, counted = obeyed
    agent, kinds, networks = players
    for i in range(len(states)):
        state = states[i]
        for seat in range(kinds.shape[1]):
            agent[0].stream[seat] = agent_stream(agent_seed, game_seeds[i], seat)
        while state.to_act >= 0:
            seat = np.int64(state.to_act)
            agent[0].kind = kinds[i, seat]
            agent[0].random = splitmix64(agent[0].stream[seat], state.decisions)
            row = limited[i, seat]
            action = decide_allowed(rules[0], state, agent[0], networks, limits, row, room, counted[i, row])
            apply(rules[0], state, action)
