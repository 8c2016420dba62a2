"""Tactics: both sides compare them, and the winner moves ships of the battle (rulebook: Warlord 2D)."""

import numpy as np

from stardeck.kernels.compile.jit import kernel
from stardeck.kernels.empire_of_the_stars.operations import Battle, Event
from stardeck.kernels.empire_of_the_stars.play.answers import mark, mark_ships
from stardeck.kernels.empire_of_the_stars.play.battle.hits import begin_hits
from stardeck.kernels.empire_of_the_stars.play.battle.sides import main_bonus, side_of
from stardeck.kernels.empire_of_the_stars.play.effects import react, score_galaxy_tokens
from stardeck.kernels.empire_of_the_stars.play.galaxy import NONE, clockwise, remaining
from stardeck.kernels.empire_of_the_stars.play.movement import can_go, pick
from stardeck.kernels.empire_of_the_stars.play.questions import put_question
from stardeck.kernels.empire_of_the_stars.rules import Act
from stardeck.kernels.empire_of_the_stars.state import CLASSES, NOTHING, Ask, Plan, Side, Step


@kernel
def lead_in_tactics(rules, state):
    """Return the lead of the attacker in tactics."""
    attacking = state.plans[Side.ATTACKER, Plan.TACTICS] + main_bonus(rules, state, Side.ATTACKER, Battle.TACTICS)
    return (
        attacking - state.plans[Side.DEFENDER, Plan.TACTICS] - main_bonus(rules, state, Side.DEFENDER, Battle.TACTICS)
    )


@kernel
def compare_tactics(rules, state):
    """Compare tactics: the winner and the winner's allies score; the winner may move ships (rulebook: Warlord 2D)."""
    lead = lead_in_tactics(rules, state)
    state.step = Step.TACTICS
    state.tactics_left = abs(lead)
    if lead == 0:
        return
    side = Side.ATTACKER if lead > 0 else Side.DEFENDER
    winner = np.int64(state.mains[side])
    score_galaxy_tokens(state, winner, 1)
    for distance in range(rules.players):
        seat = clockwise(rules, np.int64(state.mains[Side.ATTACKER]), distance)
        if state.players[seat].allied == side:
            score_galaxy_tokens(state, seat, 1)
    react(rules, state, winner, Event.WON_TACTICS, 1, -1, -1)


@kernel
def shiftable(rules, state, owner, kind):
    """Return the regions of the sector from which tactics can move ships of a player in the battle."""
    if side_of(state, owner) < 0:
        return NONE
    player = state.players[owner]
    waiting = remaining(player, player.moved, kind) & rules.sector_regions[state.sector]
    return NONE if waiting == NONE else can_go(rules, state, owner, kind, waiting, NOTHING, rules.open)


@kernel
def can_shift(rules, state):
    """Return True if tactics can still move any ship."""
    for owner in range(rules.players):
        for kind in range(CLASSES):
            if shiftable(rules, state, owner, kind) != NONE:
                return True
    return False


@kernel
def advance_tactics(rules, state):
    """Let the winner of tactics move ships of either side."""
    if state.tactics_left > 0 and can_shift(rules, state):
        side = Side.ATTACKER if lead_in_tactics(rules, state) > 0 else Side.DEFENDER
        put_question(state, np.int64(state.mains[side]), Ask.STEP)
    else:
        begin_hits(rules, state)


@kernel
def mark_shifts(rules, state, seat, legal):
    """Mark the ships that tactics can move, and stopping."""
    mark(rules, legal, Act.DONE, 0)
    for distance in range(rules.players):
        owner = clockwise(rules, seat, distance)
        for kind in range(CLASSES):
            mark_ships(rules, legal, distance, kind, shiftable(rules, state, owner, kind))


@kernel
def answer_shifts(rules, state, seat, row):
    """Move a ship, or stop."""
    if row.act == Act.SHIP:
        pick(rules, state, seat, row)
    else:
        begin_hits(rules, state)
