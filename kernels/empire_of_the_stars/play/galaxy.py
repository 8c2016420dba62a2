"""Regions, tiles, tokens and ships on the board (rulebook: Set Up 1, Explorer, Warlord 1).

All changes of ships on the board go through `put_ship` and `take_ship`, which also count the ships of all players.
"""

import numpy as np

from stardeck.kernels.compile.jit import inline_kernel, kernel
from stardeck.kernels.empire_of_the_stars.operations import Exempt, Flag, Op
from stardeck.kernels.empire_of_the_stars.rules import TileKind
from stardeck.kernels.empire_of_the_stars.state import CLASSES, HOME_WORLD, NO_TILE, NOTHING
from stardeck.kernels.primitives.action_set import ONE, population

NONE = np.uint64(0)
BYTE = np.uint64(255)


@inline_kernel
def bit(region):
    """Return the set of one region: uint64."""
    return ONE << np.uint64(region)


@inline_kernel
def has(regions, region):
    """Return True if a set holds a region."""
    return (regions >> np.uint64(region)) & ONE != NONE


@kernel
def spread(rules, regions):
    """Return all neighbours of a set of regions."""
    return (
        rules.spread[0, np.int64(regions & BYTE)]
        | rules.spread[1, np.int64((regions >> np.uint64(8)) & BYTE)]
        | rules.spread[2, np.int64((regions >> np.uint64(16)) & BYTE)]
        | rules.spread[3, np.int64((regions >> np.uint64(24)) & BYTE)]
        | rules.spread[4, np.int64((regions >> np.uint64(32)) & BYTE)]
    )


@inline_kernel
def clockwise(rules, seat, distance):
    """Return the seat `distance` places to the left. distance: from 0 to the number of players."""
    other = seat + distance
    return other - rules.players if other >= rules.players else other


# Ships


@kernel
def count_on(board, kind, region):
    """Return the number of ships of a class in a region of a board."""
    here = np.uint64(region)
    return np.int64(
        ((board[kind, 0] >> here) & ONE) + ((board[kind, 1] >> here) & ONE) + ((board[kind, 2] >> here) & ONE)
    )


@kernel
def add_on(board, kind, region):
    """Add a ship of a class to a region of a board."""
    here = bit(region)
    second = board[kind, 0] & here
    third = board[kind, 1] & second
    board[kind, 0] |= here
    board[kind, 1] |= second
    board[kind, 2] |= third


@kernel
def remove_from(board, kind, region):
    """Remove a ship of a class from a region of a board, which must hold one."""
    here = bit(region)
    stays_first = board[kind, 1] & here
    stays_second = board[kind, 2] & here
    board[kind, 2] &= ~here
    board[kind, 1] = (board[kind, 1] & ~here) | stays_second
    board[kind, 0] = (board[kind, 0] & ~here) | stays_first


@kernel
def clear_board(board):
    """Remove all ships from a board."""
    for kind in range(CLASSES):
        board[kind, 0] = NONE
        board[kind, 1] = NONE
        board[kind, 2] = NONE


@kernel
def put_ship(state, seat, kind, region):
    """Put a ship into a region, which must have room."""
    here = bit(region)
    add_on(state.players[seat].fleet, kind, region)
    second = state.crowd[0] & here
    third = state.crowd[1] & second
    state.crowd[0] |= here
    state.crowd[1] |= second
    state.crowd[2] |= third


@kernel
def take_ship(state, seat, kind, region):
    """Take a ship out of a region."""
    here = bit(region)
    remove_from(state.players[seat].fleet, kind, region)
    stays_first = state.crowd[1] & here
    stays_second = state.crowd[2] & here
    state.crowd[2] &= ~here
    state.crowd[1] = (state.crowd[1] & ~here) | stays_second
    state.crowd[0] = (state.crowd[0] & ~here) | stays_first


@inline_kernel
def ships_of(player):
    """Return the regions with ships of a player."""
    return player.fleet[0, 0] | player.fleet[1, 0] | player.fleet[2, 0]


@inline_kernel
def remaining(player, done, kind):
    """Return the regions with ships of a class that are not on the board `done`, a part of the fleet."""
    fleet = player.fleet
    return (fleet[kind, 0] & ~done[kind, 0]) | (fleet[kind, 1] & ~done[kind, 1]) | (fleet[kind, 2] & ~done[kind, 2])


@kernel
def remaining_of_all(player, done):
    """Return the regions with ships of any class that are not on the board `done`."""
    return remaining(player, done, 0) | remaining(player, done, 1) | remaining(player, done, 2)


@kernel
def total_on(board, kind):
    """Return the number of ships of a class on a board."""
    return population(board[kind, 0]) + population(board[kind, 1]) + population(board[kind, 2])


@kernel
def ships_of_others(rules, state, seat):
    """Return the regions with ships of any other player."""
    regions = NONE
    for other in range(rules.players):
        if other != seat:
            regions |= ships_of(state.players[other])
    return regions


# Tokens


@inline_kernel
def tokens_of(player):
    """Return the regions with a token of a player."""
    return player.colonies | player.starbases


@kernel
def all_tokens(rules, state):
    """Return the regions with a token of any player."""
    regions = NONE
    for seat in range(rules.players):
        regions |= tokens_of(state.players[seat])
    return regions


@kernel
def owner_of(rules, state, region):
    """Return the seat whose token lies in a region, or NOBODY."""
    for seat in range(rules.players):
        if has(tokens_of(state.players[seat]), region):
            return seat
    return NOTHING


@inline_kernel
def home_of(player):
    """Return the home world of a player as a set; it is empty before the home world is placed."""
    return NONE if player.home < 0 else bit(player.home)


@kernel
def put_colony(state, seat, region):
    """Move a colony token from the player board onto a planet."""
    state.players[seat].tokens -= 1
    state.players[seat].colonies |= bit(region)


@kernel
def colonizable(rules, state, seat):
    """Return the planets without a token, and asteroid fields if the player can colonize them.

    (Ruling: FLAG asteroid_colony)
    """
    planets = state.planets
    if has_flag(rules, state.players[seat], Flag.ASTEROID_COLONY):
        planets |= state.asteroids
    return planets & ~all_tokens(rules, state)


@kernel
def units_of(player):
    """Return the regions with ships, colonies or starbases of a player; a home world is a starbase."""
    return ships_of(player) | tokens_of(player) | home_of(player)


# Tiles


@kernel
def place_tile(rules, state, tile, region):
    """Lay an exploration tile into a region without one."""
    here = bit(region)
    state.tiles[region] = tile
    state.tiled |= here
    kind = rules.tiles[tile].kind
    if kind == TileKind.PLANET:
        state.planets |= here
    elif kind == TileKind.ASTEROID:
        state.asteroids |= here
    elif kind == TileKind.WORMHOLE:
        state.wormholes |= here


@kernel
def place_home(rules, state, seat, region):
    """Lay a home world into a region without a tile."""
    state.players[seat].home = region
    state.tiles[region] = HOME_WORLD
    state.tiled |= bit(region)
    state.homes |= bit(region)


@kernel
def clear_galaxy(state):
    """Clear the board."""
    for region in range(len(state.tiles)):
        state.tiles[region] = NO_TILE


@kernel
def free_regions(rules, state):
    """Return the open regions without a tile."""
    return rules.open & ~state.tiled


# Exceptions from cards


@kernel
def active_side(rules, player):
    """Return the active side of the power, or NOTHING. A surge side is active only after it is announced."""
    if player.power < 0:
        return NOTHING
    if player.surged == 0:
        return np.int64(player.power)
    return np.int64(rules.power_count + player.power) if player.surging else NOTHING


@kernel
def side_has_flag(rules, side, flag):
    """Return True if a side of a card has this exception."""
    card = rules.sides[side]
    for place in range(card.count):
        if card.effects[place].op == Op.FLAG and card.effects[place].values[Exempt.FLAG] == flag:
            return True
    return False


@kernel
def has_flag(rules, player, flag):
    """Return True if an active card of a player has this exception."""
    side = active_side(rules, player)
    if side >= 0 and side_has_flag(rules, side, flag):
        return True
    for word in range(len(player.technologies)):
        owned = player.technologies[word] & rules.with_op[Op.FLAG, word]
        while owned != NONE:
            number = 64 * word + population((owned & (~owned + ONE)) - ONE)
            if side_has_flag(rules, 2 * rules.power_count + number, flag):
                return True
            owned &= owned - ONE
    return False
