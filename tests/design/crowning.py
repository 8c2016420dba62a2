"""A made-up game for tests: three players, of whom the third cannot win and, if `crown` is on, chooses who does.

Players move in turn, three rounds long. The first two add 0 or 1 to their points, by a throw that both of their
actions share. In its last turn the third player crowns one of the others, who wins; with `crown` off, the points and
then a throw decide. No network plays it, and it shows no open numbers.
"""

from enum import IntEnum

import numpy as np

from stardeck.kernels import verbs
from stardeck.kernels.compile.jit import kernel
from stardeck.kernels.contract.new_game import build, rules_dtype, state_dtype
from stardeck.kernels.contract.settings import Setting
from stardeck.kernels.contract.variant import BaseVariant, Block, Row
from stardeck.kernels.primitives import action_set
from stardeck.kernels.primitives.random import below, mix

NAME = "crowning"
SEATS, ROUNDS = 3, 3
SETTINGS = (
    Setting("players", 3, (3, 3), "number of players"),
    Setting("crown", True, (False, True), "the third player chooses the winner"),
)


class Act(IntEnum):
    """The blocks of the action space."""

    MOVE = 0


class Field(IntEnum):
    """The fields of an observation."""

    POINTS = 0


STATE = state_dtype(NAME, SEATS, [("points", np.uint8, (SEATS,))])
RULES = rules_dtype(acts=Act, observed=Field, fields=[("crown", np.int8)])


class Crowning(BaseVariant):
    """The game, with or without a crown."""

    NAME = NAME
    blocks = (Block(Act.MOVE, "move {card}", "one of two moves", lambda settings: [(0,), (1,)]),)
    fields = (Row(Field.POINTS, "", "all", 1 / ROUNDS, "points"),)


def make_variant(**settings):
    """Return the variant with these settings."""
    return build(Crowning, SETTINGS, settings, names=["left", "right"], states=STATE, rules=RULES)


@kernel
def deal(rules, state, seed):
    """Set up a new game in a blank record."""
    state.variant = rules.variant
    state.random = np.uint64(seed)
    state.turn = 1


@kernel
def legal_actions(rules, state, legal):
    """Write the set of legal actions: both moves."""
    action_set.clear(legal)
    for move in range(2):
        action_set.mark_if(legal, move, state.to_act >= 0)


@kernel
def throw(state):
    """Return 0 or 1 by chance."""
    state.random = mix(state.random)
    return below(state.random, 2)


@kernel
def apply(rules, state, action):
    """Move; the last move ends the game."""
    seat = np.int64(state.to_act)
    state.decisions += 1
    if seat < 2:
        state.points[seat] += throw(state)
    state.turn += 1
    state.to_act = (seat + 1) % SEATS
    if state.decisions == SEATS * ROUNDS:
        state.to_act = -1
        winner = action
        if rules.crown == 0:
            winner = throw(state)
            if state.points[0] != state.points[1]:
                winner = 0 if state.points[0] > state.points[1] else 1
        for other in range(SEATS):
            state.placement[other] = 1 if other == winner else 2 if other < 2 else 3


@kernel
def observe(rules, state, seat, observation):
    """Write the points, the observing seat's first."""
    for distance in range(SEATS):
        observation[rules.offset[Field.POINTS] + distance] = state.points[(seat + distance) % SEATS]


@kernel
def resample_hidden(rules, state, seat, seed):
    """Draw the stream of chance again."""
    state.random = mix(np.uint64(seed))


verbs.implement(verbs.deal, STATE, deal)
verbs.implement(verbs.legal_actions, STATE, legal_actions)
verbs.implement(verbs.apply, STATE, apply)
verbs.implement(verbs.observe, STATE, observe)
verbs.implement(verbs.resample_hidden, STATE, resample_hidden)
