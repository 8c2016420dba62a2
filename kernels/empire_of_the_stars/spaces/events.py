"""Events of a game of Empire of the Stars, for statistics: roles, gains and losses of regions, ships, the throne."""

from enum import IntEnum

import numpy as np

from stardeck.kernels.compile.jit import kernel
from stardeck.kernels.empire_of_the_stars.rules import POWER_LIMIT, Act
from stardeck.kernels.empire_of_the_stars.state import CLASSES, WORDS, Role
from stardeck.kernels.loops.event_log import NO_CARD, NOBODY, note, note_of

# Offsets in the record of the state before an action; each seat has a block of PLACES numbers.
COLONIES, STARBASES, THRONE, SUPPLY, TECHNOLOGIES = 0, 1, 2, 3, 3 + CLASSES
PLACES = TECHNOLOGIES + WORDS


class Event(IntEnum):
    """The events, described in `EVENTS`."""

    ROLE = 0
    TECHNOLOGY = 1
    COLONY = 2
    COLONY_LOST = 3
    STARBASE = 4
    STARBASE_LOST = 5
    FIGHTERS = 6
    CRUISERS = 7
    DREADNOUGHTS = 8
    BATTLE = 9
    THRONE = 10
    SELL = 11
    SURGE = 12


EVENTS = {
    Event.ROLE: "the seat begins a role; amount: " + ", ".join(f"{role} {role.name}" for role in Role),
    Event.TECHNOLOGY: "the target gains a technology",
    Event.COLONY: "the target gains colonies; amount: their number; left: colonies of the target afterwards",
    Event.COLONY_LOST: "the target loses colonies; amount: their number; left: colonies of the target afterwards",
    Event.STARBASE: "the target gains starbases; amount: their number; left: starbases of the target afterwards",
    Event.STARBASE_LOST: "the target loses starbases; amount: their number; left: starbases of the target afterwards",
    Event.FIGHTERS: "fighters leave the supply of the target (amount above 0) or return to it (below 0)",
    Event.CRUISERS: "cruisers leave the supply of the target (amount above 0) or return to it (below 0)",
    Event.DREADNOUGHTS: "dreadnoughts leave the supply of the target (amount above 0) or return to it (below 0)",
    Event.BATTLE: "the seat begins a battle",
    Event.THRONE: "the target's tokens in the throne change; amount: the difference; left: its tokens afterwards",
    Event.SELL: "the seat sells at the market",
    Event.SURGE: "the seat announces a surge",
}


@kernel
def ones(bits):
    """Return the number of bits set in an int64."""
    rest = np.uint64(bits)
    count = 0
    while rest:
        rest &= rest - np.uint64(1)
        count += 1
    return count


@kernel
def watch(rules, state, eye):
    """Record the possessions of each seat."""
    for seat in range(rules.players):
        player = state.players[seat]
        at = seat * PLACES
        eye.before[at + COLONIES] = np.int64(player.colonies)
        eye.before[at + STARBASES] = np.int64(player.starbases)
        eye.before[at + THRONE] = player.throne
        for kind in range(CLASSES):
            eye.before[at + SUPPLY + kind] = player.supply[kind]
        for word in range(WORDS):
            eye.before[at + TECHNOLOGIES + word] = np.int64(player.technologies[word])


@kernel
def tell(rules, state, eye):
    """Record the events of an action: first those that the action names, then the differences."""
    row = rules.actions[eye.action]
    if state.turn != eye.turn:
        note(eye, Event.ROLE, NOBODY, NO_CARD, np.int64(state.role), 0)
    if row.act == Act.BATTLE:
        note(eye, Event.BATTLE, NOBODY, NO_CARD, 0, 0)
    elif row.act == Act.SELL:
        note(eye, Event.SELL, NOBODY, NO_CARD, 0, 0)
    elif row.act == Act.SURGE:
        note(eye, Event.SURGE, NOBODY, NO_CARD, 0, 0)
    for seat in range(rules.players):
        tell_seat(rules, state.players[seat], eye, seat)


@kernel
def tell_seat(rules, player, eye, seat):
    """Record the gains and losses of a seat."""
    at = seat * PLACES
    tell_regions(eye, seat, Event.COLONY, eye.before[at + COLONIES], np.int64(player.colonies))
    tell_regions(eye, seat, Event.STARBASE, eye.before[at + STARBASES], np.int64(player.starbases))
    more = player.throne - eye.before[at + THRONE]
    if more != 0:
        note(eye, Event.THRONE, seat, NO_CARD, more, np.int64(player.throne))
    for kind in range(CLASSES):
        built = eye.before[at + SUPPLY + kind] - player.supply[kind]
        if built != 0:
            note(eye, Event.FIGHTERS + kind, seat, NO_CARD, built, 0)
    for word in range(WORDS):
        tell_technologies(rules, player, eye, seat, word)


@kernel
def tell_regions(eye, seat, gained, before, now):
    """Record regions that a seat has gained or lost. gained: the event of a gain; the next number is the loss."""
    if before == now:
        return
    left = ones(now)
    if now & ~before:
        note(eye, gained, seat, NO_CARD, ones(now & ~before), left)
    if before & ~now:
        note(eye, gained + 1, seat, NO_CARD, ones(before & ~now), left)


@kernel
def tell_technologies(rules, player, eye, seat, word):
    """Record technologies that a seat has gained."""
    new = np.int64(player.technologies[word]) & ~eye.before[seat * PLACES + TECHNOLOGIES + word]
    if new == 0:
        return
    for bit in range(64):
        if (new >> bit) & 1:
            note_of(
                eye, Event.TECHNOLOGY, eye.seat, seat,
                np.int64(rules.sides[2 * POWER_LIMIT + 64 * word + bit].name), 0, 0,
            )  # fmt: skip
