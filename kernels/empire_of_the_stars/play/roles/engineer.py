"""ENGINEER: ships are built and deployed (rulebook: Engineer)."""

import numpy as np

from stardeck.kernels.compile.jit import kernel
from stardeck.kernels.empire_of_the_stars.operations import Class, Flag, FreeShip, Op, ShipCost
from stardeck.kernels.empire_of_the_stars.play.answers import mark, mark_ships
from stardeck.kernels.empire_of_the_stars.play.effects import summed_for
from stardeck.kernels.empire_of_the_stars.play.galaxy import NONE, has_flag, home_of, put_ship
from stardeck.kernels.empire_of_the_stars.play.questions import begin_step, next_round_table, put_question
from stardeck.kernels.empire_of_the_stars.play.windows import pass_point
from stardeck.kernels.empire_of_the_stars.rules import Act, Point
from stardeck.kernels.empire_of_the_stars.state import CLASSES, REGIONS, RESOURCES, Ask, Ship, Stage, Step


@kernel
def begin(state):
    """The chooser builds first."""
    begin_step(state, Step.BUILD, np.int64(state.scepter))


@kernel
def price_of(rules, player, kind, resource):
    """What a ship costs of a resource."""
    off = summed_for(rules, player, Op.SHIP_COST, kind, Class.ALL, ShipCost.P + resource)
    return max(0, rules.ship_cost[kind, resource] - off)


@kernel
def can_build(rules, player, kind):
    """Whether a ship of a class is in the supply and can be paid for."""
    if player.supply[kind] == 0:
        return False
    for resource in range(RESOURCES):
        # what is there without any discount need not be asked about
        if player.resources[resource] < rules.ship_cost[kind, resource]:
            if player.resources[resource] < price_of(rules, player, kind, resource):
                return False
    return True


@kernel
def can_build_free(state, player, kind):
    """Whether a free ship of a class is left to build."""
    return state.free_ships[kind] > 0 and player.supply[kind] > 0


@kernel
def count_free_ships(rules, state, seat):
    """The chooser's fighter, and what effects add. (Rulebook: Engineer 1; ruling: free ships)"""
    for kind in range(CLASSES):
        state.free_ships[kind] = summed_for(rules, state.players[seat], Op.FREE_SHIP, kind, Class.ALL, FreeShip.N)
    if seat == state.scepter:
        state.free_ships[Ship.FIGHTER] += 1


@kernel
def advance_build(rules, state):
    """Each player in turn builds ships."""
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
    """A ship of the supply comes to the staging area."""
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
    """Build a ship free."""
    state.free_ships[kind] -= 1
    stage_ship(state.players[state.active], kind)


@kernel
def end_build(rules, state):
    """The next player builds; after the last all deploy, the chooser first."""
    for kind in range(CLASSES):
        state.free_ships[kind] = 0
    following = next_round_table(rules, np.int64(state.active), np.int64(state.scepter))
    if following >= 0:
        begin_step(state, Step.BUILD, following)
    else:
        begin_step(state, Step.DEPLOY, np.int64(state.scepter))


@kernel
def docks(rules, state, player):
    """Regions where a player may deploy: own starbases with room, the home world is one. (Rulebook: Engineer 2)"""
    regions = player.starbases | home_of(player)
    if has_flag(rules, player, Flag.DEPLOY_COLONY):
        regions |= player.colonies
    return regions & ~state.crowd[2]


@kernel
def staged(player):
    """Ships on the staging area."""
    return np.int64(player.staging[0] + player.staging[1] + player.staging[2])


@kernel
def advance_deploy(rules, state):
    """Each player in turn deploys what stands on the staging area; what finds no room returns to the supply."""
    seat = np.int64(state.active)
    player = state.players[seat]
    if staged(player) > 0:
        if docks(rules, state, player) != NONE:
            put_question(state, seat, Ask.STEP)
            return
        for kind in range(CLASSES):
            player.supply[kind] += player.staging[kind]
            player.staging[kind] = 0
    following = next_round_table(rules, seat, np.int64(state.scepter))
    if following >= 0:
        begin_step(state, Step.DEPLOY, following)
    else:
        begin_step(state, Step.AFTER, np.int64(state.order[0]))


@kernel
def deploy(state, kind, region):
    """A staged ship goes to a region."""
    seat = np.int64(state.active)
    state.players[seat].staging[kind] -= 1
    put_ship(state, seat, kind, region)


@kernel
def advance(rules, state):
    """Go on within the role."""
    if state.step == Step.BUILD:
        advance_build(rules, state)
    else:
        advance_deploy(rules, state)


@kernel
def mark_answers(rules, state, seat, legal):
    """Ships to build; ships on the staging area, wherever there is a dock."""
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
    """Build, deploy, or no more."""
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
