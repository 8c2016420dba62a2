"""Games of a network with some perturbed turns, and the training data recorded in them.

A search evaluates positions that its network would not have reached. They do not occur in games of the network alone,
so a network cannot learn their values there. Here some turns are perturbed: part of their decisions is drawn from the
candidates of a search. The result of such a game gives the value of the position after the turn.

The data are observations at the starts of turns, for a value network, or decisions with the hidden hands, for an
opponent-hand model (agents/search/belief.py).
"""

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from stardeck.kernels.compile.jit import entry, kernel
from stardeck.kernels.compile.stack_arrays import stack_array
from stardeck.kernels.primitives import action_set
from stardeck.kernels.primitives.action_set import WORD_LIMIT
from stardeck.kernels.primitives.network import (
    ACTION_LIMIT,
    OBSERVATION_LIMIT,
    UNIT_LIMIT,
    Shape,
    drawn,
    likeliest,
    preference,
    think,
)
from stardeck.kernels.primitives.random import below, splitmix64
from stardeck.kernels.verbs import apply, count_hidden, legal_actions, observe

CANDIDATES = 8  # as many as a search compares
STRAY = 0.12  # share of the decisions of a perturbed turn that are a uniformly drawn candidate
DRAWN = 0.3  # share of them that are drawn from the policy
AFTER = 0.6  # probability of recording the start of a turn after a perturbed turn
ELSE = 0.1  # the same after any other turn
LOOKED = 1 / 8  # share of the decisions that are recorded with the hidden hands
_TURN, _LOOK, _WAY, _WHICH, _DRAW, _SEAT = range(6)  # uses of chance
_UNIT_53 = 2.0**-53


class TurnObservations(NamedTuple):
    """Observations of games: the view of a seat at the start of a turn."""

    observations: NDArray[np.uint8]  # [k, observation_size]
    games: NDArray[np.int64]  # [k], the row of the game
    seats: NDArray[np.int64]  # [k], the observing seat


class HiddenHands(NamedTuple):
    """Real choices in games: the view of the acting seat, and the cards that are hidden from it."""

    observations: NDArray[np.uint8]  # [k, observation_size]
    counts: NDArray[np.uint8]  # [k, players, kinds], as `count_hidden` counts them


@kernel
def chance(seed, state, what):
    """Return a random number for one use of chance at this decision: uint64."""
    return splitmix64(seed, 8 * np.int64(state.decisions) + what)


@kernel
def happens(number, share):
    """Return true for a share of all random numbers. number: uint64."""
    return np.float64(number >> np.uint64(11)) * _UNIT_53 < share


@kernel
def one_of_the_likeliest(legal, weights, shape, at, hidden, number):
    """Return one of the CANDIDATES with the highest policy, drawn uniformly. number: random uint64."""
    logits = stack_array(ACTION_LIMIT, np.float64)
    size = action_set.size(legal)
    for k in range(size):
        logits[k] = preference(weights, shape, at, hidden, action_set.member(legal, k))
    best = 0
    for _ in range(below(number, min(size, CANDIDATES)) + 1):
        best = 0
        for k in range(size):
            if logits[k] > logits[best]:
                best = k
        logits[best] = -np.inf
    return action_set.member(legal, best)


@kernel
def choose(rules, state, weights, shape, legal, seed, astray):
    """Return the network's action, or a random one in a perturbed turn."""
    if action_set.size(legal) == 1:
        return action_set.member(legal, 0)
    observation = stack_array(OBSERVATION_LIMIT, np.uint8)
    seen = observation[: shape[Shape.INPUTS]]
    observe(rules, state, np.int64(state.to_act), seen)
    hidden = stack_array(UNIT_LIMIT, np.float32)
    at = think(seen, weights, shape, hidden)
    if astray:
        if happens(chance(seed, state, _WAY), STRAY):
            return one_of_the_likeliest(legal, weights, shape, at, hidden, chance(seed, state, _WHICH))
        if happens(chance(seed, state, _WAY), STRAY + DRAWN):
            return drawn(legal, weights, shape, at, hidden, chance(seed, state, _DRAW))
    return likeliest(legal, weights, shape, at, hidden)


@kernel
def record_turn(rules, state, seed, share, game, count, turns):
    """Record a share of the starts of turns, until the arrays are full; return the number of observations.

    The acting seat and another seat observe, one after the other.
    """
    if count + 2 > len(turns.observations) or not happens(chance(seed, state, _LOOK), share):
        return count
    actor = np.int64(state.to_act)
    players = np.int64(rules.players)
    for which in range(min(players, 2)):
        distance = 1 + below(chance(seed, state, _SEAT), players - 1) if which else 0
        seat = (actor + distance) % players
        turns.seats[count] = seat
        turns.games[count] = game
        observe(rules, state, seat, turns.observations[count])
        count += 1
    return count


@kernel
def record_hands(rules, state, seed, legal, count, hands):
    """Record a share of the real choices, until the arrays are full; return their number."""
    if action_set.size(legal) == 1 or count == len(hands.observations):
        return count
    if not happens(chance(seed, state, _LOOK), LOOKED):
        return count
    seat = np.int64(state.to_act)
    observe(rules, state, seat, hands.observations[count])
    count_hidden(rules, state, seat, hands.counts[count])
    return count + 1


@entry
def play_perturbed(rules, states, networks, seeds, share, turns, hands):
    """Play every row to its end with the first network; return the number of recorded rows.

    One of `turns` and `hands` is None. Numba compiles only the branch of the other: few games implement `count_hidden`.

    Args:
        rules: The rules, one record.
        states: The games, one row each; they are played to their end.
        networks: The `Networks`; the first one plays.
        seeds: Chance of each game, uint64[n].
        share: Share of the turns that are perturbed, float64.
        turns: The `TurnObservations`, written until they are full, or None.
        hands: The `HiddenHands`, written until they are full, or None.
    """
    weights, shape = networks.weights[0], networks.shapes[0]
    legal = stack_array(WORD_LIMIT, np.uint64)[: (rules[0].num_actions + 63) >> 6]
    count = 0
    for i in range(len(states)):
        state = states[i]
        turn = np.int64(state.turn)
        astray = False
        while state.to_act >= 0:
            if state.turn != turn:
                turn = np.int64(state.turn)
                if turns is not None:
                    count = record_turn(rules[0], state, seeds[i], AFTER if astray else ELSE, i, count, turns)
                astray = happens(chance(seeds[i], state, _TURN), share)
            legal_actions(rules[0], state, legal)
            if hands is not None:
                count = record_hands(rules[0], state, seeds[i], legal, count, hands)
            action = choose(rules[0], state, weights, shape, legal, seeds[i], astray)
            apply(rules[0], state, action)
    return count
