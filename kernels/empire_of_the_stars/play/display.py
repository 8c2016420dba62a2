"""The stack and the display of exploration tiles (rulebook: Set Up 5, Explorer 2)."""

import numpy as np

from stardeck.kernels.compile.jit import kernel
from stardeck.kernels.empire_of_the_stars.rules import TileKind


@kernel
def draw_tile(state):
    """Turn up the top tile of the stack, which must not be empty."""
    state.stack_count -= 1
    state.stack_known = min(state.stack_known, state.stack_count)
    tile = np.int64(state.stack[state.stack_count])
    state.stack[state.stack_count] = 0
    return tile


@kernel
def bottom_tile(state, tile):
    """Put a tile that all players have seen under the stack."""
    for place in range(state.stack_count, 0, -1):
        state.stack[place] = state.stack[place - 1]
    state.stack[0] = tile
    state.stack_count += 1
    state.stack_known += 1


@kernel
def display_size(rules, state):
    """Return the number of tiles on display."""
    size = 0
    for tile in range(rules.tile_kinds):
        size += np.int64(state.display[tile])
    return size


@kernel
def planet_on_display(rules, state):
    """Return True if a planet is on display."""
    for tile in range(rules.tile_kinds):
        if state.display[tile] > 0 and rules.tiles[tile].kind == TileKind.PLANET:
            return True
    return False


@kernel
def planet_in_stack(rules, state):
    """Return True if the stack holds a planet."""
    for place in range(state.stack_count):
        if rules.tiles[state.stack[place]].kind == TileKind.PLANET:
            return True
    return False


@kernel
def replace_tile(state, tile):
    """Put a display tile under the stack, which must not be empty, and replace it with the top tile."""
    state.display[tile] -= 1
    bottom_tile(state, tile)
    state.display[draw_tile(state)] += 1


@kernel
def bring_planet(rules, state):
    """Replace empty space until a planet is on display (ruling: EXPLORER: display without a planet)."""
    if rules.empty_tile < 0:
        return
    while state.display[rules.empty_tile] > 0 and not planet_on_display(rules, state) and planet_in_stack(rules, state):
        replace_tile(state, np.int64(rules.empty_tile))


@kernel
def refill_display(rules, state):
    """Refill the display to one tile more than there are players, with a planet, as far as the stack goes."""
    while state.stack_count > 0 and display_size(rules, state) <= rules.players:
        state.display[draw_tile(state)] += 1
    bring_planet(rules, state)
