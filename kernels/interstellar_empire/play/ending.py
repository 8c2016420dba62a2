"""Who has won, and conceding (rulebook: Victory)."""

import numpy as np

from stardeck.kernels.compile.jit import kernel
from stardeck.kernels.interstellar_empire.play.zones import clockwise, discard, put_on_discard_pile, ships_of, total
from stardeck.kernels.interstellar_empire.state import NOBODY

PLANETS = 10_000  # what a planet and a ship count in a comparison; nobody has as many ships or cards
SHIPS = 100


@kernel
def rank(state, seat):
    """What decides who is ahead: planets, then ships, then cards in hand."""
    player = state.players[seat]
    return total(player.empire) * PLANETS + ships_of(player) * SHIPS + total(player.hand)


@kernel
def end_game(rules, state):
    """The game is over; those who are equal in everything share a place."""
    state.to_act = NOBODY
    for seat in range(rules.players):
        if state.players[seat].out:
            continue
        place = 1
        for other in range(rules.players):
            place += state.players[other].out == 0 and rank(state, other) > rank(state, seat)
        state.placement[seat] = place


@kernel
def players_left(rules, state):
    """How many players have not conceded."""
    left = 0
    for seat in range(rules.players):
        left += state.players[seat].out == 0
    return left


@kernel
def heir(rules, state, seat):
    """Who gets the planets of a player who concedes: who is ahead; of equals the first in turn order. (Ruling)"""
    best = -1
    for distance in range(1, rules.players):
        other = clockwise(rules, seat, distance)
        if state.players[other].out == 0 and (best < 0 or rank(state, other) > rank(state, best)):
            best = other
    return best


@kernel
def concede(rules, state, seat):
    """A player leaves: hand and ships are discarded, the planets go to another empire. (Rulebook: Victory)"""
    player = state.players[seat]
    state.placement[seat] = players_left(rules, state)
    player.out = 1
    successor = state.players[heir(rules, state, seat)]
    for kind in range(rules.kinds):
        for _ in range(np.int64(player.hand[kind])):
            discard(state, player, kind)
    for kind in range(rules.kinds):
        for _ in range(np.int64(player.untapped[kind]) + np.int64(player.tapped[kind])):
            put_on_discard_pile(state, kind)
        player.untapped[kind] = 0
        player.tapped[kind] = 0
        successor.empire[kind] += player.empire[kind]
        player.empire[kind] = 0
