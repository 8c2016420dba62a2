"""Choices about each opponent round the table: DESTROY, TAKE; `work_opponent` is the present one."""

import numpy as np

from stardeck.kernels.compile.jit import kernel
from stardeck.kernels.empire_of_the_stars.operations import Destroy, Take
from stardeck.kernels.empire_of_the_stars.play.answers import mark, mark_ships, mark_tokens
from stardeck.kernels.empire_of_the_stars.play.effects import hits_needed, track_end, work_in_progress
from stardeck.kernels.empire_of_the_stars.play.galaxy import NONE, bit, clockwise, take_ship, tokens_of
from stardeck.kernels.empire_of_the_stars.play.questions import put_question
from stardeck.kernels.empire_of_the_stars.rules import Act
from stardeck.kernels.empire_of_the_stars.state import CLASSES, NOBODY, RESOURCES, Ask


@kernel
def next_opponent(rules, state, seat, left):
    """Continue the effect with the next opponent round the table, if there is one."""
    other = clockwise(rules, np.int64(state.work_opponent), 1)
    state.work_opponent = NOBODY if other == seat else other
    state.work_left = left
    state.work_colonies = 0


# DESTROY


@kernel
def destroyable_ships(rules, player, kind, most):
    """Return the regions with ships of a class that `most` hits destroy."""
    return player.fleet[kind, 0] if hits_needed(rules, player, kind) <= most else NONE


@kernel
def any_destroyable(rules, player, most):
    """Return True if a player has a ship that `most` hits destroy."""
    for kind in range(CLASSES):
        if destroyable_ships(rules, player, kind, most) != NONE:
            return True
    return False


@kernel
def can_destroy(rules, state, seat, values):
    """Return True if any opponent has a ship or a token that can be destroyed."""
    for other in range(rules.players):
        opponent = state.players[other]
        if other != seat and (
            (values[Destroy.SHIPS] > 0 and any_destroyable(rules, opponent, values[Destroy.MAX_HITS]))
            or (values[Destroy.COLONIES] > 0 and tokens_of(opponent) != NONE)
        ):
            return True
    return False


@kernel
def go_on_destroying(rules, state, seat, values):
    """Ask about the next ship or colony of the opponents in turn; return True if there is one."""
    while state.work_opponent != NOBODY:
        opponent = state.players[state.work_opponent]
        if state.work_colonies == 0:
            if state.work_left > 0 and any_destroyable(rules, opponent, values[Destroy.MAX_HITS]):
                put_question(state, seat, Ask.DESTROY)
                return True
            state.work_colonies = 1
            state.work_left = values[Destroy.COLONIES]
        if state.work_left > 0 and tokens_of(opponent) != NONE:
            put_question(state, seat, Ask.DESTROY)
            return True
        next_opponent(rules, state, seat, np.int64(values[Destroy.SHIPS]))
    return False


@kernel
def mark_destroyable(rules, state, seat, legal):
    """Mark ships, then colonies and starbases of the present opponent."""
    owner = np.int64(state.work_opponent)
    opponent = state.players[owner]
    if state.work_colonies:
        mark_tokens(rules, legal, tokens_of(opponent))
        return
    most = work_in_progress(rules, state).values[Destroy.MAX_HITS]
    distance = (owner - seat) % rules.players
    for kind in range(CLASSES):
        mark_ships(rules, legal, distance, kind, destroyable_ships(rules, opponent, kind, most))


@kernel
def destroy_ship(state, kind, region):
    """Move a ship of the present opponent to its owner's staging area. It is no battle (ruling: DESTROY)."""
    owner = np.int64(state.work_opponent)
    take_ship(state, owner, kind, region)
    state.players[owner].staging[kind] += 1
    state.work_left -= 1


@kernel
def destroy_token(state, seat, region):
    """Remove and score a colony or starbase of the present opponent."""
    player = state.players[state.work_opponent]
    player.colonies &= ~bit(region)
    player.starbases &= ~bit(region)
    state.players[seat].throne += 1
    state.work_left -= 1


# TAKE


@kernel
def can_take(rules, state, seat, other, resource):
    """Return True if a resource can be taken from this player."""
    player = state.players[seat]
    if other == seat or state.players[other].resources[resource] == 0:
        return False
    return player.resources[resource] < track_end(rules, player)


@kernel
def can_take_any(rules, state, seat, other):
    """Return True if any resource can be taken from this player."""
    for resource in range(RESOURCES):
        if can_take(rules, state, seat, other, resource):
            return True
    return False


@kernel
def takes_from(state, other):
    """Return True if this is the present opponent, or no opponent has been chosen yet."""
    return state.work_opponent == NOBODY or state.work_opponent == other


@kernel
def can_take_from_any(rules, state, seat):
    """Return True if any resource can be taken from any opponent."""
    for other in range(rules.players):
        if can_take_any(rules, state, seat, other):
            return True
    return False


@kernel
def go_on_taking(rules, state, seat, values):
    """Ask for the next resource to take; return True if there is one."""
    if values[Take.EACH] == 0:
        if state.work_left > 0:
            for other in range(rules.players):
                if takes_from(state, other) and can_take_any(rules, state, seat, other):
                    put_question(state, seat, Ask.TAKE)
                    return True
        return False
    while state.work_opponent != NOBODY:
        if state.work_left > 0 and can_take_any(rules, state, seat, np.int64(state.work_opponent)):
            put_question(state, seat, Ask.TAKE)
            return True
        next_opponent(rules, state, seat, np.int64(values[Take.N]))
    return False


@kernel
def mark_takes(rules, state, seat, legal):
    """Mark the resources of the present opponent, or of all opponents."""
    for distance in range(1, rules.players):
        other = clockwise(rules, seat, distance)
        if takes_from(state, other):
            for resource in range(RESOURCES):
                if can_take(rules, state, seat, other, resource):
                    mark(rules, legal, Act.TAKE, (distance - 1) * RESOURCES + resource)


@kernel
def take(state, seat, other, resource):
    """Take one unit from an opponent."""
    state.players[other].resources[resource] -= 1
    state.players[seat].resources[resource] += 1
    state.work_opponent = other
    state.work_left -= 1
