"""Choices of exploration tiles: TILES replaces display tiles, or turns up a tile of the stack to place."""

from stardeck.kernels.compile.jit import kernel
from stardeck.kernels.empire_of_the_stars.operations import Tiles
from stardeck.kernels.empire_of_the_stars.play.display import display_size, draw_tile, replace_tile
from stardeck.kernels.empire_of_the_stars.play.galaxy import NONE, free_regions
from stardeck.kernels.empire_of_the_stars.state import Stage, Step


@kernel
def offers_tiles(rules, state, values):
    """Return True if a display tile can be replaced, or another tile placed."""
    if state.stack_count == 0:
        return False
    if values[Tiles.REPLACE] > 0:
        return display_size(rules, state) > 0
    return state.tiles_placed > 0 and free_regions(rules, state) != NONE


@kernel
def turn_up_tile(state):
    """Turn up the top tile of the stack; the player places it in a step of EXPLORER."""
    state.tile_in_hand = draw_tile(state)
    state.extra_tile = 1
    state.step = Step.REGION
    state.stage = Stage.OWN


@kernel
def replace(state, tile):
    """Put a display tile under the stack and turn up a new one."""
    replace_tile(state, tile)
    state.work_left -= 1
