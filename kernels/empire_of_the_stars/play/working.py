"""Effects with choices, one choice at a time (rulebook: Player Powers, Scientist).

The effect in progress is number `work_effect` of side `work_side`; its owner is the seat at hand, `state.active`. Each
operation has a line in each of four functions: its offer, its question, its legal answers and their results. The
modules of `choices/` implement all of them.
"""

import numpy as np

from stardeck.kernels.compile.jit import kernel
from stardeck.kernels.empire_of_the_stars.operations import TIMES, Gain, Moves, Number, Op, Take, Tiles
from stardeck.kernels.empire_of_the_stars.play.answers import mark, mark_display, mark_first, mark_regions
from stardeck.kernels.empire_of_the_stars.play.choices import colonies, goods, opponents, ships, tiles
from stardeck.kernels.empire_of_the_stars.play.display import bring_planet
from stardeck.kernels.empire_of_the_stars.play.effects import give_fixed, has_room, work_in_progress
from stardeck.kernels.empire_of_the_stars.play.galaxy import NONE, bit, clockwise, has
from stardeck.kernels.empire_of_the_stars.play.movement import pick
from stardeck.kernels.empire_of_the_stars.play.questions import forget_moves, put_question
from stardeck.kernels.empire_of_the_stars.rules import Act
from stardeck.kernels.empire_of_the_stars.state import NOBODY, NOTHING, REGIONS, RESOURCES, Ask

ALL_EXCHANGES = 99  # SWAP: as many exchanges as the player has resources


# Start and end


@kernel
def mark_used(rules, state, seat, side, place):
    """Mark an effect as used in this role."""
    player = state.players[seat]
    technology = side - 2 * rules.power_count
    if technology >= 0:
        player.used[technology >> 6] |= bit(technology & 63)
    else:
        player.used_effects |= 1 << place


@kernel
def is_used(rules, player, side, place):
    """Return True if an effect has been used in this role."""
    technology = side - 2 * rules.power_count
    if technology >= 0:
        return has(player.used[technology >> 6], technology & 63)
    return (player.used_effects >> place) & 1 != 0


@kernel
def begin_work(rules, state, seat, side, place):
    """Use an effect with choices."""
    mark_used(rules, state, seat, side, place)
    player = state.players[seat]
    effect = rules.sides[side].effects[place]
    op = effect.op
    if op == Op.GAIN:
        give_fixed(rules, player, effect.values, 1)
        player.owed += effect.values[Gain.ANY]
        return
    if op == Op.TILES and effect.values[Tiles.EXTRA] > 0:
        tiles.turn_up_tile(state)
        return
    state.work_side = side
    state.work_effect = place
    state.work_left = effect.values[TIMES]
    state.work_opponent = NOBODY
    state.work_colonies = 0
    if op == Op.SWAP and effect.values[Number.N] == ALL_EXCHANGES:
        state.work_left = player.resources[0] + player.resources[1] + player.resources[2]
    elif op == Op.MOVE_ENEMY or op == Op.REINFORCE:
        forget_moves(rules, state)
    elif op == Op.DESTROY or (op == Op.TAKE and effect.values[Take.EACH] > 0):
        state.work_opponent = clockwise(rules, seat, 1)
    elif op == Op.PRICE or op == Op.MATCH:
        state.work_left = 1


@kernel
def end_work(rules, state):
    """End the effect in progress."""
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


# The operations


@kernel
def offers_something(rules, state, seat, effect):
    """Return True if an optional effect has a choice to offer now."""
    player = state.players[seat]
    op = effect.op
    values = effect.values
    if op == Op.GAIN:
        return has_room(rules, player)
    if op == Op.SWAP:
        return goods.can_swap_any(rules, player)
    if op == Op.PRICE:
        return True
    if op == Op.TILES:
        return tiles.offers_tiles(rules, state, values)
    if op == Op.PLACE_COLONY:
        return colonies.colony_targets(rules, state, seat) != NONE
    if op == Op.UPGRADE:
        return colonies.upgrade_targets(player, values) != NONE
    if op == Op.CONVERT:
        return colonies.convert_targets(rules, state, seat) != NONE
    if op == Op.COLONIZE_PLACED:
        return colonies.can_colonize_placed(rules, state, seat, values)
    if op == Op.MATCH:
        return goods.can_match_any(rules, state, seat)
    if op == Op.REINFORCE:
        return ships.can_reinforce(rules, state, seat, np.int64(values[Moves.STEPS]))
    if op == Op.DESTROY:
        return opponents.can_destroy(rules, state, seat, values)
    if op == Op.TAKE:
        return opponents.can_take_from_any(rules, state, seat)
    return ships.can_move_enemies(rules, state, seat, np.int64(values[Moves.STEPS]))


@kernel
def ask_for(op):
    """Return the question of an operation whose question is the same for every choice."""
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
def mark_answers(rules, state, seat, legal):
    """Mark the choices of the effect in progress."""
    ask = state.ask
    player = state.players[seat]
    values = work_in_progress(rules, state).values
    if ask == Ask.FAVOUR:
        mark_first(rules, legal, Act.RESOURCE, RESOURCES)
        return
    mark(rules, legal, Act.PASS, 0)
    if ask == Ask.SWAP:
        goods.mark_swaps(rules, player, legal)
    elif ask == Ask.REPLACE:
        mark_display(rules, state, legal)
    elif ask == Ask.PLACE_COLONY:
        mark_regions(rules, legal, colonies.colony_targets(rules, state, seat))
    elif ask == Ask.UPGRADE:
        mark_regions(rules, legal, colonies.upgrade_targets(player, values))
    elif ask == Ask.MOVE_ENEMY:
        ships.mark_enemies(rules, state, seat, legal, values[Moves.STEPS])
    elif ask == Ask.REINFORCE:
        ships.mark_reinforcements(rules, state, seat, legal, values[Moves.STEPS])
    elif ask == Ask.DESTROY:
        opponents.mark_destroyable(rules, state, seat, legal)
    elif ask == Ask.TAKE:
        opponents.mark_takes(rules, state, seat, legal)
    elif ask == Ask.CONVERT:
        mark_regions(rules, legal, colonies.convert_targets(rules, state, seat))
    else:
        goods.mark_matches(rules, state, seat, legal)


@kernel
def answer(rules, state, seat, row):
    """Carry out a choice of an effect."""
    ask = state.ask
    what = np.int64(row.what)
    if row.act == Act.PASS:
        pass_work(rules, state)
    elif ask == Ask.SWAP:
        goods.swap(rules, state, seat, what // RESOURCES, what % RESOURCES)
    elif ask == Ask.FAVOUR:
        goods.favour(rules, state, seat, what)
    elif ask == Ask.REPLACE:
        tiles.replace(state, what)
    elif ask == Ask.PLACE_COLONY:
        colonies.place_colony(state, seat, what)
    elif ask == Ask.UPGRADE:
        colonies.upgrade(rules, state, seat, what)
    elif ask == Ask.MOVE_ENEMY or ask == Ask.REINFORCE:
        pick(rules, state, seat, row)
    elif ask == Ask.DESTROY and row.act == Act.SHIP:
        opponents.destroy_ship(state, what // REGIONS, what % REGIONS)
    elif ask == Ask.DESTROY:
        opponents.destroy_token(state, seat, what)
    elif ask == Ask.TAKE:
        opponents.take(state, seat, clockwise(rules, seat, np.int64(row.distance)), what)
    elif ask == Ask.CONVERT:
        colonies.convert(rules, state, seat, what)
    else:
        goods.match(rules, state, seat, what)


# Next choices


@kernel
def go_on_working(rules, state):
    """Ask for the next choice of the effect in progress, or end it."""
    seat = np.int64(state.active)
    effect = work_in_progress(rules, state)
    op = effect.op
    if op == Op.DESTROY:
        asked = opponents.go_on_destroying(rules, state, seat, effect.values)
    elif op == Op.TAKE:
        asked = opponents.go_on_taking(rules, state, seat, effect.values)
    else:
        asked = state.work_left > 0
        if asked:
            if op == Op.MOVE_ENEMY:
                asked = ships.enemies_left_to_move(rules, state, seat, effect.values[Moves.STEPS])
            else:
                asked = offers_something(rules, state, seat, effect)
        if asked:
            put_question(state, seat, ask_for(op))
    if not asked:
        end_work(rules, state)


@kernel
def pass_work(rules, state):
    """End the choices of an effect early; an effect on each opponent continues with the next part."""
    effect = work_in_progress(rules, state)
    state.work_left = 0
    if effect.op == Op.TAKE and effect.values[Take.EACH] == 0:
        end_work(rules, state)
    elif effect.op != Op.DESTROY and effect.op != Op.TAKE:
        end_work(rules, state)
