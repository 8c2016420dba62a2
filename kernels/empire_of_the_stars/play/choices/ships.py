"""Choices of ships to move: MOVE_ENEMY, REINFORCE. The next question is the destination (movement.py)."""

from stardeck.kernels.compile.jit import kernel
from stardeck.kernels.empire_of_the_stars.play.answers import mark_ships
from stardeck.kernels.empire_of_the_stars.play.galaxy import NONE, clockwise, remaining
from stardeck.kernels.empire_of_the_stars.play.movement import can_go
from stardeck.kernels.empire_of_the_stars.state import CLASSES, Side

# MOVE_ENEMY


@kernel
def can_move_enemies(rules, state, seat, steps):
    """Return True if any ship of an opponent can be moved."""
    for other in range(rules.players):
        if other != seat:
            for kind in range(CLASSES):
                origins = state.players[other].fleet[kind, 0]
                if can_go(rules, state, other, kind, origins, steps, rules.open) != NONE:
                    return True
    return False


@kernel
def movable_enemies(rules, state, owner, kind, steps):
    """Return the regions from which ships of an opponent can still be moved."""
    waiting = remaining(state.players[owner], state.players[owner].moved, kind)
    return NONE if waiting == NONE else can_go(rules, state, owner, kind, waiting, steps, rules.open)


@kernel
def enemies_left_to_move(rules, state, seat, steps):
    """Return True if an opposing ship can still be moved."""
    for other in range(rules.players):
        if other != seat:
            for kind in range(CLASSES):
                if movable_enemies(rules, state, other, kind, steps) != NONE:
                    return True
    return False


@kernel
def mark_enemies(rules, state, seat, legal, steps):
    """Mark the ships of the opponents that can be moved."""
    for distance in range(1, rules.players):
        owner = clockwise(rules, seat, distance)
        for kind in range(CLASSES):
            mark_ships(rules, legal, distance, kind, movable_enemies(rules, state, owner, kind, steps))


# REINFORCE


@kernel
def reinforcements(rules, state, seat, kind, steps):
    """Return the regions outside the sector of the battle from which one's own ships can come into it."""
    sector = rules.sector_regions[state.sector]
    waiting = remaining(state.players[seat], state.players[seat].moved, kind) & ~sector
    return NONE if waiting == NONE else can_go(rules, state, seat, kind, waiting, steps, sector)


@kernel
def can_reinforce(rules, state, seat, steps):
    """Return True if the defender can bring a ship."""
    if state.mains[Side.DEFENDER] != seat:
        return False
    for kind in range(CLASSES):
        if reinforcements(rules, state, seat, kind, steps) != NONE:
            return True
    return False


@kernel
def mark_reinforcements(rules, state, seat, legal, steps):
    """Mark one's own ships that can come into the sector."""
    for kind in range(CLASSES):
        mark_ships(rules, legal, 0, kind, reinforcements(rules, state, seat, kind, steps))
