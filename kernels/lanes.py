"""Many games side by side for one learner: each row, a lane, plays game after game and stops where the learner decides.

The other seats are played inside the loop by compiled agents; where one of them is not compiled the lane waits, and is
run on once its action has been applied. A lane's games depend on its own seed and on the actions taken in it alone.
"""

from enum import IntEnum

import numpy as np

from stardeck.kernels import actionset
from stardeck.kernels.actionset import WORD_LIMIT
from stardeck.kernels.batch import SEAT_LIMIT, agent_stream, decide
from stardeck.kernels.jit import entry, kernel
from stardeck.kernels.random import below, splitmix64
from stardeck.kernels.verbs import apply, deal, legal_actions, observe

OUTSIDE = -1  # kind of an agent that Python asks
ROTATE = -1  # the learner's seat moves on by one from game to game
RANDOM_SEAT = -2
FORFEIT = -1  # in place of an action
_SEAT_CHANCE = np.uint64(0x5EA7)  # told apart from the chance of the deal
_POOL_CHANCE = np.uint64(0x9001)

LANE = np.dtype(
    [
        ("series", np.uint64),  # seed of the lane
        ("seed", np.uint64),  # of the game now played
        ("games", np.int64),  # dealt so far
        ("number", np.int64),  # of the lane among all
        ("seat", np.int64),  # the learner's
        ("mine", np.int64),  # bits of the seats that the learner decides for
        ("lineup", np.int64),  # row of the pool that plays against the learner
        ("length", np.int64),  # the learner's decisions in this game
        ("ended_length", np.int64),  # and in the one that ended in this step
        ("ended_seat", np.int64),  # the learner's seat in it
        ("kinds", np.int64, (SEAT_LIMIT,)),  # the agent of each seat
        ("stream", np.uint64, (SEAT_LIMIT,)),  # where its chance begins
        ("legal", np.uint64, (WORD_LIMIT,)),  # what the learner may do now
        ("over", np.int64),  # 1: the game is over and a new one not yet dealt
        ("ended", np.int64),  # 1: a game ended in this step
        ("waiting", np.int64),  # 1: for an agent that is not compiled
    ],
    align=True,
)


class Autoreset(IntEnum):
    """When a new game follows one that is over."""

    SAME_STEP = 0  # at once; the last state is kept in `finals`
    NEXT_STEP = 1  # the next step deals, whatever its action
    DISABLED = 2  # on reset only


PLAN = np.dtype(
    [
        ("players", np.int64),
        ("seat", np.int64),  # of the learner, or ROTATE or RANDOM_SEAT
        ("team", np.int64),  # 1: the learner decides for all seats of its side
        ("sides", np.int64, (SEAT_LIMIT,)),  # bits of the seats on the side of each seat
        ("autoreset", np.int64),
        ("skip_forced", np.int64),  # 1: where only one action is legal it is taken at once
        ("words", np.int64),  # of a set of actions
    ],
    align=True,
)


@kernel
def deal_lane(rules, state, blank, lane, plan, pool):
    """Deal the lane's next game, and seat the learner and the others.

    pool: int64[lineups, seats - 1], each lineup the kinds of agents by distance from the learner.
    """
    lane.seed = lane.series if lane.games == 0 else splitmix64(lane.series, lane.games)
    lane.length = 0
    lane.over = 0
    seat = np.int64(plan.seat)
    if seat == ROTATE:
        seat = (lane.number + lane.games) % plan.players
    elif seat == RANDOM_SEAT:
        seat = below(lane.seed ^ _SEAT_CHANCE, plan.players)
    lane.games += 1
    lane.seat = seat
    lane.mine = plan.sides[seat] if plan.team else 1 << seat
    lane.lineup = below(lane.seed ^ _POOL_CHANCE, len(pool))
    for distance in range(1, plan.players):
        lane.kinds[(seat + distance) % plan.players] = pool[lane.lineup, distance - 1]
    for other in range(plan.players):
        lane.stream[other] = agent_stream(lane.seed, lane.seed, other)
    state[0] = blank[0]
    deal(rules, state[0], lane.seed)


@kernel
def end_lane(state, lane, final):
    """Note that the lane's game is over, and keep its last state."""
    final[0] = state[0]
    lane.ended = 1
    lane.ended_length = lane.length
    lane.ended_seat = lane.seat
    lane.over = 1


@kernel
def run_lane(rules, state, lane, final, blank, agent, weights, shapes, plan, pool):
    """Play on until the learner decides, the lane waits for an agent outside, or its game is over for now.

    A game in which the learner never decides does not count, and another one is dealt.
    """
    legal = lane.legal[: plan.words]
    while True:
        seat = np.int64(state[0].to_act)
        if seat < 0:
            if lane.length > 0:
                end_lane(state, lane, final)
                if plan.autoreset != Autoreset.SAME_STEP:
                    return
            deal_lane(rules, state, blank, lane, plan, pool)
        elif (lane.mine >> seat) & 1 != 0:
            legal_actions(rules, state[0], legal)
            if plan.skip_forced == 0 or actionset.size(legal) > 1:
                return
            apply(rules, state[0], actionset.member(legal, 0))
        elif lane.kinds[seat] == OUTSIDE:
            lane.waiting = 1
            return
        else:
            agent.kind = lane.kinds[seat]
            agent.random = splitmix64(lane.stream[seat], state[0].decisions)
            apply(rules, state[0], decide(rules, state[0], agent, weights, shapes))


@kernel
def run_row(rules, states, lanes, i, finals, blank, agent, weights, shapes, plan, pool):
    """`run_lane` for one row of a batch."""
    here = slice(i, i + 1)
    run_lane(rules[0], states[here], lanes[i], finals[here], blank, agent[0], weights, shapes, plan[0], pool)


@entry
def deal_lanes(rules, states, lanes, chosen, finals, blank, agent, weights, shapes, plan, pool):
    """Deal a game into every chosen lane (bool[n]) and run it."""
    for i in range(len(lanes)):
        if chosen[i]:
            lanes[i].waiting = 0
            deal_lane(rules[0], states[i : i + 1], blank, lanes[i], plan[0], pool)
            run_row(rules, states, lanes, i, finals, blank, agent, weights, shapes, plan, pool)


@entry
def first_refused(lanes, actions, num_actions, start):
    """The first lane from `start` on whose action is not legal, or -1; lanes whose game is over take any."""
    for i in range(start, len(lanes)):
        action = actions[i]
        if lanes[i].over == 0 and (action >= num_actions or not actionset.contains(lanes[i].legal, action)):
            return i
    return -1


@entry
def step_lanes(rules, states, lanes, actions, finals, blank, agent, weights, shapes, plan, pool):
    """Apply the learner's legal action (int64[n]) in every lane and run it; a lane whose game is over is dealt anew.

    FORFEIT as an action ends the game as it stands.
    """
    for i in range(len(lanes)):
        lane = lanes[i]
        here = slice(i, i + 1)
        lane.ended = 0
        if lane.over:
            if plan[0].autoreset == Autoreset.DISABLED:
                continue
            deal_lane(rules[0], states[here], blank, lane, plan[0], pool)
        else:
            lane.length += 1
            if actions[i] != FORFEIT:
                apply(rules[0], states[i], actions[i])
            else:
                end_lane(states[here], lane, finals[here])
                if plan[0].autoreset != Autoreset.SAME_STEP:
                    continue
                deal_lane(rules[0], states[here], blank, lane, plan[0], pool)
        run_row(rules, states, lanes, i, finals, blank, agent, weights, shapes, plan, pool)


@entry
def resume_lanes(rules, states, lanes, finals, blank, agent, weights, shapes, plan, pool):
    """Run on every lane that waited, once the action of its agent has been applied."""
    for i in range(len(lanes)):
        if lanes[i].waiting:
            lanes[i].waiting = 0
            run_row(rules, states, lanes, i, finals, blank, agent, weights, shapes, plan, pool)


@entry
def show_lanes(rules, states, lanes, words, masks, observations):
    """Masks (all 1 where a game is over) and observations of the learner in every lane.

    masks: int8[n, num_actions]; observations: uint8[n, observation_size].
    """
    for i in range(len(lanes)):
        if lanes[i].over:
            for action in range(masks.shape[1]):
                masks[i, action] = 1
            observe(rules[0], states[i], lanes[i].seat, observations[i])
        else:
            actionset.spread(lanes[i].legal[:words], masks[i])
            observe(rules[0], states[i], np.int64(states[i].to_act), observations[i])


@entry
def seed_lanes(states, lanes, seeds):
    """The chance of the decision that every lane waits for: seeds uint64[n]."""
    for i in range(len(lanes)):
        seeds[i] = splitmix64(lanes[i].stream[states[i].to_act], states[i].decisions)
