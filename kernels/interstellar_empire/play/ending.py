"""The end of a game and conceding (rulebook: Victory)."""

import numpy as np

from stardeck.kernels.compile.jit import kernel
from stardeck.kernels.interstellar_empire.play.zones import clockwise, discard, put_on_discard_pile, ships_of, total
from stardeck.kernels.interstellar_empire.state import NOBODY

PLANETS = 10_000  # weights of a planet and a ship in a comparison; no player has as many ships or cards
SHIPS = 100


@kernel
def rank(state, seat):
    """Return the rank of a seat as one number: planets, then ships, then cards in hand."""
    player = state.players[seat]
    return total(player.empire) * PLANETS + ships_of(player) * SHIPS + total(player.hand)


@kernel
def end_game(rules, state):
    """End the game and set the places; players with equal ranks share a place."""
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
    """Return the number of players who have not conceded."""
    left = 0
    for seat in range(rules.players):
        left += state.players[seat].out == 0
    return left


@kernel
def heir(rules, state, seat):
    """Return the seat that inherits a conceding player's planets: the highest rank, then turn order (ruling)."""
    best = -1
    for distance in range(1, rules.players):
        other = clockwise(rules, seat, distance)
        if state.players[other].out == 0 and (best < 0 or rank(state, other) > rank(state, best)):
            best = other
    return best


@kernel
def concede(rules, state, seat):
    """Remove a player: discard hand and ships, give the planets to another empire (rulebook: Victory)."""
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
