"""What happens in a game, noted while it is played: one event after the other, in numbers that statistics can count.

A game says what its events are in its own `events.py`, by two verbs: `watch` notes before an action what will be
compared, `tell` notes after it what has happened. Rules know nothing of either, and games that nobody watches are
played by other loops.
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
THE_BOSS = -2  # an automated one, in place of a seat
BEFORE_LIMIT = 64
CARDS_LIMIT = 256
NOTED_LIMIT = 192  # events of one action: 80 cards of Interstellar Empire that leave one seat and come to another


class Column(IntEnum):
    """What is kept of an event beside the number of its game: the rows of int32[len(Column), n]."""

    TURN = 0  # the turn, or role, that the decision was part of
    SEAT = 1  # whose doing it is
    KIND = 2  # number of the event, as the game lists them
    CARD = 3  # number of the card, or NO_CARD
    TARGET = 4  # whom it befalls, or NOBODY
    AMOUNT = 5  # how much or how many
    LEFT = 6  # what the target has then, where that is counted; else 0


NOTED = np.dtype([(name, np.int32) for name in ("seat", "kind", "card", "target", "amount", "left")])

EYE = np.dtype(
    [
        ("game", np.int64),  # the number of the one that is watched
        ("count", np.int64),  # events of earlier actions; those that found no room are counted too
        ("action", np.int64),  # that is about to be applied
        ("seat", np.int64),  # who takes it
        ("turn", np.int64),
        ("fresh", np.int64),  # 1: what the game holds to compare may be of another game; it says 0 once that is not so
        ("before", np.int64, (BEFORE_LIMIT,)),  # what the game compares
        ("cards", np.uint8, (CARDS_LIMIT,)),
        ("noted_count", np.int64),
        ("noted", NOTED, (NOTED_LIMIT,)),  # events of this action
    ],
    align=True,
)


class Log(NamedTuple):
    """Where events are written, while there is room; `eye.count` says how many there were."""

    eye: NDArray[np.void]  # EYE[1]
    games: NDArray[np.int64]  # [n]
    events: NDArray[np.int32]  # [len(Column), n]


@kernel
def note(eye, kind, target, card, amount, left):
    """Note an event, whose doing is that of whoever acts."""
    note_of(eye, kind, eye.seat, target, card, amount, left)


@kernel
def note_of(eye, kind, seat, target, card, amount, left):
    """Note an event."""
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
    """Keep the events of an action, while there is room.

    Only these few actions are handed the arrays of all: to hand them down costs more than to find nothing to tell.
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
    """Note what there is before an action."""
    eye.action = action
    eye.seat = state.to_act
    eye.turn = state.turn
    eye.noted_count = 0
    watch(rules, state, eye)


@entry
def play_watched(rules, states, players, agent_seed, game_seeds, moves, start, log):
    """Play out games (`play_out` of kernels/loops/playouts.py) and note events.

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
    """Apply an action to every row, noting what happens. numbers: int64[n], of their games; else as `play_watched`."""
    eye, games, events = log
    for i in range(len(states)):
        eye[0].game = numbers[i]
        eye[0].fresh = 1
        watch_action(rules[0], states[i], actions[i], eye[0])
        apply(rules[0], states[i], actions[i])
        tell(rules[0], states[i], eye[0])
        keep_noted(eye[0], games, events)
