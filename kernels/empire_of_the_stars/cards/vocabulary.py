"""The vocabulary for effects of powers and technologies (rulebook: Player Powers, Scientist).

An effect is one line: `ROLE timing [event] [if condition]: OPERATION name=value …`, for example `WARLORD after: DESTROY
ships=1 max_hits=3`. Missing values are 0.
"""

import re
from dataclasses import dataclass

from stardeck.kernels.contract.card_tables import Row
from stardeck.kernels.empire_of_the_stars.operations import (
    OPERATIONS,
    Battle,
    BattleSide,
    Condition,
    Event,
    Exempt,
    Flag,
    Gain,
    GainPer,
    Goods,
    Manner,
    Op,
    Price,
    ScorePer,
    Tiles,
    Unit,
    Units,
)
from stardeck.kernels.empire_of_the_stars.rules import Point
from stardeck.kernels.empire_of_the_stars.state import Role
from stardeck.kernels.errors import shown

TIMINGS = ("before", "during", "after", "always")
LARGEST = 99


_EVENT_ROLES = {
    Event.TILE_PLACED: Role.EXPLORER,
    Event.WORMHOLE_PLACED: Role.EXPLORER,
    Event.TECH_BOUGHT: Role.SCIENTIST,
    Event.OWN_SHIP_DESTROYED: Role.WARLORD,
    Event.SHIP_DESTROYED_BY_ME: Role.WARLORD,
    Event.COLONY_SCORED: Role.WARLORD,
    Event.WON_TACTICS: Role.WARLORD,
    Event.ALLY_IN_BATTLE: Role.WARLORD,
}
_PATTERN = re.compile(
    r"(?P<role>[A-Z]+) (?P<timing>[a-z]+)(?: (?P<event>(?!if )\w+))?(?: if (?P<condition>\w+))?: "
    r"(?P<op>[A-Z_]+)(?P<values>(?: \w+=\w+)*)\Z"
)
_DURING = {
    Role.EXPLORER: Point.EXPLORER_TURN,
    Role.STEWARD: Point.PRODUCE,
    Role.MERCHANT: Point.TRADE,
    Role.ENGINEER: Point.BUILD,
    Role.SCIENTIST: Point.SCIENTIST_TURN,
    Role.WARLORD: Point.WARLORD_TURN,
    Role.REGENT: Point.PLACE,
}


@dataclass(frozen=True)
class Effect:
    """One effect of a card. values: in the order of its operation; point, use: numbers, see `rules.Point`."""

    op: Op
    manner: Manner
    point: int
    use: int
    event: Event
    condition: Condition
    values: tuple[int, ...]


def _member(row, kind, word, what):
    names = {member.name.lower(): member for member in kind}
    if word.lower() not in names:
        row.complain(f"{what} {shown(word)} is not known; allowed: {', '.join(names)}")
    return names[word.lower()]


def _check_values(row, op, known, given):
    """Complain of values that an operation has not, or that are missing. known: their kinds, given: words, by name."""
    for name, word in given.items():
        if name not in known:
            row.complain(f"{op.name} has no {shown(name)}; it has {', '.join(known)}")
        if known[name] is int and not (word.isdigit() and 0 <= int(word) <= LARGEST):
            row.complain(f"{op.name} {name}={word}: must be a whole number from 0 to {LARGEST}")
    for name, kind in known.items():
        if kind is not int and name not in given and not (op == Op.PRODUCE and "bonus" not in given):
            row.complain(f"{op.name}: {name} is missing")


def _values(row, op, text):
    known = {member.name.lower(): kind for member, kind in OPERATIONS[op].values.items()}
    given = dict(word.split("=") for word in text.split())
    _check_values(row, op, known, given)
    result = []
    for name, kind in known.items():
        word = given.get(name)
        result.append(0 if word is None else int(word) if kind is int else int(_member(row, kind, word, name)))
    return tuple(result)


def _manner(op, event, values):
    if op in (Op.GAIN, Op.GAIN_PER, Op.SCORE, Op.SCORE_PER):
        if event not in (Event.NONE, Event.WORMHOLE_PLACED):
            return Manner.EVENT
        return Manner.ASKING if op == Op.GAIN and values[Gain.ANY] else Manner.AUTOMATIC
    favours = op == Op.PRICE and values[Price.RES] == Goods.ANY
    return Manner.ASKING if OPERATIONS[op].asks or favours else Manner.STANDING


def _point(op, role, timing, event, values):
    """Return the point where an effect asks, happens, or lets a surge be announced (rulings: surge: the points)."""
    if timing == "before":
        return Point.BEFORE + role
    if timing == "after":
        return Point.AFTER + role
    if op == Op.FLAG and values[Exempt.FLAG] == Flag.NO_BATTLE:
        return Point.BEFORE + Role.WARLORD
    if op == Op.FLAG and values[Exempt.FLAG] == Flag.CLAIM_THRONE:
        return Point.THRONE
    if op == Op.FAR:
        return Point.INVEST
    in_battle = op in (Op.REVEAL, Op.REINFORCE) or event in (Event.WON_TACTICS, Event.ALLY_IN_BATTLE)
    if in_battle or (op == Op.BATTLE and values[Battle.SIDE] != BattleSide.ATTACKER):
        return Point.READY
    return _DURING[role]


def read_effect(row: Row, text) -> Effect:
    """Read the effect of one line of a table.

    Raises:
        TableError: The line is invalid. The message names the row and the word.
    """
    found = _PATTERN.match(text) if isinstance(text, str) else None
    if not found:
        row.complain(f"effect {shown(text)}: must read `ROLE timing [event] [if condition]: OPERATION name=value ...`")
    role = _member(row, Role, found["role"], "role")
    if found["timing"] not in TIMINGS:
        row.complain(f"timing {shown(found['timing'])} is not known; allowed: {', '.join(TIMINGS)}")
    event = _member(row, Event, found["event"] or "none", "event")
    condition = _member(row, Condition, found["condition"] or "none", "condition")
    op = _member(row, Op, found["op"], "operation")
    values = _values(row, op, found["values"])
    _check_role(row, op, role, event)
    _check_operation(row, op, values)
    manner = _manner(op, event, values)
    if manner == Manner.STANDING and condition != Condition.NONE:
        row.complain(f"{op.name} is a standing effect: it cannot have a condition")
    point = int(_point(op, role, found["timing"], event, values))
    return Effect(op, manner, point, _use(op, point, values), event, condition, values)


def _check_role(row, op, role, event):
    """Complain of an operation in a role that has no use for it, or after an event that it does not follow."""
    allowed = OPERATIONS[op].roles
    if allowed and role not in allowed:
        row.complain(f"{op.name} in {role.name}: must be in {', '.join(r.name for r in allowed)}")
    if event != Event.NONE and (role != _EVENT_ROLES[event] or op not in (Op.GAIN, Op.GAIN_PER, Op.SCORE)):
        where = _EVENT_ROLES[event].name
        row.complain(f"{event.name.lower()}: must be in {where}, with GAIN, GAIN_PER or SCORE")


def _check_operation(row, op, values):
    """Complain about values that do not fit together."""
    if op == Op.UNIT and values[Units.ARMOR] and values[Units.UNIT] in (Unit.COLONY, Unit.STARBASE):
        row.complain("UNIT armor: applies only to ships")
    if op == Op.TILES and (values[Tiles.REPLACE] > 0) == (values[Tiles.EXTRA] > 0):
        row.complain("TILES: must have either replace or extra")
    if op == Op.GAIN_PER and values[GainPer.PER] == 0 or op == Op.SCORE_PER and values[ScorePer.PER] == 0:
        row.complain(f"{op.name} per=0: must be at least 1")


def _use(op, point, values):
    """Return the point at which an effect is used if its surge is announced at `point`."""
    if op == Op.COLONIZE_PLACED:
        return int(Point.PLACED)
    return int(Point.EXTRA) if op == Op.TILES and values[Tiles.EXTRA] else point
