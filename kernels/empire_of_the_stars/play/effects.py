"""Automatic effects of powers and technologies: sums of standing effects, gains, scores (rulebook: Player Powers).

Effects of one kind add up. (Rulings: powers and technologies)
"""

import numpy as np

from stardeck.kernels.compile.jit import kernel
from stardeck.kernels.empire_of_the_stars.operations import (
    WHAT,
    Condition,
    Counted,
    Event,
    Gain,
    GainPer,
    Manner,
    Number,
    Op,
    Paid,
    ScorePer,
    Unit,
    Units,
)
from stardeck.kernels.empire_of_the_stars.play.galaxy import NONE, active_side, home_of, tokens_of, total_on
from stardeck.kernels.empire_of_the_stars.rules import TileKind
from stardeck.kernels.empire_of_the_stars.state import CLASSES, FAR_SPACE, MARKET_TILES, RESOURCES, FarSpace
from stardeck.kernels.primitives.action_set import ONE, lowest, population

MOST_CREDITS = 30_000  # far more than a game yields


@kernel
def technology_side(rules, number):
    """Return the side of a technology."""
    return 2 * rules.power_count + number


@kernel
def named_side(rules, player, name):
    """Return the side of a player's card, given by its number in the block of names."""
    if name < rules.names_from:
        return active_side(rules, player)
    return technology_side(rules, name - rules.names_from)


@kernel
def side_sum(rules, side, op, column):
    """Return the sum of a value over the effects of one side with this operation."""
    card = rules.sides[side]
    total = 0
    for place in range(card.count):
        effect = card.effects[place]
        if effect.op == op:
            total += effect.values[column]
    return total


@kernel
def summed(rules, player, op, column):
    """Return the sum of a value over all active effects of a player with this operation."""
    total = 0
    side = active_side(rules, player)
    if side >= 0 and (rules.sides[side].ops >> np.uint64(op)) & ONE != NONE:
        total += side_sum(rules, side, op, column)
    for word in range(len(player.technologies)):
        owned = player.technologies[word] & rules.with_op[op, word]
        while owned != NONE:
            total += side_sum(rules, technology_side(rules, 64 * word + lowest(owned)), op, column)
            owned &= owned - ONE
    return total


@kernel
def side_sum_for(rules, side, op, what, everything, column):
    """Return `side_sum` over the effects whose first value is `what` or `everything`."""
    card = rules.sides[side]
    total = 0
    for place in range(card.count):
        effect = card.effects[place]
        if effect.op == op and (effect.values[WHAT] == what or effect.values[WHAT] == everything):
            total += effect.values[column]
    return total


@kernel
def summed_for(rules, player, op, what, everything, column):
    """Return `summed` over the effects whose first value is `what` or `everything`."""
    total = 0
    side = active_side(rules, player)
    if side >= 0 and (rules.sides[side].ops >> np.uint64(op)) & ONE != NONE:
        total += side_sum_for(rules, side, op, what, everything, column)
    for word in range(len(player.technologies)):
        owned = player.technologies[word] & rules.with_op[op, word]
        while owned != NONE:
            side = technology_side(rules, 64 * word + lowest(owned))
            total += side_sum_for(rules, side, op, what, everything, column)
            owned &= owned - ONE
    return total


@kernel
def hits_needed(rules, player, kind):
    """Return the number of hits that destroy a ship of a class."""
    return rules.ship_hits[kind] + summed_for(rules, player, Op.UNIT, kind, Unit.ALL, Units.ARMOR)


@kernel
def work_in_progress(rules, state):
    """Return the effect in progress."""
    return rules.sides[state.work_side].effects[state.work_effect]


# Goods and tokens


@kernel
def flipped_tiles(state):
    """Return the number of market tiles that show credits: the index into the prices."""
    count = 0
    for tile in range(MARKET_TILES):
        count += (state.flipped >> tile) & 1
    return count


@kernel
def track_end(rules, player):
    """Return the last mark on the resource tracks of a player."""
    return rules.track + summed(rules, player, Op.TRACK, Number.N)


@kernel
def gain(rules, player, resource, amount):
    """Mark up a resource; an excess over the track is lost (rulebook: Steward 2)."""
    player.resources[resource] = min(player.resources[resource] + amount, track_end(rules, player))


@kernel
def gain_credits(player, amount):
    """Take credits from the supply, which never runs out."""
    player.credits = min(player.credits + amount, MOST_CREDITS)


@kernel
def has_room(rules, player):
    """Return True if any resource can still be marked up."""
    end = track_end(rules, player)
    return player.resources[0] < end or player.resources[1] < end or player.resources[2] < end


@kernel
def score_galaxy_tokens(state, seat, count):
    """Move galaxy tokens from the supply into the throne, as many as it holds (rulebook: Scoring tokens)."""
    scored = min(count, np.int64(state.galaxy_supply))
    state.galaxy_supply -= scored
    state.players[seat].throne += scored


@kernel
def score_token(state, seat):
    """Move a colony token from the player board into the throne; without one, move a galaxy token."""
    if state.players[seat].tokens > 0:
        state.players[seat].tokens -= 1
        state.players[seat].throne += 1
    else:
        score_galaxy_tokens(state, seat, 1)


# Counting


@kernel
def owned_technologies(player):
    """Return the number of technologies that a player has bought."""
    return population(player.technologies[0]) + population(player.technologies[1])


@kernel
def starbases_in_far_space(state, seat):
    """Return the number of far-space locations with a starbase of a player."""
    count = 0
    for location in range(FAR_SPACE):
        count += state.far_space[location] == FarSpace.STARBASE + 2 * seat
    return count


@kernel
def opponents_who_bought(rules, state, seat):
    """Return the number of opponents who have bought a technology in this SCIENTIST."""
    count = 0
    for other in range(rules.players):
        count += other != seat and state.players[other].buyer != 0
    return count


@kernel
def count_for_effect(rules, state, seat, counted):
    """Return the quantity that an effect counts; a home world is a planet and a starbase here (Facts: counted)."""
    player = state.players[seat]
    home = population(home_of(player))
    if counted == Counted.PLANETS:
        return population(tokens_of(player)) + home
    if counted == Counted.COLONIES:
        return population(player.colonies)
    if counted == Counted.STARBASES:
        return population(player.starbases) + starbases_in_far_space(state, seat) + home
    if counted == Counted.TECHNOLOGIES:
        return owned_technologies(player)
    if counted == Counted.ASTEROIDS_ON_BOARD:
        return population(state.asteroids)
    if counted == Counted.FLEET:
        return total_on(player.fleet, 0) + total_on(player.fleet, 1) + total_on(player.fleet, 2)
    if counted == Counted.CREDITS:
        return np.int64(player.credits)
    if counted == Counted.OPPONENTS_BOUGHT_TECH:
        return opponents_who_bought(rules, state, seat)
    return np.int64(player.resources[0] + player.resources[1] + player.resources[2])


@kernel
def holds(rules, state, seat, condition, detail):
    """Return True if a condition holds. detail: the kind of tile placed, or the card bought."""
    player = state.players[seat]
    if condition == Condition.NONE:
        return True
    if condition == Condition.MOST_TECHNOLOGIES:
        for other in range(rules.players):
            if other != seat and owned_technologies(state.players[other]) >= owned_technologies(player):
                return False
        return True
    if condition == Condition.IS_EMPEROR:
        return state.emperor == seat
    if condition == Condition.NOT_EMPEROR:
        return state.emperor != seat
    if condition == Condition.IN_BATTLE:
        return player.fights != 0
    if condition == Condition.SOLD_5:
        return player.sold[0] + player.sold[1] + player.sold[2] >= 5
    if condition == Condition.TILE_ASTEROID:
        return detail >= 0 and rules.tiles[detail].kind == TileKind.ASTEROID
    return detail >= 0 and rules.technologies[detail].cost == 3


# Automatic effects


@kernel
def give_fixed(rules, player, values, times):
    """Give the fixed resources and credits of a GAIN effect."""
    for resource in range(RESOURCES):
        gain(rules, player, resource, times * values[Gain.P + resource])
    gain_credits(player, times * values[Gain.C])


@kernel
def carry_out(rules, state, seat, effect, times):
    """Carry out an automatic effect."""
    player = state.players[seat]
    values = effect.values
    if effect.op == Op.GAIN:
        give_fixed(rules, player, values, times)
        player.owed += times * values[Gain.ANY]
    elif effect.op == Op.SCORE:
        score_galaxy_tokens(state, seat, times * values[Number.N])
    elif effect.op == Op.GAIN_PER:
        full = count_for_effect(rules, state, seat, np.int64(values[GainPer.OF])) // values[GainPer.PER]
        amount = min(np.int64(full * values[GainPer.N]), np.int64(values[GainPer.CAP])) * times
        if values[GainPer.RES] == Paid.CREDITS:
            gain_credits(player, amount)
        else:
            gain(rules, player, np.int64(values[GainPer.RES]), amount)
    else:
        full = count_for_effect(rules, state, seat, np.int64(values[ScorePer.OF])) // values[ScorePer.PER]
        score_galaxy_tokens(
            state, seat, min(np.int64(full * values[ScorePer.N]), np.int64(values[ScorePer.CAP])) * times
        )


@kernel
def gains_of_side(rules, state, seat, side, point):
    """Carry out the automatic effects of a card at a point (ruling: wormhole_placed)."""
    card = rules.sides[side]
    for place in range(card.count):
        effect = card.effects[place]
        if effect.manner == Manner.AUTOMATIC and effect.use == point:
            times = np.int64(state.players[seat].wormholes) if effect.event == Event.WORMHOLE_PLACED else 1
            if times > 0 and holds(rules, state, seat, effect.condition, -1):
                carry_out(rules, state, seat, effect, times)


@kernel
def gains_at(rules, state, seat, point):
    """Carry out the automatic effects of all cards of a player at a point: the power, then technologies by number."""
    player = state.players[seat]
    side = active_side(rules, player)
    if side >= 0:
        gains_of_side(rules, state, seat, side, point)
    for word in range(len(player.technologies)):
        owned = player.technologies[word] & rules.at_point[point, word]
        while owned != NONE:
            gains_of_side(rules, state, seat, technology_side(rules, 64 * word + lowest(owned)), point)
            owned &= owned - ONE


@kernel
def events_of_side(rules, state, seat, side, event, times, detail):
    """Carry out the effects of a card at an event."""
    card = rules.sides[side]
    for place in range(card.count):
        effect = card.effects[place]
        if effect.manner == Manner.EVENT and effect.event == event:
            if holds(rules, state, seat, effect.condition, detail):
                carry_out(rules, state, seat, effect, times)


@kernel
def react(rules, state, seat, event, times, detail, but):
    """Carry out the effects of all cards of a player at an event.

    times: number of events; but: a technology to leave out, or -1.
    """
    if times <= 0:
        return
    player = state.players[seat]
    side = active_side(rules, player)
    if side >= 0:
        events_of_side(rules, state, seat, side, event, times, detail)
    for word in range(len(player.technologies)):
        owned = player.technologies[word] & rules.on_event[event, word]
        while owned != NONE:
            number = 64 * word + lowest(owned)
            if number != but:
                events_of_side(rules, state, seat, technology_side(rules, number), event, times, detail)
            owned &= owned - ONE


@kernel
def fleet_strength(rules, player):
    """Return the total strength of the ships on the board, 1, 3 and 6 each (Facts: edicts)."""
    strength = 0
    for kind in range(CLASSES):
        strength += total_on(player.fleet, kind) * rules.ship_strength[kind]
    return strength
