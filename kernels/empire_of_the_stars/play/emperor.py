"""The Emperor: score of the edict, end of the game, final score (rulebook: The Emperor and ending the game)."""

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
    """Return the quantity that an edict counts; a home world is no planet and no starbase here (Facts: edicts)."""
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
    """Return the only seat that meets the condition of an edict, or NOBODY."""
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
    """Score a token for each player, Emperor first, and one more for the edict's leader (rulebook: The Emperor 1)."""
    for distance in range(rules.players):
        score_token(state, clockwise(rules, np.int64(state.emperor), distance))
    leader = leader_of(rules, state, np.int64(rules.edicts[state.edict]))
    if leader != NOBODY:
        score_galaxy_tokens(state, leader, 1)


@kernel
def is_at_end(rules, state):
    """Return True if a player has no colony token left, or the supply no galaxy token (rulebook: The Emperor 2)."""
    if state.galaxy_supply == 0:
        return True
    for seat in range(rules.players):
        if state.players[seat].tokens == 0:
            return True
    return False


@kernel
def bonus_points(rules, state, seat):
    """Return the handicap points of a seat, by its distance from the first player. No rule of the game gives them."""
    return np.int64(rules.bonus_points[(seat - np.int64(state.first)) % rules.players])


@kernel
def final_score(rules, state, seat):
    """Return the number of tokens in the throne and on the board; a starbase counts 2."""
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
    """Return the rank of a seat as one number; a higher one is better.

    The order is: score, planets, the Emperor, then clockwise from the Emperor.
    """
    distance = (seat - np.int64(state.emperor)) % rules.players
    planets = population(tokens_of(state.players[seat]))
    return (final_score(rules, state, seat) * 64 + planets) * MAX_SEATS + (MAX_SEATS - 1 - distance)


@kernel
def end_game(rules, state):
    """End the game and set the places of all players."""
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
    """Score the edict when the Emperor receives the scepter; return True if the game is over."""
    score_edict(rules, state)
    if is_at_end(rules, state):
        end_game(rules, state)
        return True
    return False
