"""Choices of resources: SWAP, the favour of a PRICE, MATCH, and resources of choice that a player is owed."""

import numpy as np

from stardeck.kernels.compile.jit import kernel
from stardeck.kernels.empire_of_the_stars.operations import Number, Price
from stardeck.kernels.empire_of_the_stars.play.answers import mark
from stardeck.kernels.empire_of_the_stars.play.effects import gain, has_room, track_end, work_in_progress
from stardeck.kernels.empire_of_the_stars.play.questions import put_question
from stardeck.kernels.empire_of_the_stars.rules import Act
from stardeck.kernels.empire_of_the_stars.state import RESOURCES, Ask

# SWAP


@kernel
def can_swap(rules, player, given, taken):
    """Return True if one resource can be exchanged for another."""
    return given != taken and player.resources[given] > 0 and player.resources[taken] < track_end(rules, player)


@kernel
def can_swap_any(rules, player):
    """Return True if any resource can be exchanged."""
    for given in range(RESOURCES):
        for taken in range(RESOURCES):
            if can_swap(rules, player, given, taken):
                return True
    return False


@kernel
def mark_swaps(rules, player, legal):
    """Mark exchanges, in the order of the block: by the resource given, then the one taken."""
    place = 0
    for given in range(RESOURCES):
        for taken in range(RESOURCES):
            if given != taken:
                if can_swap(rules, player, given, taken):
                    mark(rules, legal, Act.SWAP, place)
                place += 1


@kernel
def swap(rules, state, seat, given, taken):
    """Exchange one unit."""
    player = state.players[seat]
    player.resources[given] -= 1
    gain(rules, player, taken, 1)
    state.work_left -= 1


# The favour of a PRICE


@kernel
def favour(rules, state, seat, resource):
    """Favour a resource in this MERCHANT."""
    state.players[seat].favoured[work_in_progress(rules, state).values[Price.SLOT]] = resource
    state.work_left = 0


# MATCH


@kernel
def most_of_others(rules, state, seat, resource):
    """Return the highest amount of a resource among the opponents."""
    most = 0
    for other in range(rules.players):
        if other != seat:
            most = max(most, np.int64(state.players[other].resources[resource]))
    return most


@kernel
def can_match(rules, state, seat, resource):
    """Return True if a resource can be raised towards an opponent's amount."""
    player = state.players[seat]
    own = player.resources[resource]
    return own < most_of_others(rules, state, seat, resource) and own < track_end(rules, player)


@kernel
def can_match_any(rules, state, seat):
    """Return True if any resource can be raised."""
    for resource in range(RESOURCES):
        if can_match(rules, state, seat, resource):
            return True
    return False


@kernel
def mark_matches(rules, state, seat, legal):
    """Mark the resources that can be raised."""
    for resource in range(RESOURCES):
        if can_match(rules, state, seat, resource):
            mark(rules, legal, Act.RESOURCE, resource)


@kernel
def match(rules, state, seat, resource):
    """Raise a resource towards the highest amount of an opponent."""
    most = most_of_others(rules, state, seat, resource)
    player = state.players[seat]
    amount = min(np.int64(work_in_progress(rules, state).values[Number.N]), most - player.resources[resource])
    gain(rules, player, resource, amount)
    state.work_left = 0


# Resources of choice that are owed


@kernel
def ask_owed(rules, state):
    """Ask the next player who is owed resources of choice, by power number; return True if one is asked."""
    for place in range(rules.players):
        seat = np.int64(state.order[place])
        player = state.players[seat]
        if player.owed > 0:
            if has_room(rules, player):
                put_question(state, seat, Ask.GAIN)
                return True
            player.owed = 0
    return False


@kernel
def mark_owed(rules, player, legal):
    """Mark the resources with room on their tracks, and stopping."""
    mark(rules, legal, Act.PASS, 0)
    for resource in range(RESOURCES):
        if player.resources[resource] < track_end(rules, player):
            mark(rules, legal, Act.RESOURCE, resource)


@kernel
def answer_owed(rules, player, row):
    """Gain one unit of a resource of choice, or stop."""
    if row.act == Act.PASS:
        player.owed = 0
    else:
        gain(rules, player, np.int64(row.what), 1)
        player.owed -= 1
