"""Ship movement (rulebook: Warlord 1; ruling: WARLORD: movement in detail)."""

import numpy as np

from stardeck.kernels.compile.jit import kernel
from stardeck.kernels.empire_of_the_stars.operations import Flag, Moves, Op, Unit, Units, Warp, WarpFrom
from stardeck.kernels.empire_of_the_stars.play.effects import summed_for, technology_side, work_in_progress
from stardeck.kernels.empire_of_the_stars.play.galaxy import (
    NONE,
    active_side,
    add_on,
    bit,
    clockwise,
    has,
    has_flag,
    home_of,
    put_ship,
    spread,
    take_ship,
)
from stardeck.kernels.empire_of_the_stars.play.questions import put_question
from stardeck.kernels.empire_of_the_stars.state import CLASSES, NOTHING, REGIONS, Ask, Step
from stardeck.kernels.primitives.action_set import ONE, lowest


@kernel
def may_stop(rules, state, owner):
    """Return the regions where a ship may end: those with room, except home worlds of other players."""
    return rules.open & ~state.crowd[2] & ~(state.homes & ~home_of(state.players[owner]))


@kernel
def reach(rules, state, origin, steps, gates, fields):
    """Return the regions that a ship can reach within `steps`, except its origin.

    The result includes regions where the ship may not end its move.

    gates: regions from which every open region is one step away; fields: regions where the ship must stop.
    """
    seen = bit(origin)
    frontier = seen
    for _ in range(steps):
        if frontier & gates != NONE:
            frontier = rules.open & ~seen
        else:
            frontier = spread(rules, frontier) & rules.open & ~seen
        seen |= frontier
        frontier &= ~fields
        if frontier == NONE:
            break
    return seen & ~bit(origin)


@kernel
def warp_of_side(rules, side, at_home, at_starbase):
    """Return True if a WARP effect of a card makes such a region a wormhole."""
    card = rules.sides[side]
    for place in range(card.count):
        effect = card.effects[place]
        if effect.op == Op.WARP:
            where = effect.values[Warp.FROM]
            if (
                where == WarpFrom.ANY
                or (where == WarpFrom.HOME and at_home)
                or (where == WarpFrom.STARBASE and (at_starbase or at_home))
            ):
                return True
    return False


@kernel
def warps_from(rules, player, region):
    """Return True if an effect makes the starting region of a ship a wormhole (ruling: WARP)."""
    at_home = player.home == region
    at_starbase = has(player.starbases, region)
    side = active_side(rules, player)
    if side >= 0 and (rules.sides[side].ops >> np.uint64(Op.WARP)) & ONE != NONE:
        if warp_of_side(rules, side, at_home, at_starbase):
            return True
    for word in range(len(player.technologies)):
        owned = player.technologies[word] & rules.with_op[Op.WARP, word]
        while owned != NONE:
            if warp_of_side(rules, technology_side(rules, 64 * word + lowest(owned)), at_home, at_starbase):
                return True
            owned &= owned - ONE
    return False


@kernel
def allowance(rules, player, kind):
    """Return the number of regions that a ship of a class may move."""
    return rules.ship_moves[kind] + summed_for(rules, player, Op.UNIT, kind, Unit.ALL, Units.MOVE)


@kernel
def destinations(rules, state, owner, kind, origin, steps):
    """Return the regions where a ship may go. steps: NOTHING for its own movement, else the number an effect allows."""
    player = state.players[owner]
    gates = state.wormholes
    fields = state.asteroids
    if steps == NOTHING:
        steps = allowance(rules, player, kind)
    if warps_from(rules, player, origin):
        gates |= bit(origin)
    if fields != NONE and has_flag(rules, player, Flag.ASTEROIDS_OK):
        fields = NONE
    return reach(rules, state, origin, steps, gates, fields) & may_stop(rules, state, owner)


@kernel
def can_go(rules, state, owner, kind, origins, steps, into):
    """Return the origins from which a ship may go to any region of `into`. origins, into: sets of regions."""
    targets = may_stop(rules, state, owner) & into
    if targets == NONE:
        return NONE
    able = origins & spread(rules, targets)
    others = origins & ~able
    while others != NONE:
        origin = lowest(others)
        if destinations(rules, state, owner, kind, origin, steps) & into != NONE:
            able |= bit(origin)
        others &= others - ONE
    return able


@kernel
def can_any_go(rules, state, owner, origins_of, steps, into):
    """Return True if any ship may go into `into`. origins_of: the regions of each class, uint64[classes]."""
    for kind in range(CLASSES):
        if origins_of[kind] != NONE and can_go(rules, state, owner, kind, origins_of[kind], steps, into) != NONE:
            return True
    return False


# The question of the destination


@kernel
def pick(rules, state, seat, row):
    """Pick a ship, and ask for its destination."""
    what = np.int64(row.what)
    state.ship = what // REGIONS
    state.ship_from = what % REGIONS
    state.ship_owner = clockwise(rules, seat, np.int64(row.distance))
    put_question(state, seat, Ask.DESTINATION)


@kernel
def destinations_at_hand(rules, state):
    """Return the destinations of the ship picked in the present step or effect."""
    steps = NOTHING
    into = rules.open
    if state.work_side >= 0:
        effect = work_in_progress(rules, state)
        steps = np.int64(effect.values[Moves.STEPS])
        if effect.op == Op.REINFORCE:
            into = rules.sector_regions[state.sector]
    elif state.step == Step.ALLY:
        into = rules.sector_regions[state.sector]
    owner = np.int64(state.ship_owner)
    return destinations(rules, state, owner, np.int64(state.ship), np.int64(state.ship_from), steps) & into


@kernel
def move_ship(rules, state, region):
    """Move the ship picked to a region, and mark it as moved."""
    owner = np.int64(state.ship_owner)
    kind = np.int64(state.ship)
    take_ship(state, owner, kind, np.int64(state.ship_from))
    put_ship(state, owner, kind, region)
    add_on(state.players[owner].moved, kind, region)
    state.ship = NOTHING
    state.ship_from = NOTHING
    state.ship_owner = NOTHING


@kernel
def arrive(rules, state, region):
    """Move the ship picked to its destination, and count it for the effect or tactics."""
    move_ship(rules, state, region)
    if state.work_side >= 0:
        state.work_left -= 1
    elif state.step == Step.TACTICS:
        state.tactics_left -= 1
