"""Declaration of a battle and invitation of allies (rulebook: Warlord 2A)."""

import numpy as np

from stardeck.kernels.compile.jit import kernel
from stardeck.kernels.empire_of_the_stars.operations import Cost, Op
from stardeck.kernels.empire_of_the_stars.play.answers import mark, mark_ships
from stardeck.kernels.empire_of_the_stars.play.battle.sides import side_of
from stardeck.kernels.empire_of_the_stars.play.effects import gain_credits, summed
from stardeck.kernels.empire_of_the_stars.play.galaxy import NONE, clockwise, remaining, units_of
from stardeck.kernels.empire_of_the_stars.play.movement import can_go, pick
from stardeck.kernels.empire_of_the_stars.play.questions import begin_by_power, begin_step, forget_moves, put_question
from stardeck.kernels.empire_of_the_stars.rules import Act
from stardeck.kernels.empire_of_the_stars.state import CLASSES, NOTHING, Ask, Side, Step


@kernel
def declare(rules, state, defender, sector):
    """Declare a battle; one's own movement is over (rulebook: Warlord 2A; ruling: TOLL)."""
    attacker = np.int64(state.active)
    toll = summed(rules, state.players[defender], Op.TOLL, Cost.C)
    state.players[attacker].credits -= toll
    gain_credits(state.players[defender], toll)
    if (state.fought >> sector) & 1:
        state.fought_again |= 1 << sector
    state.fought |= 1 << sector
    state.sector = sector
    state.mains[Side.ATTACKER] = attacker
    state.mains[Side.DEFENDER] = defender
    for seat in range(rules.players):
        state.players[seat].allied = NOTHING
        state.players[seat].invited = 0
    begin_step(state, Step.INVITE, attacker)


@kernel
def can_be_invited(state, seat, side):
    """Return True if a third player has not been invited by this side yet."""
    is_main = seat == state.mains[Side.ATTACKER] or seat == state.mains[Side.DEFENDER]
    return not is_main and (state.players[seat].invited >> side) & 1 == 0


@kernel
def advance_invite(rules, state):
    """Let the attacker, then the defender invite third players one by one."""
    side = side_of(state, np.int64(state.active))
    for seat in range(rules.players):
        if can_be_invited(state, seat, side):
            put_question(state, np.int64(state.active), Ask.STEP)
            return
    end_invite(rules, state)


@kernel
def end_invite(rules, state):
    """Let the defender invite after the attacker; then the players invited answer, left of the attacker first."""
    if state.active == state.mains[Side.ATTACKER]:
        begin_step(state, Step.INVITE, np.int64(state.mains[Side.DEFENDER]))
    else:
        begin_step(state, Step.ANSWER, clockwise(rules, np.int64(state.mains[Side.ATTACKER]), 1))


@kernel
def arrivals(rules, state, seat, kind):
    """Return the regions outside the sector from which ships of an ally can come into it."""
    sector = rules.sector_regions[state.sector]
    player = state.players[seat]
    waiting = remaining(player, player.moved, kind) & ~sector
    return NONE if waiting == NONE else can_go(rules, state, seat, kind, waiting, NOTHING, sector)


@kernel
def can_arrive(rules, state, seat):
    """Return True if any ship of an ally can come into the sector."""
    for kind in range(CLASSES):
        if arrivals(rules, state, seat, kind) != NONE:
            return True
    return False


@kernel
def is_in_sector(rules, state, seat):
    """Return True if a player has a unit in the sector of the battle."""
    return units_of(state.players[seat]) & rules.sector_regions[state.sector] != NONE


@kernel
def next_third(rules, state):
    """Ask the next third player, or begin the next step when all have answered."""
    seat = clockwise(rules, np.int64(state.active), 1)
    if seat == state.mains[Side.ATTACKER]:
        forget_moves(rules, state)
        begin_by_power(state, Step.READY)
    else:
        begin_step(state, Step.ANSWER, seat)


@kernel
def advance_answer(rules, state):
    """Ask an invited player who can join (ruling: battle: allies)."""
    seat = np.int64(state.active)
    if state.players[seat].invited != 0:
        forget_moves(rules, state)
        if is_in_sector(rules, state, seat) or can_arrive(rules, state, seat):
            put_question(state, seat, Ask.STEP)
            return
    next_third(rules, state)


@kernel
def join(state, side):
    """Become an ally; ships may follow."""
    state.players[state.active].allied = side
    state.step = Step.ALLY


@kernel
def advance_ally(rules, state):
    """Let an ally bring ships into the sector."""
    seat = np.int64(state.active)
    if can_arrive(rules, state, seat):
        put_question(state, seat, Ask.STEP)
    else:
        next_third(rules, state)


# The questions


@kernel
def mark_invitations(rules, state, seat, legal):
    """Mark third players to invite, and stopping."""
    mark(rules, legal, Act.DONE, 0)
    for distance in range(1, rules.players):
        if can_be_invited(state, clockwise(rules, seat, distance), side_of(state, seat)):
            mark(rules, legal, Act.INVITE, distance - 1)


@kernel
def answer_invitations(rules, state, seat, row):
    """Invite a player, or stop."""
    if row.act == Act.INVITE:
        third = clockwise(rules, seat, np.int64(row.distance))
        state.players[third].invited |= 1 << side_of(state, seat)
    else:
        end_invite(rules, state)


@kernel
def mark_joining(rules, state, seat, legal):
    """Mark the sides that have invited a player, and declining."""
    mark(rules, legal, Act.DECLINE, 0)
    for side in range(2):
        if (state.players[seat].invited >> side) & 1:
            mark(rules, legal, Act.JOIN, side)


@kernel
def answer_joining(rules, state, row):
    """Join a side, or decline."""
    if row.act == Act.JOIN:
        join(state, np.int64(row.what))
    else:
        next_third(rules, state)


@kernel
def mark_arrivals(rules, state, seat, legal):
    """Mark the ships that an ally can bring. Stopping requires a unit in the sector."""
    if is_in_sector(rules, state, seat):
        mark(rules, legal, Act.DONE, 0)
    for kind in range(CLASSES):
        mark_ships(rules, legal, 0, kind, arrivals(rules, state, seat, kind))


@kernel
def answer_arrivals(rules, state, seat, row):
    """Bring a ship, or stop."""
    if row.act == Act.SHIP:
        pick(rules, state, seat, row)
    else:
        next_third(rules, state)
