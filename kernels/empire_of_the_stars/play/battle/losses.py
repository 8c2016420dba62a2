"""Simultaneous losses, their consequences, and the end of the battle (rulebook: Warlord 2F)."""

import numpy as np

from stardeck.kernels.compile.jit import kernel
from stardeck.kernels.empire_of_the_stars.operations import Event, Flag
from stardeck.kernels.empire_of_the_stars.play.answers import mark, mark_regions
from stardeck.kernels.empire_of_the_stars.play.battle.sides import clear_battle, other_side, side_of
from stardeck.kernels.empire_of_the_stars.play.effects import react, score_galaxy_tokens
from stardeck.kernels.empire_of_the_stars.play.galaxy import (
    NONE,
    clear_board,
    clockwise,
    has_flag,
    put_colony,
    take_ship,
    tokens_of,
)
from stardeck.kernels.empire_of_the_stars.play.questions import put_question
from stardeck.kernels.empire_of_the_stars.rules import Act
from stardeck.kernels.empire_of_the_stars.state import CLASSES, NOTHING, Ask, Side, Stage, Step
from stardeck.kernels.primitives.action_set import ONE, lowest, population


@kernel
def lose_ships(rules, state, seat):
    """Move ships that were hit to the staging area (rulebook: Warlord 2F)."""
    player = state.players[seat]
    side = side_of(state, seat)
    for kind in range(CLASSES):
        for level in range(player.hit.shape[1]):
            regions = player.hit[kind, level]
            while regions != NONE:
                take_ship(state, seat, kind, lowest(regions))
                player.staging[kind] += 1
                player.ships_lost += 1
                state.ships_destroyed[other_side(side)] += 1
                regions &= regions - ONE
    clear_board(player.hit)


@kernel
def lose_tokens(rules, state, seat):
    """Turn starbases that were hit into colonies; the other main player scores colonies that were hit."""
    player = state.players[seat]
    destroyed = tokens_of(player) & state.colonies_hit
    flipped = player.starbases & state.starbases_hit
    player.colonies = (player.colonies | flipped) & ~destroyed
    player.starbases &= ~flipped
    winner = other_side(side_of(state, seat))
    state.scored[winner] |= destroyed
    state.players[state.mains[winner]].throne += population(destroyed)


@kernel
def take_losses(rules, state):
    """Take all losses at once, then give tokens to allies, then resolve events by power number.

    (Ruling: order of what follows)
    """
    for seat in range(rules.players):
        if side_of(state, seat) >= 0:
            lose_ships(rules, state, seat)
            lose_tokens(rules, state, seat)
    state.starbases_hit = NONE
    state.colonies_hit = NONE
    for distance in range(rules.players):
        seat = clockwise(rules, np.int64(state.mains[Side.ATTACKER]), distance)
        if state.players[seat].allied >= 0:
            score_galaxy_tokens(state, seat, population(state.scored[state.players[seat].allied]))
    for place in range(rules.players):
        seat = np.int64(state.order[place])
        player = state.players[seat]
        react(rules, state, seat, Event.OWN_SHIP_DESTROYED, np.int64(player.ships_lost), -1, -1)
        player.ships_lost = 0
        if state.mains[0] == seat or state.mains[1] == seat:
            side = side_of(state, seat)
            react(rules, state, seat, Event.SHIP_DESTROYED_BY_ME, np.int64(state.ships_destroyed[side]), -1, -1)
            react(rules, state, seat, Event.COLONY_SCORED, population(state.scored[side]), -1, -1)
    for side in range(2):
        state.ships_destroyed[side] = 0
    state.hitting = NOTHING
    state.hits_left = 0
    state.step = Step.INVADE
    state.active = state.mains[Side.ATTACKER]


@kernel
def invasion_targets(rules, state, side):
    """Return the planets where a main player may replace a colony just scored (ruling: FLAG replace_colony)."""
    player = state.players[state.mains[side]]
    targets = state.scored[side] & (state.planets | state.asteroids)
    if targets == NONE or player.tokens == 0 or not has_flag(rules, player, Flag.REPLACE_COLONY):
        return NONE
    for seat in range(rules.players):
        targets &= ~tokens_of(state.players[seat])
    return targets


@kernel
def advance_invade(rules, state):
    """Let the attacker, then the defender replace a colony just scored."""
    side = side_of(state, np.int64(state.active))
    if invasion_targets(rules, state, side) != NONE:
        put_question(state, np.int64(state.active), Ask.STEP)
    else:
        end_invade(rules, state)


@kernel
def invade(rules, state, region):
    """Put the colony on the planet."""
    put_colony(state, np.int64(state.active), region)
    end_invade(rules, state)


@kernel
def end_invade(rules, state):
    """Go on with the defender after the attacker; then end the battle."""
    if state.active == state.mains[Side.ATTACKER]:
        state.active = state.mains[Side.DEFENDER]
    else:
        end_battle(rules, state)


@kernel
def end_battle(rules, state):
    """End the battle; the attacker goes on with the turn."""
    state.active = state.mains[Side.ATTACKER]
    state.step = Step.BATTLE
    state.stage = Stage.OWN
    clear_battle(rules, state)


@kernel
def mark_invasions(rules, state, seat, legal):
    """Mark the planets where a colony was scored, and passing."""
    mark(rules, legal, Act.PASS, 0)
    mark_regions(rules, legal, invasion_targets(rules, state, side_of(state, seat)))


@kernel
def answer_invasion(rules, state, row):
    """Put a colony, or pass."""
    if row.act == Act.REGION:
        invade(rules, state, np.int64(row.what))
    else:
        end_invade(rules, state)
