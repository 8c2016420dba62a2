"""EXPLORER: players pick, place and perhaps colonize tiles (rulebook: Explorer)."""

import numpy as np

from stardeck.kernels.compile.jit import kernel
from stardeck.kernels.empire_of_the_stars.operations import Cost, Event
from stardeck.kernels.empire_of_the_stars.play.answers import mark, mark_display, mark_regions
from stardeck.kernels.empire_of_the_stars.play.display import refill_display
from stardeck.kernels.empire_of_the_stars.play.effects import named_side, react
from stardeck.kernels.empire_of_the_stars.play.galaxy import (
    bit,
    colonizable,
    free_regions,
    has,
    place_tile,
    put_colony,
)
from stardeck.kernels.empire_of_the_stars.play.questions import (
    begin_by_power,
    begin_step,
    next_round_table,
    pass_left,
    put_question,
)
from stardeck.kernels.empire_of_the_stars.play.windows import (
    any_usable,
    can_place_tile,
    mark_usable,
    pass_point,
    usable_effect,
)
from stardeck.kernels.empire_of_the_stars.play.working import mark_used
from stardeck.kernels.empire_of_the_stars.rules import Act, Point, TileKind
from stardeck.kernels.empire_of_the_stars.state import NO_TILE, NOTHING, Ask, Stage, Step


@kernel
def begin(rules, state):
    """Begin with the chooser's pick; without tiles or room the role has no effect."""
    begin_step(state, Step.TILE, np.int64(state.scepter))
    if not can_place_tile(rules, state):
        end_explorer(rules, state)


@kernel
def is_last(rules, state):
    """Return True if the seat at hand is the last one, which takes the remaining tiles."""
    return next_round_table(rules, np.int64(state.active), np.int64(state.scepter)) < 0


@kernel
def advance_tile(rules, state):
    """Ask for a tile: one for each player, the rest for the last player (rulebook: Explorer 1)."""
    seat = np.int64(state.active)
    if not can_place_tile(rules, state):
        state.step = Step.EXTRA
        state.stage = Stage.USES
    elif state.stage != Stage.OWN and not pass_point(rules, state, seat, Point.EXPLORER_TURN):
        return
    elif state.tiles_placed == 0 or is_last(rules, state):
        put_question(state, seat, Ask.STEP)
    else:
        state.step = Step.EXTRA
        state.stage = Stage.USES


@kernel
def pick_tile(state, tile):
    """Take a tile off the display."""
    state.display[tile] -= 1
    state.tile_in_hand = tile
    state.extra_tile = 0
    state.step = Step.REGION


@kernel
def put_tile(rules, state, region):
    """Place the tile in hand, and carry out the effects of that."""
    seat = np.int64(state.active)
    tile = np.int64(state.tile_in_hand)
    place_tile(rules, state, tile, region)
    state.tile_in_hand = NO_TILE
    state.last_placed = region
    if state.extra_tile == 0:
        state.tiles_placed += 1
    if rules.tiles[tile].kind == TileKind.WORMHOLE:
        state.players[seat].wormholes += 1
    state.step = Step.COLONY
    react(rules, state, seat, Event.TILE_PLACED, 1, tile, -1)


@kernel
def has_privilege(rules, state):
    """Return True if the chooser may colonize the display tile just placed (ruling: the colonizing privilege)."""
    player = state.players[state.active]
    if state.active != state.scepter or state.extra_tile != 0 or state.tiles_placed != 1 or player.tokens == 0:
        return False
    return has(colonizable(rules, state, np.int64(state.active)), state.last_placed)


@kernel
def advance_colony(rules, state):
    """Ask about colonizing the tile just placed, by the privilege or a card."""
    seat = np.int64(state.active)
    if has_privilege(rules, state) or any_usable(rules, state, seat, Point.PLACED):
        put_question(state, seat, Ask.STEP)
    else:
        leave_colony(state)


@kernel
def leave_colony(state):
    """Go on with the turn."""
    state.last_placed = NOTHING
    state.step = Step.EXTRA if state.extra_tile else Step.TILE
    state.stage = Stage.USES if state.extra_tile else Stage.OWN
    state.extra_tile = 0


@kernel
def colonize_by_privilege(state):
    """Place the chooser's colony."""
    put_colony(state, np.int64(state.active), np.int64(state.last_placed))
    leave_colony(state)


@kernel
def colonize_by_card(rules, state, name):
    """Place a colony by a power or technology, given by its number in the block of names."""
    seat = np.int64(state.active)
    player = state.players[seat]
    side = named_side(rules, player, name)
    place = usable_effect(rules, state, seat, side, Point.PLACED)
    mark_used(rules, state, seat, side, place)
    player.credits -= rules.sides[side].effects[place].values[Cost.C]
    put_colony(state, seat, np.int64(state.last_placed))
    leave_colony(state)


@kernel
def advance_extra(rules, state):
    """Offer further tiles from the top of the stack, by effects; then go on with the next player."""
    seat = np.int64(state.active)
    if state.stage == Stage.USES and any_usable(rules, state, seat, Point.EXTRA):
        put_question(state, seat, Ask.USE)
        return
    state.tiles_placed = 0
    if not pass_left(rules, state, Step.TILE, np.int64(state.scepter)):
        end_explorer(rules, state)


@kernel
def end_explorer(rules, state):
    """Refill the display; a new wormhole turns all powers to their surge side (rulebook: Explorer 2, 3)."""
    refill_display(rules, state)
    placed = 0
    for seat in range(rules.players):
        placed += np.int64(state.players[seat].wormholes)
    if placed > 0 and rules.with_powers:
        for seat in range(rules.players):
            if state.players[seat].power >= 0:
                state.players[seat].surged = 1
    begin_by_power(state, Step.AFTER)


@kernel
def advance(rules, state):
    """Advance within the role."""
    step = state.step
    if step == Step.TILE:
        advance_tile(rules, state)
    elif step == Step.REGION:
        put_question(state, np.int64(state.active), Ask.STEP)
    elif step == Step.COLONY:
        advance_colony(rules, state)
    else:
        advance_extra(rules, state)


@kernel
def mark_answers(rules, state, seat, legal):
    """Mark tiles on display, or free regions, or the privilege and the cards that colonize."""
    if state.step == Step.TILE:
        mark_display(rules, state, legal)
    elif state.step == Step.REGION:
        mark_regions(rules, legal, free_regions(rules, state))
    else:
        mark(rules, legal, Act.PASS, 0)
        if has_privilege(rules, state):
            mark_regions(rules, legal, bit(state.last_placed))
        mark_usable(rules, state, seat, Point.PLACED, legal)


@kernel
def answer(rules, state, seat, row):
    """Pick a tile, place it, or decide about a colony."""
    act = row.act
    what = np.int64(row.what)
    if state.step == Step.TILE:
        pick_tile(state, what)
    elif state.step == Step.REGION:
        put_tile(rules, state, what)
    elif act == Act.REGION:
        colonize_by_privilege(state)
    elif act == Act.NAME:
        colonize_by_card(rules, state, what)
    else:
        leave_colony(state)
