"""Playout loops with compiled agents, and the random streams of agents.

`rules` and `states` are as in batch.py. The kind of an agent says whether it is a network (network.py) or one that the
verb `choose` knows.
"""

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from stardeck.kernels.compile.jit import entry, kernel
from stardeck.kernels.compile.stack_arrays import stack_array
from stardeck.kernels.primitives.action_set import WORD_LIMIT
from stardeck.kernels.primitives.network import NETWORK, UNIT_LIMIT, Networks, choose_by_network, think, value_of
from stardeck.kernels.primitives.random import mix, splitmix64
from stardeck.kernels.verbs import apply, choose

SEAT_LIMIT = 8  # no game has more seats
TABLE_LIMIT = 384  # numbers in the value table of a compiled agent: three per card of the game with the most cards
TABLE = -1_000  # agents of this kind and below have a value table: TABLE - kind is the row of `weights`
BY_TABLE = 5  # their kind in `choose`

AGENT = np.dtype(
    [
        ("random", np.uint64),  # random bits of this decision
        ("kind", np.int64),  # which compiled agent
        ("legal", np.uint64, (WORD_LIMIT,)),  # scratch for a set of actions
        ("stream", np.uint64, (SEAT_LIMIT,)),  # start of the random stream of each seat's agent in this game
        ("table", np.float32, (TABLE_LIMIT,)),  # its value table, if it has one
    ],
    align=True,
)


class Players(NamedTuple):
    """Compiled agents of a loop, and their scratch memory."""

    agent: NDArray[np.void]  # AGENT[1], scratch
    kinds: NDArray[np.int64]  # the agent of each seat: [seats], or [n, seats] if games differ
    networks: Networks  # of these agents


class Moves(NamedTuple):
    """First decisions of each game: the actions, and the seats that took them."""

    actions: NDArray[np.uint16]  # [n, longest]
    seats: NDArray[np.uint8]  # [n, longest]


@kernel
def agent_stream(agent_seed, game_seed, seat):
    """Return the start of the random stream of a seat's agent in a game: uint64."""
    return splitmix64(np.uint64(agent_seed) ^ mix(np.uint64(game_seed)), seat)


@kernel
def decision_seed(agent_seed, game_seed, seat, decision):
    """Return an agent's random bits for one decision: uint64. `decision` counts the game's actions from the deal."""
    return splitmix64(agent_stream(agent_seed, game_seed, seat), decision)


@entry
def seed_one(agent_seed, game_seed, seat, decision):
    """Return `decision_seed` to Python: uint64."""
    return decision_seed(agent_seed, game_seed, seat, decision)


@entry
def seed_all(agent_seed, game_seeds, seats, decisions, seeds):
    """Write `decision_seed` of every row: game_seeds, seeds: uint64[n]; seats, decisions: int64[n]."""
    for i in range(len(seeds)):
        seeds[i] = decision_seed(agent_seed, game_seeds[i], seats[i], decisions[i])


@entry
def seed_blocks(series_seed, blocks, seeds):
    """Write the deal seeds of blocks (int64[n]) of a series: seeds uint64[n]."""
    for i in range(len(blocks)):
        seeds[i] = splitmix64(np.uint64(series_seed), blocks[i])


@kernel
def lay_out_table(agent, weights):
    """Copy the agent's value table into `agent.table`, where `choose` reads it."""
    for i in range(TABLE_LIMIT):
        agent.table[i] = weights[TABLE - agent.kind, i]
    agent.kind = BY_TABLE


@kernel
def decide(rules, state, agent, networks):
    """Return the action of a compiled agent: by its network or value table if it has one, else by the verb `choose`.

    networks: None if no agent has either. A GPU then needs no room for the work of a network.
    """
    if networks is None:
        return choose(rules, state, agent)
    kind = np.int64(agent.kind)
    if kind >= NETWORK:
        return choose_by_network(rules, state, agent, networks)
    if kind <= TABLE:
        lay_out_table(agent, networks.weights)
    action = choose(rules, state, agent)  # the only call, so LLVM compiles it into the loop
    agent.kind = kind
    return action


@entry
def choose_all(rules, states, agent, kind, networks, seeds, actions):
    """Write the action of compiled agent `kind` for every row.

    agent: AGENT[1], scratch; networks: the network if it is one; seeds: uint64[n]; actions: int64[n].
    """
    for i in range(len(states)):
        agent[0].kind = kind
        agent[0].random = seeds[i]
        actions[i] = decide(rules[0], states[i], agent[0], networks)


@entry
def play_until(rules, states, players, seat, agent_seed, game_seed):
    """Play the first row with compiled agents until `seat` decides or the game is over. players: `Players`."""
    agent, kinds, networks = players
    state = states[0]
    while state.to_act >= 0 and state.to_act != seat:
        actor = np.int64(state.to_act)
        agent[0].kind = kinds[actor]
        agent[0].random = decision_seed(agent_seed, game_seed, actor, state.decisions)
        apply(rules[0], state, decide(rules[0], state, agent[0], networks))


@entry
def play_out(rules, states, players, agent_seed, game_seeds, moves):
    """Play every row to its end with compiled agents, and record every action and its seat.

    players: `Players`, whose kinds are int64[n, seats]; game_seeds: uint64[n]; moves: `Moves`, written. Decisions after
    the first `longest` of a game are not recorded; the field `decisions` counts all of them.
    """
    agent, kinds, networks = players
    actions, seats = moves
    for i in range(len(states)):
        state = states[i]
        for seat in range(kinds.shape[1]):
            agent[0].stream[seat] = agent_stream(agent_seed, game_seeds[i], seat)
        while state.to_act >= 0:
            seat = np.int64(state.to_act)
            agent[0].kind = kinds[i, seat]
            agent[0].random = splitmix64(agent[0].stream[seat], state.decisions)
            action = decide(rules[0], state, agent[0], networks)
            if state.decisions < actions.shape[1]:
                actions[i, state.decisions] = action
                seats[i, state.decisions] = seat
            apply(rules[0], state, action)


def room_for_moves(games: int, longest: int = 0) -> Moves:
    """Return empty arrays for the first `longest` decisions of each game, which `play_out` records; 0: none."""
    return Moves(np.empty((games, longest), np.uint16), np.empty((games, longest), np.uint8))


@entry
def value_all(weights, shape, observations, values):
    """Write a network's value of every observation (uint8[n, observation_size]). values: float32[n]."""
    hidden = stack_array(UNIT_LIMIT, np.float32)
    for i in range(len(observations)):
        at = think(observations[i], weights, shape, hidden)
        values[i] = value_of(weights, shape, at, hidden)
