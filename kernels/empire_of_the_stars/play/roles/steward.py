"""STEWARD: the chooser takes a market tile, and planets produce (rulebook: Steward)."""

import numpy as np

from stardeck.kernels.compile.jit import kernel
from stardeck.kernels.empire_of_the_stars.operations import Flag, Goods, Op, Produce
from stardeck.kernels.empire_of_the_stars.play.answers import mark
from stardeck.kernels.empire_of_the_stars.play.effects import gain, summed, summed_for
from stardeck.kernels.empire_of_the_stars.play.galaxy import NONE, has_flag, tokens_of
from stardeck.kernels.empire_of_the_stars.play.questions import begin_by_power, begin_step, pass_by_power, put_question
from stardeck.kernels.empire_of_the_stars.play.windows import pass_point
from stardeck.kernels.empire_of_the_stars.rules import Act, Point, TileKind
from stardeck.kernels.empire_of_the_stars.state import MARKET_TILES, NOTHING, RESOURCES, Ask, Resource, Step
from stardeck.kernels.primitives.action_set import ONE, lowest

ALL_FLIPPED = (1 << MARKET_TILES) - 1


@kernel
def begin(rules, state):
    """Begin with the chooser's market tile that shows resources; without one the role has no effect."""
    if state.flipped == ALL_FLIPPED:
        begin_by_power(state, Step.AFTER)
    else:
        begin_step(state, Step.MARKET_TILE, np.int64(state.scepter))


@kernel
def choose_market_tile(rules, state, tile):
    """Collect one of each resource on the market tile (rulebook: Steward 1)."""
    player = state.players[state.active]
    for resource in range(RESOURCES):
        gain(rules, player, resource, np.int64(rules.market[tile].resources[resource]))
    state.market_tile = tile
    begin_by_power(state, Step.PRODUCE)


@kernel
def advance_produce(rules, state):
    """Offer powers and technologies that change production, then let all players produce."""
    seat = np.int64(state.active)
    if not pass_point(rules, state, seat, Point.PRODUCE):
        return
    if not pass_by_power(rules, state, Step.PRODUCE):
        produce_all(rules, state)


@kernel
def tile_yields(rules, tile, resource, mines_asteroids):
    """Return the yield of a tile in one resource; an asteroid field gives its owner one metal."""
    if rules.tiles[tile].kind == TileKind.ASTEROID:
        return np.int64(mines_asteroids and resource == Resource.METAL)
    return np.int64(rules.tiles[tile].yields[resource])


@kernel
def yielded(rules, state, player, resource, bonus):
    """Return the yield of a player's home world and planets in one resource. bonus: for each that yields it."""
    mines_asteroids = has_flag(rules, player, Flag.ASTEROID_COLONY)
    amount = 1 + bonus if player.home >= 0 else 0  # a home world yields one of each
    planets = tokens_of(player)
    while planets != NONE:
        here = tile_yields(rules, np.int64(state.tiles[lowest(planets)]), resource, mines_asteroids)
        if here > 0:
            amount += here + bonus
        planets &= planets - ONE
    return amount


@kernel
def produce(rules, state, player):
    """Produce for a player: the types on the market tile, and other types by effects (ruling: PRODUCE)."""
    more_types = summed(rules, player, Op.PRODUCE, Produce.EXTRA_TYPES)
    times = 1 + summed(rules, player, Op.PRODUCE, Produce.REPEAT)
    for resource in range(RESOURCES):
        bonus = 0
        if rules.market[state.market_tile].resources[resource] > 0:
            bonus = summed_for(rules, player, Op.PRODUCE, resource, Goods.ALL, Produce.BONUS)
        elif more_types > 0:
            more_types -= 1
        else:
            continue
        gain(rules, player, resource, times * yielded(rules, state, player, resource, bonus))


@kernel
def produce_all(rules, state):
    """Produce for all players; the tile shows credits from now on (rulebook: Steward 2, 3)."""
    for seat in range(rules.players):
        produce(rules, state, state.players[seat])
    state.flipped |= 1 << np.int64(state.market_tile)
    state.market_tile = NOTHING
    begin_by_power(state, Step.AFTER)


@kernel
def advance(rules, state):
    """Advance within the role."""
    if state.step == Step.MARKET_TILE:
        put_question(state, np.int64(state.active), Ask.STEP)
    else:
        advance_produce(rules, state)


@kernel
def mark_answers(rules, state, seat, legal):
    """Mark the market tiles that show resources."""
    for tile in range(MARKET_TILES):
        if (state.flipped >> tile) & 1 == 0:
            mark(rules, legal, Act.MARKET_TILE, tile)


@kernel
def answer(rules, state, seat, row):
    """Choose a market tile."""
    choose_market_tile(rules, state, np.int64(row.what))
