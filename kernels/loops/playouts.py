"""Loops in which compiled agents play, and the streams of chance on which they draw.

`rules` and `states` are those of batch.py. An agent is told by its kind: a network (network.py), or what the verb
`choose` knows.
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
TABLE_LIMIT = 384  # numbers that a compiled agent may play by: three for each of the most cards of a game
TABLE = -1_000  # agents of this kind and below play by such numbers: TABLE - kind is the row of `weights`
BY_TABLE = 5  # what `choose` knows them as

AGENT = np.dtype(
    [
        ("random", np.uint64),  # the chance of this decision
        ("kind", np.int64),  # which compiled agent
        ("legal", np.uint64, (WORD_LIMIT,)),  # scratch for a set of actions
        ("stream", np.uint64, (SEAT_LIMIT,)),  # where the chance of each seat's agent begins in this game
        ("table", np.float32, (TABLE_LIMIT,)),  # the numbers that it plays by, if it does
    ],
    align=True,
)


class Players(NamedTuple):
    """The compiled agents that play, and the memory that they need."""

    agent: NDArray[np.void]  # AGENT[1], scratch
    kinds: NDArray[np.int64]  # the agent of each seat: [seats], or [n, seats] where games have their own
    networks: Networks  # those among them


class Moves(NamedTuple):
    """The first decisions of each game: what was done, and who did it."""

    actions: NDArray[np.uint16]  # [n, longest]
    seats: NDArray[np.uint8]  # [n, longest]


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


@kernel
def lay_out_table(agent, weights):
    """Have `choose` find the numbers that an agent plays by in `agent.table`."""
    for i in range(TABLE_LIMIT):
        agent.table[i] = weights[TABLE - agent.kind, i]
    agent.kind = BY_TABLE


@kernel
def decide(rules, state, agent, networks):
    """Return the action of a compiled agent: of a network if its kind says so, else of the verb `choose`."""
    kind = np.int64(agent.kind)
    if kind >= NETWORK:
        return choose_by_network(rules, state, agent, networks)
    if kind <= TABLE:
        lay_out_table(agent, networks.weights)
    action = choose(rules, state, agent)  # called at one place alone, so that it is compiled into the loop
    agent.kind = kind
    return action


@entry
def choose_all(rules, states, agent, kind, networks, seeds, actions):
    """The action of compiled agent `kind` for every row.

    agent: AGENT[1], scratch; networks: the network if it is one; seeds: uint64[n]; actions: int64[n].
    """
    for i in range(len(states)):
        agent[0].kind = kind
        agent[0].random = seeds[i]
        actions[i] = decide(rules[0], states[i], agent[0], networks)


@entry
def play_until(rules, states, players, seat, agent_seed, game_seed):
    """Let compiled agents play the first row until `seat` decides or the game is over. players: `Players`."""
    agent, kinds, networks = players
    state = states[0]
    while state.to_act >= 0 and state.to_act != seat:
        actor = np.int64(state.to_act)
        agent[0].kind = kinds[actor]
        agent[0].random = decision_seed(agent_seed, game_seed, actor, state.decisions)
        apply(rules[0], state, decide(rules[0], state, agent[0], networks))


@entry
def play_out(rules, states, players, agent_seed, game_seeds, moves):
    """Play every row to its end with compiled agents, and note every action and who took it.

    players: `Players`, whose kinds are int64[n, seats]; game_seeds: uint64[n]; moves: `Moves`, written. What comes
    after the `longest` first decisions of a game, whose number `decisions` tells, is not noted.
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
    """Where `play_out` notes the actions and seats of the first `longest` decisions of each game; 0: of none."""
    return Moves(np.empty((games, longest), np.uint16), np.empty((games, longest), np.uint8))


@entry
def value_all(weights, shape, observations, values):
    """What a network expects of every observation (uint8[n, observation_size]). values: float32[n]."""
    hidden = stack_array(UNIT_LIMIT, np.float32)
    for i in range(len(observations)):
        at = think(observations[i], weights, shape, hidden)
        values[i] = value_of(weights, shape, at, hidden)
