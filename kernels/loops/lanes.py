"""Lanes: many games for one learner; each row plays game after game and stops where the learner decides.

Compiled agents play the other seats inside the loop. If an agent is not compiled, the lane waits; it continues once the
agent's action has been applied. A lane's games depend only on its own seed and on the actions taken in it.
"""

from enum import IntEnum
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from stardeck.kernels.compile.jit import entry, kernel
from stardeck.kernels.compile.prefetch import AHEAD, LINE, fetch, fetch_row
from stardeck.kernels.loops.playouts import SEAT_LIMIT, agent_stream, decide
from stardeck.kernels.primitives import action_set
from stardeck.kernels.primitives.action_set import WORD_LIMIT
from stardeck.kernels.primitives.network import Networks
from stardeck.kernels.primitives.random import below, splitmix64
from stardeck.kernels.verbs import apply, deal, legal_actions, observe

OUTSIDE = -1  # kind of an agent that Python calls
ROTATE = -1  # the learner's seat moves on by one from game to game
RANDOM_SEAT = -2
ALL_SEATS = -3  # the learner decides for all seats; its seat is the one that decided last
FORFEIT = -1  # in place of an action
UNDECIDED_LIMIT = 1_000  # consecutive games in which the learner never decides
_SEAT_CHANCE = np.uint64(0x5EA7)  # separates this random stream from that of the deal
_POOL_CHANCE = np.uint64(0x9001)

LANE = np.dtype(
    [
        # The fields that every step reads come first, close together.
        ("seat", np.int64),  # the learner's
        ("mine", np.int64),  # bits of the seats that the learner decides for
        ("length", np.int64),  # the learner's decisions in this game
        ("over", np.int64),  # 1: the game is over and a new one not yet dealt
        ("ended", np.int64),  # 1: a game ended in this step
        ("waiting", np.int64),  # 1: for an agent that is not compiled
        ("undecided", np.int64),  # consecutive games in which the learner has not decided
        ("lineup", np.int64),  # row of the pool that plays against the learner
        ("kinds", np.int64, (SEAT_LIMIT,)),  # the agent of each seat
        ("stream", np.uint64, (SEAT_LIMIT,)),  # start of its random stream
        ("legal", np.uint64, (WORD_LIMIT,)),  # the learner's legal actions
        ("series", np.uint64),  # seed of the lane
        ("seed", np.uint64),  # of the current game
        ("games", np.int64),  # dealt from this seed
        ("seatings", np.int64),  # games dealt so far, for the learner's seat
        ("number", np.int64),  # of the lane among all
        ("ended_length", np.int64),  # the learner's decisions in the game that ended in this step
        ("ended_seat", np.int64),  # the learner's seat in it
    ],
    align=True,
)
BEFORE_LEGAL = 8 * (8 + 2 * SEAT_LIMIT)  # bytes


TALLY = np.dtype([("ended", np.int64), ("stuck", np.int64)])  # lanes, in this step


class Autoreset(IntEnum):
    """Time of the reset after a game is over."""

    SAME_STEP = 0  # at once; `finals` keeps the last state
    NEXT_STEP = 1  # the next step deals, whatever its action
    DISABLED = 2  # on reset only


PLAN = np.dtype(
    [
        ("players", np.int64),
        ("seat", np.int64),  # of the learner, or ROTATE or RANDOM_SEAT
        ("team", np.int64),  # 1: the learner decides for all seats of its side
        ("sides", np.int64, (SEAT_LIMIT,)),  # bits of the seats on the side of each seat
        ("autoreset", np.int64),
        ("skip_forced", np.int64),  # 1: a single legal action is taken at once
        ("words", np.int64),  # of a set of actions
        ("rivals", np.int64),  # sides other than one's own
    ],
    align=True,
)


class Outputs(NamedTuple):
    """Outputs of n lanes to the learner after a step."""

    masks: NDArray[np.int8]  # [n, num_actions]; where the game is over the mask is all 1
    observations: NDArray[np.uint8]  # [n, observation_size]
    seats: NDArray[np.int64]  # [n], the seat to act; -1: the game is over
    ended: NDArray[np.bool_]  # [n], True if a game ended in this step


class EndedGames(NamedTuple):
    """Games that ended in a step, one after the other."""

    states: NDArray[np.void]  # [n], their last states
    rows: NDArray[np.int64]  # [n], their lanes
    tally: NDArray[np.void]  # TALLY[1]


class Setup(NamedTuple):
    """Constants from step to step."""

    plan: NDArray[np.void]  # PLAN[1]
    blank: NDArray[np.void]  # a state of zeros, one row
    agent: NDArray[np.void]  # AGENT[1], scratch
    networks: Networks  # of the opponents
    pool: NDArray[np.int64]  # [lineups, seats - 1], the kinds of agents by distance from the learner


@kernel
def deal_lane(rules, state, lane, setup):
    """Deal the lane's next game, and seat the learner and the opponents."""
    plan, pool = setup.plan[0], setup.pool
    lane.seed = lane.series if lane.games == 0 else splitmix64(lane.series, lane.games)
    lane.length = 0
    lane.over = 0
    seat = np.int64(plan.seat)
    if seat == ROTATE:
        seat = (lane.number + lane.seatings) % plan.players
    elif seat == RANDOM_SEAT:
        seat = below(lane.seed ^ _SEAT_CHANCE, plan.players)
    elif seat == ALL_SEATS:
        seat = 0
    lane.games += 1
    lane.seatings += 1
    lane.seat = seat
    lane.mine = plan.sides[seat] if plan.team else 1 << seat
    if plan.seat == ALL_SEATS:
        lane.mine = -1
    lane.lineup = below(lane.seed ^ _POOL_CHANCE, len(pool))
    for distance in range(1, plan.players):
        lane.kinds[(seat + distance) % plan.players] = pool[lane.lineup, distance - 1]
    for other in range(plan.players):
        lane.stream[other] = agent_stream(lane.seed, lane.seed, other)
    state[0] = setup.blank[0]
    deal(rules, state[0], lane.seed)


@kernel
def end_lane(state, lane, ended):
    """Record that the game of a lane is over."""
    k = ended.tally[0].ended
    ended.states[k : k + 1][0] = state[0]
    ended.rows[k] = lane.number
    ended.tally[0].ended = k + 1
    lane.ended = 1
    lane.ended_length = lane.length
    lane.ended_seat = lane.seat
    lane.over = 1


@kernel
def settle_lane(rules, state, lane, ended, setup):
    """Go on to the next decision of a compiled opponent and return its seat; return -1 if no such decision comes first.

    Then the learner decides, the lane waits for an agent outside, its game is over for now, or the learner never
    decides. A game in which the learner never decides does not count; the lane deals another one.
    """
    plan = setup.plan[0]
    legal = lane.legal[: plan.words]
    while True:
        seat = np.int64(state[0].to_act)
        if seat < 0:
            if lane.length > 0:
                end_lane(state, lane, ended)
                if plan.autoreset != Autoreset.SAME_STEP:
                    return -1
            lane.undecided += 1
            if lane.undecided > UNDECIDED_LIMIT:
                ended.tally[0].stuck += 1
                lane.over = 1
                return -1
            deal_lane(rules, state, lane, setup)
        elif (lane.mine >> seat) & 1 != 0:
            legal_actions(rules, state[0], legal)
            if plan.skip_forced == 0 or action_set.size(legal) > 1:
                return -1
            if plan.seat == ALL_SEATS:
                lane.seat = seat
            apply(rules, state[0], action_set.member(legal, 0))
        elif lane.kinds[seat] == OUTSIDE:
            lane.waiting = 1
            return -1
        else:
            return seat


@kernel
def let_opponent_act(rules, state, lane, seat, setup):
    """Apply the action of a compiled opponent."""
    agent = setup.agent[0]
    agent.kind = lane.kinds[seat]
    agent.random = splitmix64(lane.stream[seat], state[0].decisions)
    apply(rules, state[0], decide(rules, state[0], agent, setup.networks))


@kernel
def run_lane(rules, state, lane, ended, setup):
    """Play on until `settle_lane` finds no decision of a compiled opponent."""
    while True:
        seat = settle_lane(rules, state, lane, ended, setup)
        if seat < 0:
            return
        let_opponent_act(rules, state, lane, seat, setup)


@kernel
def show_lane(rules, state, lane, words, i, outputs):
    """Write the outputs of lane i."""
    mask, observation = outputs.masks[i], outputs.observations[i]
    outputs.seats[i] = -1 if lane.over else np.int64(state[0].to_act)
    outputs.ended[i] = lane.ended != 0
    if lane.over:
        for action in range(len(mask)):
            mask[action] = 1
        observe(rules, state[0], np.int64(lane.seat), observation)
    else:
        action_set.spread(lane.legal[:words], mask)
        observe(rules, state[0], np.int64(state[0].to_act), observation)


@kernel
def run_row(rules, states, lanes, i, outputs, ended, setup):
    """Run one row of a batch as `run_lane` does, and write its outputs."""
    here = slice(i, i + 1)
    run_lane(rules[0], states[here], lanes[i], ended, setup)
    if lanes[i].waiting == 0:
        show_lane(rules[0], states[here], lanes[i], setup.plan[0].words, i, outputs)


@kernel
def begin_deal(rules, state, lane, chosen, setup):
    """Deal a game into one lane if it is chosen; return whether it was."""
    lane.ended = 0
    lane.undecided = 0
    if chosen:
        lane.waiting = 0
        deal_lane(rules, state, lane, setup)
    return chosen


@entry
def deal_lanes(rules, states, lanes, chosen, outputs, ended, setup):
    """Deal a game into every chosen lane (bool[n]), run it and show it; show the others as they are.

    outputs: `Outputs`, written; ended: `EndedGames`, written; setup: `Setup`.
    """
    clear_tally(ended)
    for i in range(len(lanes)):
        if begin_deal(rules[0], states[i : i + 1], lanes[i], chosen[i], setup):
            run_row(rules, states, lanes, i, outputs, ended, setup)
        else:
            show_lane(rules[0], states[i : i + 1], lanes[i], setup.plan[0].words, i, outputs)


@entry
def first_refused(lanes, actions, num_actions, start):
    """Return the first lane from `start` on whose action is not legal, or -1; lanes whose game is over accept any."""
    for i in range(start, len(lanes)):
        action = actions[i]
        if lanes[i].over == 0 and (action >= num_actions or not action_set.contains(lanes[i].legal, action)):
            return i
    return -1


@entry
def answer_illegal(states, lanes, actions, num_actions, words, redraw, illegal):
    """Replace every illegal action by FORFEIT; lanes whose game is over accept any action.

    redraw: True draws a random legal action instead. illegal: int8[n], set to 1 in lanes that forfeit and to 0 in all
    others.
    """
    for i in range(len(lanes)):
        action = actions[i]
        illegal[i] = 0
        if lanes[i].over == 0 and (action >= num_actions or not action_set.contains(lanes[i].legal, action)):
            if redraw:
                legal = lanes[i].legal[:words]
                seed = np.uint64(states[i].random) ^ np.uint64(states[i].decisions)
                actions[i] = action_set.member(legal, below(seed, action_set.size(legal)))
            else:
                actions[i] = FORFEIT
                illegal[i] = 1


@kernel
def begin_step(rules, state, lane, action, ended, setup):
    """Apply the learner's action in one lane, or deal its next game; return whether somebody is to decide now."""
    plan = setup.plan[0]
    lane.ended = 0
    if lane.over:
        if plan.autoreset != Autoreset.DISABLED:
            deal_lane(rules, state, lane, setup)
    else:
        lane.length += 1
        lane.undecided = 0
        if plan.seat == ALL_SEATS:
            lane.seat = state[0].to_act
        if action != FORFEIT:
            apply(rules, state[0], action)
        else:
            end_lane(state, lane, ended)
            if plan.autoreset == Autoreset.SAME_STEP:
                deal_lane(rules, state, lane, setup)
    return lane.over == 0


@kernel
def step_row(rules, states, lanes, i, action, outputs, ended, setup):
    """Step one row; see `step_lanes`."""
    if begin_step(rules[0], states[i : i + 1], lanes[i], action, ended, setup):
        run_row(rules, states, lanes, i, outputs, ended, setup)
    else:
        show_lane(rules[0], states[i : i + 1], lanes[i], setup.plan[0].words, i, outputs)


@kernel
def clear_tally(ended):
    """Begin a step in which no game has ended yet."""
    ended.tally[0].ended = 0
    ended.tally[0].stuck = 0


@kernel
def fetch_lane(rules, states, lanes, i, plan):
    """Prefetch the memory of the lane AHEAD lanes after lane i, if there is one; see `fetch_row`."""
    fetch_row(rules, states, i)
    if i + AHEAD < len(lanes):
        for byte in range(0, BEFORE_LEGAL + 8 * plan[0].words, LINE):
            fetch(lanes, i + AHEAD, byte)


@entry
def step_lanes(rules, states, lanes, actions, outputs, ended, setup):
    """Apply the learner's legal action (int64[n]) in every lane, run it and show it.

    A lane whose game is over deals a new game. FORFEIT as an action ends the game as it stands. For the other arguments
    see `deal_lanes`.
    """
    clear_tally(ended)
    plan = setup.plan
    for i in range(len(lanes)):
        fetch_lane(rules[0], states, lanes, i, plan)
        step_row(rules, states, lanes, i, actions[i], outputs, ended, setup)


@kernel
def result_of(final, seat, plan):
    """Return a seat's return in a game that ended, or NaN if it depends on which seats were out of the game.

    A game that an illegal action ended is not over. `Game.outcomes` gives the same returns.
    """
    if final.to_act >= 0:
        return np.float32(-1)
    if final.truncated:
        return np.float32(0)
    first = 0  # bits of the seats in first place
    side = 0  # bits of the seats on the side of one of them
    for other in range(plan.players):
        if final.placement[other] == 1:
            first |= 1 << other
            side = np.int64(plan.sides[other])
    if first != 0 and first & ~side == 0:
        return np.float32(1) if (first >> seat) & 1 else np.float32(-1.0 / max(plan.rivals, 1))
    return np.float32(-1) if plan.rivals == 0 else np.float32(np.nan)


@entry
def pay_lanes(lanes, rows, returns, cut, rewards, terminated, truncated):
    """Write the learner's result into the lanes of games that ended: rows int64[k].

    returns: float32[k, players]; cut: bool[k], True if the limit on turns ended the game; the others [n].
    """
    for k in range(len(rows)):
        row = rows[k]
        rewards[row] = returns[k, lanes[row].ended_seat]
        terminated[row], truncated[row] = not cut[k], cut[k]


@entry
def resume_lanes(rules, states, lanes, outputs, ended, setup):
    """Run and show every lane that waited, once its agent has acted. For the arguments see `deal_lanes`."""
    for i in range(len(lanes)):
        if lanes[i].waiting:
            lanes[i].waiting = 0
            run_row(rules, states, lanes, i, outputs, ended, setup)


@entry
def seed_lanes(states, lanes, seeds):
    """Write the random seed of the decision that every lane waits for: seeds uint64[n]."""
    for i in range(len(lanes)):
        seeds[i] = splitmix64(lanes[i].stream[states[i].to_act], states[i].decisions)


@entry
def pick_lanes(lanes, seeds, words, actions):
    """Draw a legal action for every lane uniformly. seeds: uint64[n]; actions: int64[n], -1 where a game is over."""
    for i in range(len(lanes)):
        legal = lanes[i].legal[:words]
        actions[i] = -1 if lanes[i].over else action_set.member(legal, below(seeds[i], action_set.size(legal)))
