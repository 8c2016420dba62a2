"""Choices of planets: PLACE_COLONY, UPGRADE, CONVERT, COLONIZE_PLACED."""

from stardeck.kernels.compile.jit import kernel
from stardeck.kernels.empire_of_the_stars.operations import Cost, Upgrade
from stardeck.kernels.empire_of_the_stars.play.effects import work_in_progress
from stardeck.kernels.empire_of_the_stars.play.galaxy import (
    NONE,
    bit,
    colonizable,
    has,
    put_colony,
    ships_of,
    ships_of_others,
)
from stardeck.kernels.empire_of_the_stars.state import RESOURCES

# PLACE_COLONY


@kernel
def colony_targets(rules, state, seat):
    """Return the uncolonized planets that hold no opposing ship."""
    if state.players[seat].tokens == 0:
        return NONE
    return colonizable(rules, state, seat) & ~ships_of_others(rules, state, seat)


@kernel
def place_colony(state, seat, region):
    """Put a colony on a planet."""
    put_colony(state, seat, region)
    state.work_left -= 1


# UPGRADE


@kernel
def upgrade_targets(player, values):
    """Return the colonies of a player who can pay the price."""
    for resource in range(RESOURCES):
        if player.resources[resource] < values[Upgrade.P + resource]:
            return NONE
    return NONE if player.credits < values[Upgrade.C] else player.colonies


@kernel
def upgrade(rules, state, seat, region):
    """Pay, and flip a colony to a starbase."""
    player = state.players[seat]
    values = work_in_progress(rules, state).values
    for resource in range(RESOURCES):
        player.resources[resource] -= values[Upgrade.P + resource]
    player.credits -= values[Upgrade.C]
    player.colonies &= ~bit(region)
    player.starbases |= bit(region)
    state.work_left -= 1


# CONVERT


@kernel
def convert_targets(rules, state, seat):
    """Return the opposing colonies without ships of their owner."""
    regions = NONE
    if state.players[seat].tokens > 0:
        for other in range(rules.players):
            if other != seat:
                regions |= state.players[other].colonies & ~ships_of(state.players[other])
    return regions


@kernel
def convert(rules, state, seat, region):
    """Replace an opponent's colony with one's own; the opponent takes the token back."""
    for other in range(rules.players):
        if has(state.players[other].colonies, region):
            state.players[other].colonies &= ~bit(region)
            state.players[other].tokens += 1
    put_colony(state, seat, region)
    state.work_left -= 1


# COLONIZE_PLACED; the choice itself belongs to EXPLORER


@kernel
def can_colonize_placed(rules, state, seat, values):
    """Return True if the tile just placed can be colonized."""
    player = state.players[seat]
    here = bit(state.last_placed)
    return player.credits >= values[Cost.C] and player.tokens > 0 and colonizable(rules, state, seat) & here != NONE
