"""Strength and the secret battle plans of both sides (rulebook: Warlord 2B, 2C)."""

import numpy as np

from stardeck.kernels.compile.jit import kernel
from stardeck.kernels.empire_of_the_stars.operations import Battle, Event, Op, Reveal, Unit, Units
from stardeck.kernels.empire_of_the_stars.play.answers import mark
from stardeck.kernels.empire_of_the_stars.play.battle.sides import main_bonus, other_side, side_of
from stardeck.kernels.empire_of_the_stars.play.battle.tactics import compare_tactics
from stardeck.kernels.empire_of_the_stars.play.effects import react, summed, summed_for
from stardeck.kernels.empire_of_the_stars.play.galaxy import home_of
from stardeck.kernels.empire_of_the_stars.play.questions import pass_by_power, put_question, rank_of
from stardeck.kernels.empire_of_the_stars.play.windows import pass_point
from stardeck.kernels.empire_of_the_stars.rules import LARGEST_STRENGTH, Act, Point
from stardeck.kernels.empire_of_the_stars.state import CLASSES, NOTHING, Ask, Plan, Side, Step
from stardeck.kernels.primitives.action_set import population


@kernel
def advance_ready(rules, state):
    """Offer powers and technologies before strength is counted, by power number."""
    seat = np.int64(state.active)
    if side_of(state, seat) >= 0:
        if not pass_point(rules, state, seat, Point.READY):
            return
        state.players[seat].fights = 1
        if state.players[seat].allied >= 0:
            react(rules, state, seat, Event.ALLY_IN_BATTLE, 1, -1, -1)
    if not pass_by_power(rules, state, Step.READY):
        begin_plans(rules, state)


@kernel
def unit_bonus(rules, player, unit):
    """Return the extra strength of a unit from effects; ALL stands for all ships."""
    everything = Unit.ALL if unit <= Unit.DREADNOUGHT else unit
    return summed_for(rules, player, Op.UNIT, unit, everything, Units.STRENGTH)


@kernel
def strength_of(rules, player, sector):
    """Return the strength of all units of a player in some regions (rulebook: Warlord 2B)."""
    strength = 0
    for kind in range(CLASSES):
        ships = (
            population(player.fleet[kind, 0] & sector)
            + population(player.fleet[kind, 1] & sector)
            + population(player.fleet[kind, 2] & sector)
        )
        if ships > 0:
            strength += ships * (rules.ship_strength[kind] + unit_bonus(rules, player, kind))
    colonies = population(player.colonies & sector)
    if colonies > 0:
        strength += colonies * (1 + unit_bonus(rules, player, Unit.COLONY))
    starbases = population((player.starbases | home_of(player)) & sector)
    if starbases > 0:
        strength += starbases * (2 + unit_bonus(rules, player, Unit.STARBASE))
    return strength


@kernel
def begin_plans(rules, state):
    """Count the strength of both sides, and begin the plans."""
    sector = rules.sector_regions[state.sector]
    for side in range(2):
        strength = main_bonus(rules, state, side, Battle.STRENGTH)
        for seat in range(rules.players):
            if side_of(state, seat) == side:
                strength += strength_of(rules, state.players[seat], sector)
        state.strength[side] = min(strength, LARGEST_STRENGTH)
        for part in range(2):
            state.plans[side, part] = NOTHING
    state.step = Step.PLAN
    state.active = state.mains[Side.ATTACKER]


@kernel
def revealing_side(rules, state):
    """Return the side whose main player sees parts of the opposing plan first, or NOTHING (ruling: REVEAL)."""
    attacker = np.int64(state.mains[Side.ATTACKER])
    defender = np.int64(state.mains[Side.DEFENDER])
    attacker_sees = summed(rules, state.players[attacker], Op.REVEAL, Reveal.PARTS) > 0
    defender_sees = summed(rules, state.players[defender], Op.REVEAL, Reveal.PARTS) > 0
    if attacker_sees and defender_sees:
        first = rank_of(rules, state, attacker) < rank_of(rules, state, defender)
        return Side.ATTACKER if first else Side.DEFENDER
    if attacker_sees:
        return Side.ATTACKER
    return Side.DEFENDER if defender_sees else NOTHING


@kernel
def parts_shown(rules, state, side):
    """Return the number of open parts of a side's plan before the other plan is set: 0, 1 (tactics) or 2 (all)."""
    if revealing_side(rules, state) != other_side(side):
        return 0
    return min(summed(rules, state.players[state.mains[other_side(side)]], Op.REVEAL, Reveal.PARTS), 2)


@kernel
def is_set(state, side, parts):
    """Return True if the first `parts` parts of a plan are set."""
    return parts == 0 or state.plans[side, parts - 1] >= 0


@kernel
def planning_side(rules, state):
    """Return the side that sets a part of its plan now, or NOTHING when both plans are complete."""
    revealing = revealing_side(rules, state)
    first = Side.ATTACKER if revealing == NOTHING else other_side(revealing)
    parts = 2 if revealing == NOTHING else parts_shown(rules, state, first)
    if not is_set(state, first, parts):
        return first
    if not is_set(state, other_side(first), 2):
        return other_side(first)
    return NOTHING if is_set(state, first, 2) else first


@kernel
def advance_plan(rules, state):
    """Ask for tactics and weapons of both sides, then compare tactics (rulebook: Warlord 2C)."""
    side = planning_side(rules, state)
    if side >= 0:
        put_question(state, np.int64(state.mains[side]), Ask.STEP)
    else:
        compare_tactics(rules, state)


@kernel
def part_to_set(state, side):
    """Return the next part of the plan."""
    return Plan.TACTICS if state.plans[side, Plan.TACTICS] < 0 else Plan.WEAPONS


@kernel
def set_part(state, seat, number):
    """Set a part of the plan of a main player."""
    side = side_of(state, seat)
    state.plans[side, part_to_set(state, side)] = number


@kernel
def mark_plan(rules, state, seat, legal):
    """Mark the numbers for a part of a plan: up to the strength that is left."""
    side = side_of(state, seat)
    most = np.int64(state.strength[side])
    if part_to_set(state, side) == Plan.WEAPONS:
        most -= state.plans[side, Plan.TACTICS]
    for number in range(most + 1):
        mark(rules, legal, Act.NUMBER, number)
