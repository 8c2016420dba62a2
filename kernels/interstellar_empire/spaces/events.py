"""Events of a game of Interstellar Empire, for statistics: gains and losses of planets and ships, wars, specials."""

from enum import IntEnum

import numpy as np

from stardeck.kernels.compile.jit import kernel, long_kernel
from stardeck.kernels.interstellar_empire.rules import Act
from stardeck.kernels.interstellar_empire.state import KIND_LIMIT
from stardeck.kernels.loops.event_log import NO_CARD, NOBODY, note, note_of
from stardeck.kernels.primitives.action_set import ONE, lowest


class Event(IntEnum):
    """The events, described in `EVENTS`."""

    PLANET = 0
    PLANET_LOST = 1
    SHIP = 2
    SHIP_LOST = 3
    WAR = 4
    SPECIAL = 5
    GOVERNMENT = 6
    CONCEDE = 7


EVENTS = {
    Event.PLANET: "the seat gains a planet; target: its former owner; left: planets of the seat afterwards",
    Event.PLANET_LOST: "the target loses a planet; left: planets of the target afterwards",
    Event.SHIP: "the seat gains a ship; target: its former owner; left: ships of the seat afterwards",
    Event.SHIP_LOST: "the target loses a ship; left: ships of the target afterwards",
    Event.WAR: "the seat attacks a planet of the target",
    Event.SPECIAL: "the seat plays a special; target: the opponent it is played on",
    Event.GOVERNMENT: "the seat declares a government; amount: its number",
    Event.CONCEDE: "the seat concedes",
}

QUIET = sum(
    1 << act for act in (Act.BID, Act.PAY, Act.KEEP, Act.WITH, Act.DRAW, Act.END_TURN, Act.ATTACK, Act.PLAY_ON)
)  # bits of acts


@kernel
def is_quiet(act):
    """Return True if an action changes no empire or fleet: half of all actions only change hands or ask a question."""
    return (QUIET >> np.int64(act)) & 1 != 0


@kernel
def watch(rules, state, eye):
    """Record governments, empires and fleets at the start of a game; later events are differences from this record."""
    if eye.fresh == 0 or is_quiet(rules.actions[eye.action].act):
        return
    eye.fresh = 0
    for seat in range(rules.players):
        hold(state.players[seat], eye, seat)


@long_kernel
def hold(player, eye, seat):
    """Record the government, empire and fleet of a seat."""
    eye.before[seat] = player.government
    for kind in range(KIND_LIMIT):  # a constant bound lets the compiler copy many at once
        eye.cards[planets_of(seat) + kind] = player.empire[kind]
        eye.cards[ships_of(seat) + kind] = player.untapped[kind] + player.tapped[kind]


@kernel
def planets_of(seat):
    """Return the index of the recorded planets of a seat."""
    return 2 * seat * KIND_LIMIT


@kernel
def ships_of(seat):
    """Return the index of the recorded ships of a seat."""
    return (2 * seat + 1) * KIND_LIMIT


@kernel
def whom(rules, eye, row):
    """Return the target seat of an action."""
    other = eye.seat + row.detail
    return other - rules.players if other >= rules.players else other


@kernel
def tell(rules, state, eye):
    """Record the events of an action: first those that the action names, then the differences."""
    row = rules.actions[eye.action]
    if row.act == Act.ATTACK:
        note(eye, Event.WAR, whom(rules, eye, row), np.int64(row.card), 0, 0)
    elif row.act == Act.PLAY_ON:
        note(eye, Event.SPECIAL, whom(rules, eye, row), np.int64(row.card), 0, 0)
    if is_quiet(row.act):
        return
    if row.act == Act.PLAY:
        note(eye, Event.SPECIAL, NOBODY, np.int64(row.card), 0, 0)
    elif row.act == Act.CONCEDE:
        note(eye, Event.CONCEDE, NOBODY, NO_CARD, 0, 0)
    changed = 0  # bits of seats
    for seat in range(rules.players):
        government = np.int64(state.players[seat].government)
        if government != eye.before[seat]:
            note_of(eye, Event.GOVERNMENT, seat, NOBODY, NO_CARD, government, 0)
            eye.before[seat] = government
        if differs(state.players[seat], eye, seat):
            tell_empire_and_fleet(rules, state, eye, seat)
            changed |= 1 << seat
    for seat in range(rules.players):  # after all events are recorded: a gain is matched with the other seat's loss
        if changed >> seat & 1:
            hold(state.players[seat], eye, seat)


@long_kernel
def differs(player, eye, seat):
    """Return True if the planets or ships of a seat have changed."""
    different = np.uint8(0)
    for kind in range(KIND_LIMIT):
        different |= player.empire[kind] ^ eye.cards[planets_of(seat) + kind]
        different |= np.uint8(player.untapped[kind] + player.tapped[kind]) ^ eye.cards[ships_of(seat) + kind]
    return different != 0


@kernel
def tell_empire_and_fleet(rules, state, eye, seat):
    """Record the planets and ships of each kind that a seat has gained or lost."""
    player = state.players[seat]
    kinds = differing(player, eye, seat)
    while kinds != 0:
        kind = lowest(kinds)
        kinds &= kinds - ONE
        planets = np.int64(player.empire[kind]) - np.int64(eye.cards[planets_of(seat) + kind])
        ships = ships_now(player, kind) - np.int64(eye.cards[ships_of(seat) + kind])
        if planets != 0:
            tell_planets(rules, state, eye, seat, kind, planets)
        if ships != 0:
            tell_ships(rules, state, eye, seat, kind, ships)


@long_kernel
def differing(player, eye, seat):
    """Return the kinds of planets and ships whose count has changed for a seat, as bits of a uint64."""
    kinds = np.uint64(0)
    for kind in range(KIND_LIMIT):
        planets = player.empire[kind] ^ eye.cards[planets_of(seat) + kind]
        ships = np.uint8(player.untapped[kind] + player.tapped[kind]) ^ eye.cards[ships_of(seat) + kind]
        kinds |= np.uint64(planets | ships != 0) << np.uint64(kind)
    return kinds


@kernel
def ships_now(player, kind):
    """Return the number of ships of a kind that a seat has."""
    return np.int64(player.untapped[kind]) + np.int64(player.tapped[kind])


@kernel
def tell_planets(rules, state, eye, seat, kind, more):
    """Record planets of a kind that a seat has gained, or lost if `more` is negative."""
    player = state.players[seat]
    left = 0
    for other in range(KIND_LIMIT):
        left += np.int64(player.empire[other])
    if more < 0:
        for _ in range(-more):
            note(eye, Event.PLANET_LOST, seat, kind, 1, left)
        return
    from_whom = NOBODY
    for other in range(rules.players):
        if state.players[other].empire[kind] < eye.cards[planets_of(other) + kind]:
            from_whom = other
    for _ in range(more):
        note_of(eye, Event.PLANET, seat, from_whom, kind, 1, left)


@kernel
def tell_ships(rules, state, eye, seat, kind, more):
    """Record ships of a kind that a seat has gained, or lost if `more` is negative."""
    player = state.players[seat]
    left = 0
    for other in range(KIND_LIMIT):
        left += ships_now(player, other)
    if more < 0:
        for _ in range(-more):
            note(eye, Event.SHIP_LOST, seat, kind, 1, left)
        return
    from_whom = NOBODY
    for other in range(rules.players):
        if ships_now(state.players[other], kind) < eye.cards[ships_of(other) + kind]:
            from_whom = other
    for _ in range(more):
        note_of(eye, Event.SHIP, seat, from_whom, kind, 1, left)
