"""ENGINEER: players build and deploy ships (rulebook: Engineer)."""

import numpy as np

from stardeck.kernels.compile.jit import kernel
from stardeck.kernels.empire_of_the_stars.operations import Class, Flag, FreeShip, Op, ShipCost
from stardeck.kernels.empire_of_the_stars.play.answers import mark, mark_ships
from stardeck.kernels.empire_of_the_stars.play.effects import summed_for
from stardeck.kernels.empire_of_the_stars.play.galaxy import NONE, has_flag, home_of, put_ship
from stardeck.kernels.empire_of_the_stars.play.questions import begin_by_power, begin_step, pass_left, put_question
from stardeck.kernels.empire_of_the_stars.play.windows import pass_point
from stardeck.kernels.empire_of_the_stars.rules import Act, Point
from stardeck.kernels.empire_of_the_stars.state import CLASSES, REGIONS, RESOURCES, Ask, Ship, Stage, Step


@kernel
def begin(state):
    """Begin with the chooser's building."""
    begin_step(state, Step.BUILD, np.int64(state.scepter))


@kernel
def price_of(rules, player, kind, resource):
    """Return the price of a ship in one resource."""
    off = summed_for(rules, player, Op.SHIP_COST, kind, Class.ALL, ShipCost.P + resource)
    return max(0, rules.ship_cost[kind, resource] - off)


@kernel
def can_build(rules, player, kind):
    """Return True if a ship of a class is in the supply and the player can pay for it."""
    if player.supply[kind] == 0:
        return False
    for resource in range(RESOURCES):
        # no need to sum up discounts for a player who can pay the full price
        if player.resources[resource] < rules.ship_cost[kind, resource]:
            if player.resources[resource] < price_of(rules, player, kind, resource):
                return False
    return True


@kernel
def can_build_free(state, player, kind):
    """Return True if a free ship of a class is left to build."""
    return state.free_ships[kind] > 0 and player.supply[kind] > 0


@kernel
def count_free_ships(rules, state, seat):
    """Count the chooser's free fighter, and free ships from effects (rulebook: Engineer 1; ruling: free ships)."""
    for kind in range(CLASSES):
        state.free_ships[kind] = summed_for(rules, state.players[seat], Op.FREE_SHIP, kind, Class.ALL, FreeShip.N)
    if seat == state.scepter:
        state.free_ships[Ship.FIGHTER] += 1


@kernel
def advance_build(rules, state):
    """Let each player in turn build ships."""
    seat = np.int64(state.active)
    if state.stage != Stage.OWN:
        if not pass_point(rules, state, seat, Point.BUILD):
            return
        count_free_ships(rules, state, seat)
    player = state.players[seat]
    for kind in range(CLASSES):
        if can_build(rules, player, kind) or can_build_free(state, player, kind):
            put_question(state, seat, Ask.STEP)
            return
    end_build(rules, state)


@kernel
def stage_ship(player, kind):
    """Move a ship from the supply to the staging area."""
    player.supply[kind] -= 1
    player.staging[kind] += 1


@kernel
def build(rules, state, kind):
    """Build a ship."""
    player = state.players[state.active]
    for resource in range(RESOURCES):
        player.resources[resource] -= price_of(rules, player, kind, resource)
    stage_ship(player, kind)


@kernel
def build_free(state, kind):
    """Build a free ship."""
    state.free_ships[kind] -= 1
    stage_ship(state.players[state.active], kind)


@kernel
def end_build(rules, state):
    """Let the next player build; after the last one all deploy, the chooser first."""
    for kind in range(CLASSES):
        state.free_ships[kind] = 0
    if not pass_left(rules, state, Step.BUILD, np.int64(state.scepter)):
        begin_step(state, Step.DEPLOY, np.int64(state.scepter))


@kernel
def docks(rules, state, player):
    """Return the starbases with room where a player may deploy; the home world is one (rulebook: Engineer 2)."""
    regions = player.starbases | home_of(player)
    if has_flag(rules, player, Flag.DEPLOY_COLONY):
        regions |= player.colonies
    return regions & ~state.crowd[2]


@kernel
def staged(player):
    """Return the number of ships on the staging area."""
    return np.int64(player.staging[0] + player.staging[1] + player.staging[2])


@kernel
def advance_deploy(rules, state):
    """Let each player in turn deploy the ships on the staging area; ships without room return to the supply."""
    seat = np.int64(state.active)
    player = state.players[seat]
    if staged(player) > 0:
        if docks(rules, state, player) != NONE:
            put_question(state, seat, Ask.STEP)
            return
        for kind in range(CLASSES):
            player.supply[kind] += player.staging[kind]
            player.staging[kind] = 0
    if not pass_left(rules, state, Step.DEPLOY, np.int64(state.scepter)):
        begin_by_power(state, Step.AFTER)


@kernel
def deploy(state, kind, region):
    """Move a staged ship to a region."""
    seat = np.int64(state.active)
    state.players[seat].staging[kind] -= 1
    put_ship(state, seat, kind, region)


@kernel
def advance(rules, state):
    """Advance within the role."""
    if state.step == Step.BUILD:
        advance_build(rules, state)
    else:
        advance_deploy(rules, state)


@kernel
def mark_answers(rules, state, seat, legal):
    """Mark ships to build, or ships on the staging area in each region with a dock."""
    player = state.players[seat]
    if state.step == Step.BUILD:
        mark(rules, legal, Act.DONE, 0)
        for kind in range(CLASSES):
            if can_build(rules, player, kind):
                mark(rules, legal, Act.BUILD, kind)
            if can_build_free(state, player, kind):
                mark(rules, legal, Act.BUILD_FREE, kind)
    else:
        regions = docks(rules, state, player)
        for kind in range(CLASSES):
            if player.staging[kind] > 0:
                mark_ships(rules, legal, 0, kind, regions)


@kernel
def answer(rules, state, seat, row):
    """Build or deploy a ship, or stop."""
    act = row.act
    what = np.int64(row.what)
    if act == Act.BUILD:
        build(rules, state, what)
    elif act == Act.BUILD_FREE:
        build_free(state, what)
    elif act == Act.SHIP:
        deploy(state, what // REGIONS, what % REGIONS)
    else:
        end_build(rules, state)
