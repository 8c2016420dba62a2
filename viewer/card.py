"""Cards and other single things on the table: full faces, small chips, and card backs."""

from functools import lru_cache
from typing import Any, NamedTuple

from stardeck.viewer.boxes import Box
from stardeck.viewer.letters import colored, cut, text, width, wrapped
from stardeck.viewer.palette import BANDS, KINDS, NO_BAND, SEATS
from stardeck.viewer.sight import TableView
from stardeck.viewer.signs import SIGNS, in_words, sign, yields

WIDE = 132
NARROW = 109  # on a phone
NAMES, BODY, LINE = (11.5, 10.5, 9.5, 8.5), 10.5, 13.0  # font sizes, and the distance between lines
MOST_LINES = 14
MARKED = {"Ally": "ally", "Scrap it": "scrap"}  # abilities with a sign before them, by how they begin
INDENT = 13


class Group(NamedTuple):
    """Identical things: the same name, marks and numbers."""

    name: str | None
    marks: tuple[str, ...]
    amounts: tuple[tuple[str, int], ...]
    seat: int | None
    ids: list[str]
    moved: list[str]  # ids whose moves belong to the group: moves name only the first of identical things

    @property
    def size(self) -> int:
        """Number of things in the group."""
        return len(self.ids)


def groups_of(things: list[dict[str, Any]], alone: bool = False) -> list[Group]:
    """Group identical things, in the order of the first of each; `alone` makes a group of every thing."""
    found: dict[Any, Group] = {}
    for thing in things:
        marks, amounts = tuple(thing.get("marks", ())), tuple(thing.get("amounts", {}).items())
        group = Group(thing["name"], marks, amounts, thing.get("seat"), [], [])
        found.setdefault(group[:-2], group).ids.append(thing["id"])
    alike = [group._replace(moved=group.ids) for group in found.values()]
    if not alone:
        return alike
    of = {place: group for group in alike for place in group.ids}
    return [of[thing["id"]]._replace(ids=[thing["id"]]) for thing in things]


def label_of(sight: TableView, group: Group) -> str:
    """Describe a thing in words: its name, its marks, and the text printed on it."""
    card = sight.card(group.name)
    parts = [in_words(group.name) if group.name else "face down"]
    if group.size > 1:
        parts[0] = f"{group.size} × {parts[0]}" if yields(group.name) else f"{group.size} {parts[0]}"
    parts += group.marks
    parts += [f"{name} {amount}" for name, amount in group.amounts]
    if card:
        parts += [card["kind"]] if card["kind"] not in (group.name or "") else []
        parts += card["abilities"]
    return ", ".join(parts)


# Cards


class Face(NamedTuple):
    """Text on a card, broken into lines."""

    size: float  # of the title
    title: tuple[str, ...]
    body: tuple[tuple[str, tuple[str, ...]], ...]  # the sign of each ability, or "", and its lines
    foot: str
    height: float


def faces(sight: TableView, groups: list[Group]) -> list[Box]:
    """Draw cards side by side, all of the same height."""
    wide = NARROW if sight.small else WIDE
    found = [_face(sight, group, wide) for group in groups]
    high = max((face.height for face in found), default=0)
    return [
        sight.place(group.ids, label_of(sight, group), _drawn(sight, group, face, wide, high), moved=group.moved)
        for group, face in zip(groups, found, strict=True)
    ]


def _face(sight, group, wide):
    card = sight.card(group.name)
    abilities = tuple(card["abilities"]) if card else ()
    return _written(
        group.name or "", abilities, _foot(card, group), wide, _gem(card, group) is not None, _is_base(card)
    )


@lru_cache(4096)
def _written(name, abilities, foot, wide, gem, base):
    size, title = _title(name, wide - 24 - (28 if gem else 6))
    body = []
    left = MOST_LINES
    for ability in abilities:
        mark = next((name for start, name in MARKED.items() if ability.startswith(start)), "")
        lines = wrapped(ability, BODY, wide - 14 - (INDENT if mark else 0), max(left, 1))
        left -= len(lines)
        body.append((mark, lines))
        if left <= 0:
            break
    height = 10 + 14 * len(title) + 6 + sum(LINE * len(lines) + 2 for _, lines in body) + (36 if base else 22)
    return Face(size, title, tuple(body), foot, max(height, 62))


def _title(name, room):
    """Break a name into at most two lines, as large as its words allow."""
    for size in NAMES:
        lines = wrapped(name, size, room, 2, True)
        if not any("…" in line for line in lines):
            break
    return size, lines


def _is_base(card):
    return bool(card) and card["kind"] in ("base", "outpost")


def _gem(card, group):
    """Return the number in the upper corner: the cost."""
    amounts = dict(group.amounts)
    return amounts.get("cost", card["cost"] if card else None)


def _foot(card, group):
    """Return the last line: marks, the kind of the card, and numbers without a place of their own."""
    parts = [*group.marks, card["kind"]] if card else [*group.marks]
    if card and "number" in card:
        parts.append(f"no. {card['number']}")
    if card and "pays" in card:
        parts.append(f"for {card['pays']}")
    parts += [f"{amount} {name}" for name, amount in group.amounts if name not in ("cost", "defense")]
    return " · ".join(parts)


def _drawn(sight, group, face, wide, high):
    card = sight.card(group.name)
    if group.name is None:
        return _stack(group.size, wide, high, back(wide, high, str(dict(group.amounts).get("cost", ""))))
    symbol, (band, ink) = _band(card, group)
    is_base = _is_base(card)
    top = 10 + 14 * len(face.title)
    parts = [
        f'<rect class="{"sd-base" if is_base else "sd-card"}" width="{wide}" height="{high:g}" rx="8"/>',
        f'<path fill="{band}" d="M0 {top:g}V8Q0 0 8 0H{wide - 8}Q{wide} 0 {wide} 8V{top:g}z"/>',
        *_second_band(card, wide, top),
        f'<g transform="translate(5 5)">{sign(symbol, ink)}</g>',
    ]
    parts += [colored(24, 16 + 14 * k, line, face.size, ink) for k, line in enumerate(face.title)]
    gem = _gem(card, group)
    if gem is not None:
        parts.append(f'<circle class="sd-gem" cx="{wide - 14}" cy="12" r="9.5"/>')
        parts.append(text(wide - 14, 16.2, str(gem), 12, "sd-gem-ink", bold=True, anchor="middle"))
    y = top + 15
    for mark, lines in face.body:
        if mark:
            parts.append(f'<g transform="translate(6 {y - 9:g}) scale(.75)">{sign(mark, "sd-ink")}</g>')
        for line in lines:
            parts.append(text(7 + (INDENT if mark else 0), y, line, BODY))
            y += LINE
        y += 2
    room = wide - 14 - (28 if is_base else 0)
    parts.append(text(7, high - 7, cut(face.foot, 9.5, room), 9.5, "sd-soft"))
    if is_base:
        parts.append(_shield(card, group, wide, high))
    elif signs := [mark for mark in group.marks if mark in SIGNS]:
        parts.append(f'<g transform="translate({wide - 21} {high - 20:g})">{sign(signs[0], "sd-ink")}</g>')
    return _stack(group.size, wide, high, "".join(parts))


def _band(card, group):
    """Return the sign of a card and the colours of its band.

    The band shows the owner, else the faction, else the resource that pays for it, else the kind.
    """
    found = card["factions"] if card else []
    symbol = found[0] if found else (card.get("pays", card["kind"]) if card else "")
    if group.seat is not None:
        return symbol, SEATS[group.seat]
    return symbol, BANDS.get(symbol) or KINDS.get(symbol, NO_BAND)


def _second_band(card, wide, top):
    """Draw a stripe for each further faction of a card that has several."""
    for k, faction in enumerate(card["factions"][1:] if card else []):
        band, _ = BANDS.get(faction, NO_BAND)
        yield f'<rect fill="{band}" y="{top - 4 * (k + 1):g}" width="{wide}" height="4"/>'


def _shield(card, group, wide, high):
    """Draw the defense of a base; the shield of an outpost is filled."""
    outpost = card["kind"] == "outpost"
    defense = dict(group.amounts).get("defense", card["defense"])
    x, y = wide - 30, high - 30
    path = f"M{x} {y}h24v13q0 8-12 12q-12-4-12-12z"
    ink = "sd-outpost-ink" if outpost else "sd-ink"
    return f'<path class="{"sd-outpost" if outpost else "sd-shield"}" stroke-width="2" d="{path}"/>' + text(
        x + 12, y + 16.5, str(defense), 13, ink, bold=True, anchor="middle"
    )


def _stack(count, wide, high, svg):
    """Draw a card on a stack of identical ones, with their number."""
    if count == 1:
        return Box(wide, high, svg)
    under = f'<rect class="sd-under" x="4" y="4" width="{wide}" height="{high:g}" rx="8"/>'
    label = f"×{count}"
    room = width(label, 12, True) + 12
    badge = f'<rect class="sd-bar" x="{wide - room + 5:g}" y="{high - 17:g}" width="{room:g}" height="20" rx="10"/>'
    words = text(wide - room / 2 + 5, high - 2.5, label, 12, "sd-bar-ink", bold=True, anchor="middle")
    return Box(wide + 4, high + 4, under + svg + badge + words)


def back(wide: float, high: float, label: str = "") -> str:
    """Draw the back of a card, with a label."""
    place = f'cx="{wide / 2:g}" cy="{high / 2:g}" r="{wide / 4:g}"'
    ring = f'<circle fill="none" stroke="#ffffff" stroke-opacity=".45" {place}/>'
    words = text(wide / 2, high / 2 + 6, label, 16, "sd-back-ink", bold=True, anchor="middle") if label else ""
    return f'<rect class="sd-back" width="{wide:g}" height="{high:g}" rx="{min(8, wide / 8):g}"/>{ring}{words}'


# Chips


def chip(sight: TableView, group: Group) -> Box:
    """Draw a thing in one line: its sign, name or yield, marks and numbers."""
    card = sight.card(group.name)
    parts = []
    x = 7.0
    if card:
        symbol, (band, ink) = _band(card, group)
        parts.append(f'<path fill="{band}" d="M19 0H5Q0 0 0 5V15Q0 20 5 20H19z"/>')
        parts.append(f'<g transform="translate(2.5 3)">{sign(symbol, ink)}</g>')
        x = 24.0
    elif group.name in SIGNS:
        parts.append(f'<g transform="translate(5 3)">{sign(group.name, "sd-ink")}</g>')
        x = 23.0
    named, resources = group.name or "face down", yields(group.name)
    words = "planet" if resources and named.startswith("planet") else "" if resources else named
    parts.append(text(x, 14, words, BODY))
    x += width(words, BODY) + (3 if words and resources else 0)
    for name in resources:
        parts.append(f'<g transform="translate({x:g} 3.5) scale(.9)">{sign(name, "sd-ink")}</g>')
        x += 14
    for mark in group.marks:
        if mark in SIGNS:
            parts.append(f'<g transform="translate({x + 5:g} 3)">{sign(mark, "sd-ink")}</g>')
            x += 17
    more = " ".join([*group.marks, *([f"×{group.size}"] if group.size > 1 else [])])
    if more:
        parts.append(text(x + 6, 14, more, BODY, bold=True))
        x += 6 + width(more, BODY, True)
    for name, amount in group.amounts:
        if amount:
            parts.append(_number(x + 5, name, str(amount)))
            x += 5 + max(18, width(str(amount), 11, True) + 10)
    wide = x + (3 if parts[-1].startswith("<rect") else 7)
    svg = f'<rect class="sd-card" width="{wide:g}" height="20" rx="5"/>{"".join(parts)}'
    return sight.place(group.ids, label_of(sight, group), Box(wide, 20, svg), 5)


def _number(x, name, words):
    """Draw a number on a chip: gold for costs and amounts, the colours of a shield for defense."""
    wide = max(18, width(words, 11, True) + 10)
    frame, ink = ("sd-outpost", "sd-outpost-ink") if name == "defense" else ("sd-gem", "sd-gem-ink")
    shape = f'<rect class="{frame}" x="{x:g}" y="2" width="{wide:g}" height="16" rx="{4 if name == "defense" else 8}"/>'
    return shape + text(x + wide / 2, 14, words, 11, ink, bold=True, anchor="middle")
