"""Resampling of hidden information with an opponent-hand model.

The hand of an opponent is not a uniform draw: players choose which cards to pay with, explore with, build and keep. The
model gives a weight to each kind of card in each other hand. Cards are drawn one by one, with probabilities
proportional to these weights.
"""

import numpy as np

from stardeck.kernels.compile.jit import kernel
from stardeck.kernels.compile.stack_arrays import stack_array
from stardeck.kernels.interstellar_empire.spaces.hidden import (
    could_be_asked,
    deal_fitting_hand,
    deal_rest,
    gather,
    lay_bid,
)
from stardeck.kernels.interstellar_empire.state import DECK_LIMIT, KIND_LIMIT
from stardeck.kernels.primitives.random import mix, random_below, random_share

_TRIES = 100  # attempts to draw a weighted hand that fits the question asked


@kernel
def deal_hand_weighted(state, player, pool, count, size, weights):
    """Draw a weighted hand of this size, and move its cards to the end of the pool.

    weights: float64[KIND_LIMIT], above 0.
    """
    for kind in range(KIND_LIMIT):
        player.hand[kind] = 0
    sum_of_weights = 0.0
    for i in range(count):
        sum_of_weights += weights[pool[i]]
    for last in range(count - 1, count - 1 - size, -1):
        left = random_share(state) * sum_of_weights
        other = 0
        while other < last and left >= weights[pool[other]]:
            left -= weights[pool[other]]
            other += 1
        card = pool[other]
        pool[other] = pool[last]
        pool[last] = card
        player.hand[card] += 1
        sum_of_weights -= weights[card]


@kernel
def first_weight(other, seat, players):
    """Return the index where the weights of another hand begin."""
    return ((other - seat) % players - 1) * KIND_LIMIT


@kernel
def deal_fitting_hand_weighted(rules, state, asked, pool, count, size, weights):
    """Draw a weighted hand that fits the question asked.

    After too many failed attempts, draw without weights: the model is wrong then.
    """
    player = state.players[asked]
    for _ in range(_TRIES):
        deal_hand_weighted(state, player, pool, count, size, weights)
        if could_be_asked(rules, state, player):
            return
    deal_fitting_hand(rules, state, asked, pool, count, size)


@kernel
def resample_weighted(rules, state, seat, seed, weights):
    """Resample like `resample_hidden`, with an opponent-hand model.

    The order in which hands are dealt is random, because the first hand takes the likely cards before the others.

    weights: float64[others * KIND_LIMIT], by seat in turn order, above 0.
    """
    state.random = mix(np.uint64(seed))
    pool = stack_array(DECK_LIMIT, np.uint8)
    sizes = stack_array(8, np.uint8)
    count = gather(rules, state, seat, pool, sizes)
    players = np.int64(rules.players)
    asked = np.int64(state.to_act)
    if asked >= 0 and asked != seat:
        size = np.int64(sizes[asked])
        by = first_weight(asked, seat, players)
        deal_fitting_hand_weighted(rules, state, asked, pool, count, size, weights[by : by + KIND_LIMIT])
        count -= size
    others = players - 1
    first = random_below(state, others)
    for step in range(others):
        other = (seat + 1 + (first + step) % others) % players
        if other != asked:
            size = np.int64(sizes[other])
            by = first_weight(other, seat, players)
            deal_hand_weighted(state, state.players[other], pool, count, size, weights[by : by + KIND_LIMIT])
            count -= size
    for other in range(players):
        if other != seat:
            count = lay_bid(state, state.players[other], pool, count)
    deal_rest(state, seat, pool, count)


@kernel
def count_hidden(rules, state, seat, counts):
    """Count by kind the hands of the other seats in turn order, then all cards that `seat` does not see.

    counts: uint8[players, KIND_LIMIT].
    """
    players = np.int64(rules.players)
    pool = stack_array(DECK_LIMIT, np.uint8)
    sizes = stack_array(8, np.uint8)
    for kind in range(KIND_LIMIT):
        counts[players - 1, kind] = 0
        for place in range(players - 1):
            counts[place, kind] = state.players[(seat + 1 + place) % players].hand[kind]
    for i in range(gather(rules, state, seat, pool, sizes)):
        counts[players - 1, pool[i]] += 1
