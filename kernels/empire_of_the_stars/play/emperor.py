"""The Emperor: scoring the edict, the end of the game, the final score (rulebook: The Emperor and ending the game)."""

import numpy as np

from stardeck.kernels.compile.jit import kernel
from stardeck.kernels.compile.stack_arrays import stack_array
from stardeck.kernels.empire_of_the_stars.operations import Counted
from stardeck.kernels.empire_of_the_stars.play.effects import (
    fleet_strength,
    owned_technologies,
    score_galaxy_tokens,
    score_token,
    starbases_in_far_space,
)
from stardeck.kernels.empire_of_the_stars.play.galaxy import clockwise, tokens_of
from stardeck.kernels.empire_of_the_stars.state import FAR_SPACE, MAX_SEATS, NOBODY, NOTHING, FarSpace
from stardeck.kernels.primitives.action_set import population


@kernel
def count_for_edict(rules, state, seat, counted):
    """What an edict counts; a home world is no planet and no starbase here. (Facts: edicts)"""
    player = state.players[seat]
    if counted == Counted.RESOURCES:
        return np.int64(player.resources[0] + player.resources[1] + player.resources[2])
    if counted == Counted.CREDITS:
        return np.int64(player.credits)
    if counted == Counted.TECHNOLOGIES:
        return owned_technologies(player)
    if counted == Counted.FLEET_STRENGTH:
        return np.int64(fleet_strength(rules, player))
    if counted == Counted.PLANETS:
        return population(tokens_of(player))
    return population(player.starbases) + starbases_in_far_space(state, seat)


@kernel
def leader_of(rules, state, counted):
    """The seat that meets the condition of an edict alone, or NOBODY."""
    if counted == Counted.NOBODY:
        return NOBODY
    leader = NOBODY
    most = -1
    for seat in range(rules.players):
        count = count_for_edict(rules, state, seat, counted)
        if count > most:
            most = count
            leader = seat
        elif count == most:
            leader = NOBODY
    return leader


@kernel
def score_edict(rules, state):
    """All score a token, the Emperor first; the leader of the edict one more. (Rulebook: The Emperor 1)"""
    for distance in range(rules.players):
        score_token(state, clockwise(rules, np.int64(state.emperor), distance))
    leader = leader_of(rules, state, np.int64(rules.edicts[state.edict]))
    if leader != NOBODY:
        score_galaxy_tokens(state, leader, 1)


@kernel
def is_at_end(rules, state):
    """Whether somebody has no colony token left, or the supply no galaxy token. (Rulebook: The Emperor 2)"""
    if state.galaxy_supply == 0:
        return True
    for seat in range(rules.players):
        if state.players[seat].tokens == 0:
            return True
    return False


@kernel
def bonus_points(rules, state, seat):
    """Points that come from no rule of the game: a handicap, by how long after the first player a seat has begun."""
    return np.int64(rules.bonus_points[(seat - np.int64(state.first)) % rules.players])


@kernel
def final_score(rules, state, seat):
    """Tokens in the throne and on the board; a starbase counts 2."""
    player = state.players[seat]
    score = bonus_points(rules, state, seat) + np.int64(player.throne)
    score += population(player.colonies) + 2 * population(player.starbases)
    for location in range(FAR_SPACE):
        if state.far_space[location] == FarSpace.COLONY + 2 * seat:
            score += 1
        elif state.far_space[location] == FarSpace.STARBASE + 2 * seat:
            score += 2
    return score


@kernel
def rank(rules, state, seat):
    """By score, then planets, then the Emperor himself, then clockwise from him; a higher number is better."""
    distance = (seat - np.int64(state.emperor)) % rules.players
    planets = population(tokens_of(state.players[seat]))
    return (final_score(rules, state, seat) * 64 + planets) * MAX_SEATS + (MAX_SEATS - 1 - distance)


@kernel
def end_game(rules, state):
    """The places of all players."""
    ranks = stack_array(MAX_SEATS, np.int64)
    for seat in range(rules.players):
        ranks[seat] = rank(rules, state, seat)
    for seat in range(rules.players):
        place = 1
        for other in range(rules.players):
            place += ranks[other] > ranks[seat]
        state.placement[seat] = place
    state.role = NOTHING
    state.to_act = NOBODY
    state.ask = 0


@kernel
def receive_scepter(rules, state):
    """The Emperor receives the scepter: the edict is scored, then the end is checked; whether the game is over."""
    score_edict(rules, state)
    if is_at_end(rules, state):
        end_game(rules, state)
        return True
    return False
