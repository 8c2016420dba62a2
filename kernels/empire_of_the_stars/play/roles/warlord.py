"""WARLORD: the parts of a turn, movement, battles, colonizing (rulebook: Warlord)."""

import numpy as np

from stardeck.kernels.compile.jit import kernel
from stardeck.kernels.empire_of_the_stars.operations import Cost, Flag, Number, Op
from stardeck.kernels.empire_of_the_stars.play.answers import mark, mark_regions, mark_ships
from stardeck.kernels.empire_of_the_stars.play.battle import course
from stardeck.kernels.empire_of_the_stars.play.battle.allies import declare
from stardeck.kernels.empire_of_the_stars.play.effects import summed
from stardeck.kernels.empire_of_the_stars.play.galaxy import (
    NONE,
    clockwise,
    colonizable,
    has_flag,
    put_colony,
    remaining,
    ships_of,
    ships_of_others,
    units_of,
)
from stardeck.kernels.empire_of_the_stars.play.movement import can_go, pick
from stardeck.kernels.empire_of_the_stars.play.questions import (
    begin_by_power,
    begin_step,
    forget_moves,
    left_of_scepter,
    pass_left,
    put_question,
)
from stardeck.kernels.empire_of_the_stars.play.windows import pass_point
from stardeck.kernels.empire_of_the_stars.rules import Act, Point
from stardeck.kernels.empire_of_the_stars.state import CLASSES, NOTHING, SECTORS, Ask, Stage, Step
from stardeck.kernels.primitives import action_set
from stardeck.kernels.primitives.action_set import population


@kernel
def begin(rules, state):
    """Begin with the player left of the chooser; the chooser comes last."""
    begin_step(state, Step.MOVE, left_of_scepter(rules, state))


@kernel
def movable(rules, state, seat, kind):
    """Return the regions from which ships of a class may still move in one's own turn."""
    player = state.players[seat]
    waiting = remaining(player, player.moved, kind)
    return NONE if waiting == NONE else can_go(rules, state, seat, kind, waiting, NOTHING, rules.open)


@kernel
def may_fight_in(rules, state, player, sector):
    """Return True if a battle in a sector is still allowed in this turn (ruling: EXTRA_BATTLE)."""
    if (state.fought >> sector) & 1 == 0:
        return True
    again = (state.fought_again >> sector) & 1
    extra = summed(rules, player, Op.EXTRA_BATTLE, Number.N)
    return again == 0 and population(np.uint64(state.fought_again)) < extra


@kernel
def may_be_attacked(rules, state, seat, other):
    """Return True if this player may be declared the defender at all (rulings: FLAG no_battle, TOLL)."""
    opponent = state.players[other]
    if has_flag(rules, opponent, Flag.NO_BATTLE):
        return False
    return state.players[seat].credits >= summed(rules, opponent, Op.TOLL, Cost.C)


@kernel
def battlefields(rules, state, seat, other):
    """Return the sectors where a battle against this player can be declared, as bits of an int."""
    both = NONE
    sectors = 0
    own = units_of(state.players[seat])
    theirs = units_of(state.players[other])
    for sector in range(SECTORS):
        both = rules.sector_regions[sector]
        if own & both != NONE and theirs & both != NONE and may_fight_in(rules, state, state.players[seat], sector):
            sectors |= 1 << sector
    if sectors != 0 and not may_be_attacked(rules, state, seat, other):
        return 0
    return sectors


@kernel
def colonizable_by_ships(rules, state, seat):
    """Return the empty planets where a player is alone with ships (rulebook: Warlord 3)."""
    player = state.players[seat]
    if player.tokens == 0:
        return NONE
    regions = colonizable(rules, state, seat) & ships_of(player)
    if regions != NONE and not has_flag(rules, player, Flag.CONTESTED_OK):
        regions &= ~ships_of_others(rules, state, seat)
    return regions


@kernel
def has_move(rules, state, seat):
    """Return True if a player can still do anything in the turn."""
    if state.step == Step.MOVE:
        for kind in range(CLASSES):
            if movable(rules, state, seat, kind) != NONE:
                return True
    if state.step != Step.COLONIZE:
        for other in range(rules.players):
            if other != seat and battlefields(rules, state, seat, other) != 0:
                return True
    return colonizable_by_ships(rules, state, seat) != NONE


@kernel
def advance_turn(rules, state):
    """Ask for the next move of the turn: movement, then battles, then colonizing.

    (Ruling: WARLORD: parts of a turn)
    """
    seat = np.int64(state.active)
    if state.step == Step.MOVE and state.stage != Stage.OWN:
        if not pass_point(rules, state, seat, Point.WARLORD_TURN):
            return
    if has_move(rules, state, seat):
        put_question(state, seat, Ask.STEP)
    else:
        end_turn(rules, state)


@kernel
def colonize(state, region):
    """Place a colony where the player's ships are; battles are over for this turn."""
    put_colony(state, np.int64(state.active), region)
    state.step = Step.COLONIZE


@kernel
def end_turn(rules, state):
    """End the turn, and begin the next player's turn."""
    forget_moves(rules, state)
    state.fought = 0
    state.fought_again = 0
    if not pass_left(rules, state, Step.MOVE, left_of_scepter(rules, state)):
        begin_by_power(state, Step.AFTER)


@kernel
def mark_turn(rules, state, seat, legal):
    """Mark ships to move, battles to declare, planets to colonize; each part of the turn ends the earlier ones."""
    mark(rules, legal, Act.DONE, 0)
    if state.step == Step.MOVE:
        for kind in range(CLASSES):
            mark_ships(rules, legal, 0, kind, movable(rules, state, seat, kind))
    if state.step != Step.COLONIZE:
        for distance in range(1, rules.players):
            sectors = battlefields(rules, state, seat, clockwise(rules, seat, distance))
            if sectors != 0:
                first = rules.first[Act.BATTLE] + (distance - 1) * SECTORS
                action_set.mark_all(legal, np.int64(first), np.uint64(sectors))
    mark_regions(rules, legal, colonizable_by_ships(rules, state, seat))


@kernel
def answer_turn(rules, state, seat, row):
    """Carry out an answer in one's own turn."""
    act = row.act
    if act == Act.SHIP:
        pick(rules, state, seat, row)
    elif act == Act.BATTLE:
        declare(rules, state, clockwise(rules, seat, np.int64(row.distance)), np.int64(row.what))
    elif act == Act.REGION:
        colonize(state, np.int64(row.what))
    else:
        end_turn(rules, state)


# The turn, and the battles in it


@kernel
def in_battle(state):
    """Return True if the step belongs to a battle, not to a turn."""
    return state.step >= Step.INVITE


@kernel
def advance(rules, state):
    """Advance within the role."""
    if in_battle(state):
        course.advance(rules, state)
    else:
        advance_turn(rules, state)


@kernel
def mark_answers(rules, state, seat, legal):
    """Mark the legal answers in the turn, or in the battle."""
    if in_battle(state):
        course.mark_answers(rules, state, seat, legal)
    else:
        mark_turn(rules, state, seat, legal)


@kernel
def answer(rules, state, seat, row):
    """Carry out an answer in the turn, or in the battle."""
    if in_battle(state):
        course.answer(rules, state, seat, row)
    else:
        answer_turn(rules, state, seat, row)
