"""Effects that offer choices, one choice at a time (rulebook: Player Powers, Scientist; rulings by operation).

The effect in progress is `work_effect` of side `work_side`; its owner is the seat at hand, `state.active`.
"""

import numpy as np

from stardeck.kernels.empire_of_the_stars.play.display import bring_planet, display_size, draw_tile, replace_tile
from stardeck.kernels.empire_of_the_stars.play.effects import gain, give_fixed, has_room, summed_for, track_end
from stardeck.kernels.empire_of_the_stars.play.galaxy import (
    NONE,
    bit,
    clockwise,
    colonizable,
    free_regions,
    has,
    put_colony,
    remaining,
    ships_of,
    ships_of_others,
    take_ship,
    tokens_of,
)
from stardeck.kernels.empire_of_the_stars.play.movement import can_go
from stardeck.kernels.empire_of_the_stars.play.questions import forget_moves, put_question
from stardeck.kernels.empire_of_the_stars.rules import Op, Unit
from stardeck.kernels.empire_of_the_stars.state import (
    CLASSES,
    NOBODY,
    NOTHING,
    RESOURCES,
    Ask,
    Side,
    Stage,
    Step,
)
from stardeck.kernels.jit import kernel

ALL_EXCHANGES = 99  # SWAP: as many as the player owns resources


@kernel
def work_in_progress(rules, state):
    """The effect in progress."""
    return rules.sides[state.work_side].effects[state.work_effect]


@kernel
def hits_needed(rules, player, kind):
    """Hits that destroy a ship of a class."""
    return rules.ship_hits[kind] + summed_for(rules, player, Op.UNIT, kind, Unit.ALL, 2)


# What each operation has to offer


@kernel
def can_swap(rules, player, given, taken):
    """Whether one resource can be exchanged for another."""
    return given != taken and player.resources[given] > 0 and player.resources[taken] < track_end(rules, player)


@kernel
def can_swap_any(rules, player):
    """Whether any resource can be exchanged."""
    for given in range(RESOURCES):
        for taken in range(RESOURCES):
            if can_swap(rules, player, given, taken):
                return True
    return False


@kernel
def colony_targets(rules, state, seat):
    """Uncolonized planets that hold no opposing ship, for PLACE_COLONY."""
    if state.players[seat].tokens == 0:
        return NONE
    return colonizable(rules, state, seat) & ~ships_of_others(rules, state, seat)


@kernel
def upgrade_targets(player, values):
    """Own colonies on planets, if the price can be paid, for UPGRADE."""
    for resource in range(RESOURCES):
        if player.resources[resource] < values[1 + resource]:
            return NONE
    return NONE if player.credits < values[4] else player.colonies


@kernel
def movable_enemies(rules, state, owner, kind, steps):
    """Regions from which ships of an opponent can be moved, for MOVE_ENEMY."""
    waiting = remaining(state.players[owner], state.players[owner].moved, kind)
    return NONE if waiting == NONE else can_go(rules, state, owner, kind, waiting, steps, rules.open)


@kernel
def reinforcements(rules, state, seat, kind, steps):
    """Regions outside the sector of the battle from which own ships can come into it, for REINFORCE."""
    sector = rules.sector_regions[state.sector]
    waiting = remaining(state.players[seat], state.players[seat].moved, kind) & ~sector
    return NONE if waiting == NONE else can_go(rules, state, seat, kind, waiting, steps, sector)


@kernel
def destroyable_ships(rules, player, kind, most):
    """Regions with ships of a class that so many hits destroy, for DESTROY."""
    return player.fleet[kind, 0] if hits_needed(rules, player, kind) <= most else NONE


@kernel
def any_destroyable(rules, player, most):
    """Whether a player has a ship that so many hits destroy."""
    for kind in range(CLASSES):
        if destroyable_ships(rules, player, kind, most) != NONE:
            return True
    return False


@kernel
def can_take(rules, state, seat, other, resource):
    """Whether a resource can be taken from somebody, for TAKE."""
    player = state.players[seat]
    if other == seat or state.players[other].resources[resource] == 0:
        return False
    return player.resources[resource] < track_end(rules, player)


@kernel
def can_take_any(rules, state, seat, other):
    """Whether any resource can be taken from somebody."""
    for resource in range(RESOURCES):
        if can_take(rules, state, seat, other, resource):
            return True
    return False


@kernel
def convert_targets(rules, state, seat):
    """Opposing colonies without ships of their owner, for CONVERT."""
    regions = NONE
    if state.players[seat].tokens > 0:
        for other in range(rules.players):
            if other != seat:
                regions |= state.players[other].colonies & ~ships_of(state.players[other])
    return regions


@kernel
def most_of_others(rules, state, seat, resource):
    """The highest amount of a resource among the opponents."""
    most = 0
    for other in range(rules.players):
        if other != seat:
            most = max(most, np.int64(state.players[other].resources[resource]))
    return most


@kernel
def can_match(rules, state, seat, resource):
    """Whether a resource can be raised towards an opponent's, for MATCH."""
    player = state.players[seat]
    own = player.resources[resource]
    return own < most_of_others(rules, state, seat, resource) and own < track_end(rules, player)


@kernel
def offers_something(rules, state, seat, effect):
    """Whether an effect that is used by choice has a choice to offer now."""
    player = state.players[seat]
    op = effect.op
    values = effect.values
    if op == Op.GAIN:
        return has_room(rules, player)
    if op == Op.SWAP:
        return can_swap_any(rules, player)
    if op == Op.PRICE:
        return True
    if op == Op.TILES:
        if state.stack_count == 0:
            return False
        if values[0] > 0:
            return display_size(rules, state) > 0
        return state.tiles_placed > 0 and free_regions(rules, state) != NONE
    if op == Op.PLACE_COLONY:
        return colony_targets(rules, state, seat) != NONE
    if op == Op.UPGRADE:
        return upgrade_targets(player, values) != NONE
    if op == Op.CONVERT:
        return convert_targets(rules, state, seat) != NONE
    if op == Op.COLONIZE_PLACED:
        here = bit(state.last_placed)
        return player.credits >= values[0] and player.tokens > 0 and colonizable(rules, state, seat) & here != NONE
    return offers_in_turn(rules, state, seat, effect)


@kernel
def offers_in_turn(rules, state, seat, effect):
    """`offers_something` for effects that go through ships, opponents or resources."""
    op = effect.op
    values = effect.values
    if op == Op.MATCH:
        for resource in range(RESOURCES):
            if can_match(rules, state, seat, resource):
                return True
        return False
    if op == Op.REINFORCE:
        for kind in range(CLASSES):
            if state.mains[Side.DEFENDER] == seat and reinforcements(rules, state, seat, kind, values[1]) != NONE:
                return True
        return False
    for other in range(rules.players):
        if other == seat:
            continue
        opponent = state.players[other]
        if op == Op.DESTROY:
            if (values[0] > 0 and any_destroyable(rules, opponent, values[1])) or (
                values[2] > 0 and tokens_of(opponent) != NONE
            ):
                return True
        elif op == Op.TAKE:
            if can_take_any(rules, state, seat, other):
                return True
        else:
            for kind in range(CLASSES):
                if can_go(rules, state, other, kind, opponent.fleet[kind, 0], values[1], rules.open) != NONE:
                    return True
    return False


# Beginning and going on


@kernel
def mark_used(rules, state, seat, side, place):
    """An effect is used up for this role."""
    player = state.players[seat]
    technology = side - 2 * rules.power_count
    if technology >= 0:
        player.used[technology >> 6] |= bit(technology & 63)
    else:
        player.used_effects |= 1 << place


@kernel
def is_used(rules, player, side, place):
    """Whether an effect has been used in this role."""
    technology = side - 2 * rules.power_count
    if technology >= 0:
        return has(player.used[technology >> 6], technology & 63)
    return (player.used_effects >> place) & 1 != 0


@kernel
def begin_work(rules, state, seat, side, place):
    """Use an effect that offers choices."""
    mark_used(rules, state, seat, side, place)
    player = state.players[seat]
    effect = rules.sides[side].effects[place]
    op = effect.op
    if op == Op.GAIN:
        give_fixed(rules, player, effect.values, 1)
        player.owed += effect.values[4]
        return
    if op == Op.TILES and effect.values[1] > 0:
        state.tile_in_hand = draw_tile(state)
        state.extra_tile = 1
        state.step = Step.REGION
        state.stage = Stage.OWN
        return
    state.work_side = side
    state.work_effect = place
    state.work_left = effect.values[0]
    state.work_opponent = NOBODY
    state.work_colonies = 0
    if op == Op.SWAP and effect.values[0] == ALL_EXCHANGES:
        state.work_left = player.resources[0] + player.resources[1] + player.resources[2]
    elif op == Op.MOVE_ENEMY or op == Op.REINFORCE:
        forget_moves(rules, state)
    elif op == Op.DESTROY or (op == Op.TAKE and effect.values[1] > 0):
        state.work_opponent = clockwise(rules, seat, 1)
    elif op == Op.PRICE or op == Op.MATCH:
        state.work_left = 1


@kernel
def end_work(rules, state):
    """The effect in progress is over."""
    op = work_in_progress(rules, state).op
    state.work_side = NOTHING
    state.work_effect = 0
    state.work_left = 0
    state.work_opponent = NOBODY
    state.work_colonies = 0
    if op == Op.MOVE_ENEMY or op == Op.REINFORCE:
        forget_moves(rules, state)
    elif op == Op.TILES:
        bring_planet(rules, state)


@kernel
def next_opponent(rules, state, seat, left):
    """The effect goes on with the next opponent round the table, if there is one."""
    other = clockwise(rules, np.int64(state.work_opponent), 1)
    state.work_opponent = NOBODY if other == seat else other
    state.work_left = left
    state.work_colonies = 0


@kernel
def go_on_destroying(rules, state, seat, values):
    """Ask about the next ship or colony of the opponents in turn; whether there is one."""
    while state.work_opponent != NOBODY:
        opponent = state.players[state.work_opponent]
        if state.work_colonies == 0:
            if state.work_left > 0 and any_destroyable(rules, opponent, values[1]):
                put_question(state, seat, Ask.DESTROY)
                return True
            state.work_colonies = 1
            state.work_left = values[2]
        if state.work_left > 0 and tokens_of(opponent) != NONE:
            put_question(state, seat, Ask.DESTROY)
            return True
        next_opponent(rules, state, seat, np.int64(values[0]))
    return False


@kernel
def go_on_taking(rules, state, seat, values):
    """Ask for the next resource to take; whether there is one."""
    if values[1] == 0:
        if state.work_left > 0:
            for other in range(rules.players):
                chosen = state.work_opponent == NOBODY or state.work_opponent == other
                if chosen and can_take_any(rules, state, seat, other):
                    put_question(state, seat, Ask.TAKE)
                    return True
        return False
    while state.work_opponent != NOBODY:
        if state.work_left > 0 and can_take_any(rules, state, seat, np.int64(state.work_opponent)):
            put_question(state, seat, Ask.TAKE)
            return True
        next_opponent(rules, state, seat, np.int64(values[0]))
    return False


@kernel
def ask_for(op):
    """What is asked while an effect goes on that is the same from choice to choice."""
    if op == Op.SWAP:
        return Ask.SWAP
    if op == Op.PRICE:
        return Ask.FAVOUR
    if op == Op.TILES:
        return Ask.REPLACE
    if op == Op.PLACE_COLONY:
        return Ask.PLACE_COLONY
    if op == Op.UPGRADE:
        return Ask.UPGRADE
    if op == Op.MOVE_ENEMY:
        return Ask.MOVE_ENEMY
    if op == Op.REINFORCE:
        return Ask.REINFORCE
    if op == Op.CONVERT:
        return Ask.CONVERT
    return Ask.MATCH


@kernel
def enemies_left_to_move(rules, state, seat, steps):
    """Whether an opposing ship can still be moved."""
    for other in range(rules.players):
        if other != seat:
            for kind in range(CLASSES):
                if movable_enemies(rules, state, other, kind, steps) != NONE:
                    return True
    return False


@kernel
def go_on_working(rules, state):
    """Ask for the next choice of the effect in progress, or end it."""
    seat = np.int64(state.active)
    effect = work_in_progress(rules, state)
    op = effect.op
    if op == Op.DESTROY:
        asked = go_on_destroying(rules, state, seat, effect.values)
    elif op == Op.TAKE:
        asked = go_on_taking(rules, state, seat, effect.values)
    else:
        asked = state.work_left > 0
        if asked:
            if op == Op.MOVE_ENEMY:
                asked = enemies_left_to_move(rules, state, seat, effect.values[1])
            else:
                asked = offers_something(rules, state, seat, effect)
        if asked:
            put_question(state, seat, ask_for(op))
    if not asked:
        end_work(rules, state)


# The choices


@kernel
def swap(rules, state, seat, given, taken):
    """Exchange one unit."""
    player = state.players[seat]
    player.resources[given] -= 1
    gain(rules, player, taken, 1)
    state.work_left -= 1


@kernel
def favour(rules, state, seat, resource):
    """Favour a resource in this MERCHANT."""
    state.players[seat].favoured[work_in_progress(rules, state).values[3]] = resource
    state.work_left = 0


@kernel
def replace(state, tile):
    """Put a display tile under the stack and turn up a new one."""
    replace_tile(state, tile)
    state.work_left -= 1


@kernel
def place_colony(state, seat, region):
    """Put a colony on a planet."""
    put_colony(state, seat, region)
    state.work_left -= 1


@kernel
def upgrade(rules, state, seat, region):
    """Pay, and flip a colony to a starbase."""
    player = state.players[seat]
    values = work_in_progress(rules, state).values
    for resource in range(RESOURCES):
        player.resources[resource] -= values[1 + resource]
    player.credits -= values[4]
    player.colonies &= ~bit(region)
    player.starbases |= bit(region)
    state.work_left -= 1


@kernel
def destroy_ship(state, kind, region):
    """A ship of the opponent at hand goes to its owner's staging area. It is no battle. (Ruling: DESTROY)"""
    owner = np.int64(state.work_opponent)
    take_ship(state, owner, kind, region)
    state.players[owner].staging[kind] += 1
    state.work_left -= 1


@kernel
def destroy_token(state, seat, region):
    """A colony or starbase of the opponent at hand is removed and scored."""
    player = state.players[state.work_opponent]
    player.colonies &= ~bit(region)
    player.starbases &= ~bit(region)
    state.players[seat].throne += 1
    state.work_left -= 1


@kernel
def take(state, seat, other, resource):
    """Take one unit from an opponent."""
    state.players[other].resources[resource] -= 1
    state.players[seat].resources[resource] += 1
    state.work_opponent = other
    state.work_left -= 1


@kernel
def convert(rules, state, seat, region):
    """Put an own colony in the place of an opponent's, who takes the token back."""
    for other in range(rules.players):
        if has(state.players[other].colonies, region):
            state.players[other].colonies &= ~bit(region)
            state.players[other].tokens += 1
    put_colony(state, seat, region)
    state.work_left -= 1


@kernel
def match(rules, state, seat, resource):
    """Raise a resource towards the highest amount of an opponent."""
    most = most_of_others(rules, state, seat, resource)
    player = state.players[seat]
    amount = min(np.int64(work_in_progress(rules, state).values[0]), most - player.resources[resource])
    gain(rules, player, resource, amount)
    state.work_left = 0


@kernel
def gain_owed(rules, state, seat, resource):
    """One unit of a resource of choice."""
    gain(rules, state.players[seat], resource, 1)
    state.players[seat].owed -= 1


@kernel
def pass_work(rules, state):
    """End the choices of an effect early; one that goes through opponents goes on with what follows."""
    effect = work_in_progress(rules, state)
    state.work_left = 0
    if effect.op == Op.TAKE and effect.values[1] == 0:
        end_work(rules, state)
    elif effect.op != Op.DESTROY and effect.op != Op.TAKE:
        end_work(rules, state)
