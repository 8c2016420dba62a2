"""Event log: events of a game, recorded while it is played, as numbers that statistics can count.

A game defines its events in its own `events.py`, by two verbs: before an action `watch` records the values to compare,
and after it `tell` records the events. Rules know nothing of either, and other loops play games without a log.
"""

from enum import IntEnum
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from stardeck.kernels.compile.jit import entry, kernel
from stardeck.kernels.loops.playouts import agent_stream, decide
from stardeck.kernels.primitives.random import splitmix64
from stardeck.kernels.verbs import apply, tell, watch

NOBODY = -1
NO_CARD = -1
THE_BOSS = -2  # an automated Boss, in place of a seat
BEFORE_LIMIT = 64
CARDS_LIMIT = 256
NOTED_LIMIT = 192  # events of one action: 80 cards of Interstellar Empire that leave one seat and come to another


class Column(IntEnum):
    """Columns of an event besides the number of its game: the rows of int32[len(Column), n]."""

    TURN = 0  # the turn, or role, that the decision was part of
    SEAT = 1  # the seat that caused it
    KIND = 2  # number of the event, as the game lists them
    CARD = 3  # number of the card, or NO_CARD
    TARGET = 4  # the seat that it affects, or NOBODY
    AMOUNT = 5  # how much or how many
    LEFT = 6  # the target's remaining amount afterwards, where that is counted; else 0


NOTED = np.dtype([(name, np.int32) for name in ("seat", "kind", "card", "target", "amount", "left")])

EYE = np.dtype(
    [
        ("game", np.int64),  # number of the recorded game
        ("count", np.int64),  # events of earlier actions, including those beyond the end of the arrays
        ("action", np.int64),  # the action about to be applied
        ("seat", np.int64),  # the seat that takes it
        ("turn", np.int64),
        ("fresh", np.int64),  # 1: values to compare may be of another game; the game sets 0 once it has renewed them
        ("before", np.int64, (BEFORE_LIMIT,)),  # values that the game compares
        ("cards", np.uint8, (CARDS_LIMIT,)),
        ("noted_count", np.int64),
        ("noted", NOTED, (NOTED_LIMIT,)),  # events of this action
    ],
    align=True,
)


class Log(NamedTuple):
    """Arrays for events, filled up to their length; `eye.count` is the number of events, stored or not."""

    eye: NDArray[np.void]  # EYE[1]
    games: NDArray[np.int64]  # [n]
    events: NDArray[np.int32]  # [len(Column), n]


@kernel
def note(eye, kind, target, card, amount, left):
    """Record an event caused by the acting seat."""
    note_of(eye, kind, eye.seat, target, card, amount, left)


@kernel
def note_of(eye, kind, seat, target, card, amount, left):
    """Record an event."""
    event = eye.noted[eye.noted_count]
    event.seat = seat
    event.kind = kind
    event.card = card
    event.target = target
    event.amount = amount
    event.left = left
    eye.noted_count += 1


@kernel
def keep_noted(eye, games, events):
    """Store the events of an action in the log, up to its length.

    It is called only for actions with events: passing the arrays costs more than finding no events.
    """
    for k in range(eye.noted_count):
        at = eye.count
        if at < len(games):
            noted = eye.noted[k]
            games[at] = eye.game
            events[Column.TURN, at] = eye.turn
            events[Column.SEAT, at] = noted.seat
            events[Column.KIND, at] = noted.kind
            events[Column.CARD, at] = noted.card
            events[Column.TARGET, at] = noted.target
            events[Column.AMOUNT, at] = noted.amount
            events[Column.LEFT, at] = noted.left
        eye.count += 1


@kernel
def watch_action(rules, state, action, eye):
    """Record the situation before an action."""
    eye.action = action
    eye.seat = state.to_act
    eye.turn = state.turn
    eye.noted_count = 0
    watch(rules, state, eye)


@entry
def play_watched(rules, states, players, agent_seed, game_seeds, moves, start, log):
    """Play out games (`play_out` of kernels/loops/playouts.py) and record events.

    start: number of the first game; log: `Log`, written.
    """
    agent, kinds, networks = players
    actions, seats = moves
    eye, games, events = log
    for i in range(len(states)):
        state = states[i]
        eye[0].game = start + i
        eye[0].fresh = 1
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
            watch_action(rules[0], state, action, eye[0])
            apply(rules[0], state, action)
            tell(rules[0], state, eye[0])
            if eye[0].noted_count > 0:
                keep_noted(eye[0], games, events)


@entry
def apply_all_watched(rules, states, actions, numbers, log):
    """Apply an action to every row and record events. numbers: int64[n], of their games; else as in `play_watched`."""
    eye, games, events = log
    for i in range(len(states)):
        eye[0].game = numbers[i]
        eye[0].fresh = 1
        watch_action(rules[0], states[i], actions[i], eye[0])
        apply(rules[0], states[i], actions[i])
        tell(rules[0], states[i], eye[0])
        keep_noted(eye[0], games, events)
