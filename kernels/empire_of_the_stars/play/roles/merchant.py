"""MERCHANT: credits for the chooser, trade, investments in far space (rulebook: Merchant)."""

import numpy as np

from stardeck.kernels.compile.jit import kernel
from stardeck.kernels.empire_of_the_stars.operations import Far, Goods, Op, Price
from stardeck.kernels.empire_of_the_stars.play.answers import mark
from stardeck.kernels.empire_of_the_stars.play.effects import (
    flipped_tiles,
    gain_credits,
    summed,
    summed_for,
    technology_side,
    track_end,
)
from stardeck.kernels.empire_of_the_stars.play.galaxy import NONE, active_side
from stardeck.kernels.empire_of_the_stars.play.questions import begin_by_power, begin_step, pass_left, put_question
from stardeck.kernels.empire_of_the_stars.play.windows import pass_point
from stardeck.kernels.empire_of_the_stars.rules import Act, Point
from stardeck.kernels.empire_of_the_stars.state import FAR_SPACE, MARKET_TILES, RESOURCES, Ask, FarSpace, Stage, Step
from stardeck.kernels.primitives.action_set import ONE, lowest

INVESTMENTS = 2  # rulebook: Merchant 3


@kernel
def begin(rules, state):
    """Give the chooser the credits shown on the market (rulebook: Merchant 1)."""
    for tile in range(MARKET_TILES):
        if (state.flipped >> tile) & 1:
            gain_credits(state.players[state.scepter], np.int64(rules.market[tile].credits))
    begin_step(state, Step.TRADE, np.int64(state.scepter))


# Trade


@kernel
def side_favours(rules, player, side, resource, column):
    """Return the price change from PRICE effects of a card for the resource that its owner favours."""
    card = rules.sides[side]
    change = 0
    for place in range(card.count):
        effect = card.effects[place]
        if effect.op == Op.PRICE and effect.values[Price.RES] == Goods.ANY:
            if player.favoured[effect.values[Price.SLOT]] == resource:
                change += effect.values[column]
    return change


@kernel
def price_change(rules, player, resource, column):
    """Return the price change of a resource from PRICE effects. column: Price.SELL or Price.BUY."""
    change = summed_for(rules, player, Op.PRICE, resource, Goods.ALL, column)
    side = active_side(rules, player)
    if side >= 0:
        change += side_favours(rules, player, side, resource, column)
    for word in range(len(player.technologies)):
        owned = player.technologies[word] & rules.with_op[Op.PRICE, word]
        while owned != NONE:
            side = technology_side(rules, 64 * word + lowest(owned))
            change += side_favours(rules, player, side, resource, column)
            owned &= owned - ONE
    return change


@kernel
def selling_price(rules, state, player, resource):
    """Return the selling price of a unit, in credits."""
    return rules.prices[flipped_tiles(state), resource] + price_change(rules, player, resource, Price.SELL)


@kernel
def buying_price(rules, state, player, resource):
    """Return the buying price of a unit, in credits: at least 1."""
    return max(1, rules.prices[flipped_tiles(state), resource] - price_change(rules, player, resource, Price.BUY))


@kernel
def can_sell(player, resource):
    """Return True if a unit may be sold: no player buys and sells the same resource (ruling: buying and selling)."""
    return player.resources[resource] > 0 and player.bought[resource] == 0


@kernel
def can_buy(rules, state, player, resource):
    """Return True if a unit may be bought."""
    if player.sold[resource] > 0 or player.resources[resource] >= track_end(rules, player):
        return False
    return player.credits >= buying_price(rules, state, player, resource)


@kernel
def advance_trade(rules, state):
    """Let each player in turn sell and buy (rulebook: Merchant 2)."""
    seat = np.int64(state.active)
    if state.stage != Stage.OWN and not pass_point(rules, state, seat, Point.TRADE):
        return
    player = state.players[seat]
    for resource in range(RESOURCES):
        if can_sell(player, resource) or can_buy(rules, state, player, resource):
            put_question(state, seat, Ask.STEP)
            return
    end_trade(rules, state)


@kernel
def sell(rules, state, resource):
    """Sell one unit."""
    player = state.players[state.active]
    player.resources[resource] -= 1
    player.sold[resource] += 1
    gain_credits(player, selling_price(rules, state, player, resource))


@kernel
def buy(rules, state, resource):
    """Buy one unit."""
    player = state.players[state.active]
    player.credits -= buying_price(rules, state, player, resource)
    player.resources[resource] += 1
    player.bought[resource] += 1


@kernel
def end_trade(rules, state):
    """Let the next player trade; after the last one the chooser invests."""
    if not pass_left(rules, state, Step.TRADE, np.int64(state.scepter)):
        begin_step(state, Step.INVEST, np.int64(state.scepter))


# Far space


@kernel
def cost_of(rules, player, location):
    """Return the cost of an investment, in credits: at least 1."""
    return max(1, rules.far_space[location] - summed(rules, player, Op.FAR, Far.DISCOUNT))


@kernel
def can_invest(rules, state, seat, location):
    """Return True if a player may invest in a location now (rulebook: Merchant 3; ruling: MERCHANT: investing)."""
    player = state.players[seat]
    there = state.far_space[location]
    if there == FarSpace.EMPTY:
        if player.tokens == 0:
            return False
    elif there != FarSpace.GALAXY and there != FarSpace.COLONY + 2 * seat:
        return False
    return player.credits >= cost_of(rules, player, location)


@kernel
def advance_invest(rules, state):
    """Let each player in turn invest up to twice."""
    seat = np.int64(state.active)
    if state.stage != Stage.OWN and not pass_point(rules, state, seat, Point.INVEST):
        return
    if state.invested < INVESTMENTS + summed(rules, state.players[seat], Op.FAR, Far.EXTRA):
        for location in range(FAR_SPACE):
            if can_invest(rules, state, seat, location):
                put_question(state, seat, Ask.STEP)
                return
    end_invest(rules, state)


@kernel
def invest(rules, state, location):
    """Pay for an investment: score the galaxy token, place a colony, or flip it to a starbase."""
    seat = np.int64(state.active)
    player = state.players[seat]
    player.credits -= cost_of(rules, player, location)
    state.invested += 1
    there = state.far_space[location]
    if there == FarSpace.GALAXY:
        player.throne += 1  # the token of the location, not from the supply
        state.far_space[location] = FarSpace.EMPTY
    elif there == FarSpace.EMPTY:
        player.tokens -= 1
        state.far_space[location] = FarSpace.COLONY + 2 * seat
    else:
        state.far_space[location] = FarSpace.STARBASE + 2 * seat


@kernel
def end_invest(rules, state):
    """Let the next player invest; after the last one all market tiles show resources again (rulebook: Merchant 4)."""
    state.invested = 0
    if not pass_left(rules, state, Step.INVEST, np.int64(state.scepter)):
        state.flipped = 0
        begin_by_power(state, Step.AFTER)


# The question


@kernel
def advance(rules, state):
    """Advance within the role."""
    if state.step == Step.TRADE:
        advance_trade(rules, state)
    else:
        advance_invest(rules, state)


@kernel
def mark_answers(rules, state, seat, legal):
    """Mark resources to sell and to buy, or locations to invest in."""
    mark(rules, legal, Act.DONE, 0)
    player = state.players[seat]
    if state.step == Step.TRADE:
        for resource in range(RESOURCES):
            if can_sell(player, resource):
                mark(rules, legal, Act.SELL, resource)
            if can_buy(rules, state, player, resource):
                mark(rules, legal, Act.BUY, resource)
    else:
        for location in range(FAR_SPACE):
            if can_invest(rules, state, seat, location):
                mark(rules, legal, Act.INVEST, location)


@kernel
def answer(rules, state, seat, row):
    """Sell, buy or invest, or stop."""
    act = row.act
    what = np.int64(row.what)
    if act == Act.SELL:
        sell(rules, state, what)
    elif act == Act.BUY:
        buy(rules, state, what)
    elif act == Act.INVEST:
        invest(rules, state, what)
    elif state.step == Step.TRADE:
        end_trade(rules, state)
    else:
        end_invest(rules, state)
