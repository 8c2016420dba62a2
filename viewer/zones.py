"""Zones: a hand, a row, the area before a player, piles and decks."""

from typing import Any

from stardeck.viewer.boxes import EMPTY, Box, flow, padded, stacked
from stardeck.viewer.card import Group, back, chip, faces, groups_of
from stardeck.viewer.letters import text, width, wrapped
from stardeck.viewer.sight import TableView

Zone = dict[str, Any]
LABEL = 10.5
PILE = 46, 58
OPEN = 12  # up to this number, a hand shows every card; beyond it, identical cards are stacked


def zone_box(sight: TableView, zone: Zone, room: float, full: bool = True) -> Box:
    """Draw a zone; `full` shows whole cards, otherwise chips, and a hand as a pile."""
    things = zone["things"]
    hidden = zone["count"] > 0 and not things
    if zone["kind"] in ("deck", "pile") or hidden or (zone["kind"] == "hand" and not full):
        return _pile(sight, zone, room, full)
    if not zone["count"] and not sight.moves.get(zone["id"]):
        return EMPTY
    alone = zone["kind"] == "row" or (zone["kind"] == "hand" and len(things) <= OPEN)
    groups = groups_of(things, alone)
    return _labelled(sight, zone, _open(sight, groups, room, full))


def _open(sight, groups, room, full):
    if full:
        return flow(faces(sight, groups), room, 8, 8)
    return flow([chip(sight, group) for group in groups], room, 5, 5)


def _labelled(sight, zone, box):
    title = f"{zone['name']} {zone['count']}" if zone["kind"] in ("hand", "deck", "pile") else zone["name"]
    wide = max(box.width, width(title, LABEL) + 2)
    label = sight.place(
        [zone["id"]], title, Box(width(title, LABEL) + 6, 14, text(3, 10.5, title, LABEL, "sd-soft")), 4
    )
    return stacked([label._replace(width=wide), box], 3)


def _pile(sight, zone, room, full):
    """Draw a pile: as a stacked card if all its cards are identical, with a list of its cards where that is useful."""
    groups = groups_of(zone["things"])
    chosen = [group for group in groups if sight.moves_of(group.ids)]
    if full and len(groups) == 1 and zone["kind"] == "pile" and zone["owner"] is None and groups[0].size > 1:
        return _labelled(sight, zone, flow(faces(sight, groups), room))
    heap = _heap(sight, zone, groups)
    listed = groups if full and zone["owner"] is not None and zone["kind"] == "pile" else chosen
    if not listed:
        return heap
    beside = flow([chip(sight, group) for group in listed], max(min(room - heap.width - 8, 330), 150), 5, 5)
    return flow([heap, padded(beside, 0, 2)], room, 6)


def _heap(sight, zone, groups: list[Group]):
    wide, high = PILE
    count = zone["count"]
    if not count:
        body = f'<rect class="sd-under" width="{wide}" height="{high}" rx="6" stroke-dasharray="4 3"/>'
        body += text(wide / 2, high / 2 + 6, "0", 16, "sd-soft", bold=True, anchor="middle")
    elif zone["kind"] == "pile":
        body = f'<rect class="sd-under" x="3" y="3" width="{wide}" height="{high}" rx="6"/>' if count > 1 else ""
        body += f'<rect class="sd-card" width="{wide}" height="{high}" rx="6"/>'
        body += text(wide / 2, high / 2 + 6, str(count), 16, bold=True, anchor="middle")
    else:
        body = f'<rect class="sd-under" x="3" y="3" width="{wide}" height="{high}" rx="6"/>' if count > 1 else ""
        body += back(wide, high, str(count))
    known = zone.get("top", [])
    words = f"{zone['name']}: {count}"
    if known:
        words += f"; on top: {', '.join(known)}"
    if groups:
        words += "; " + ", ".join(f"{group.size} {group.name or 'face down'}" for group in groups)
    lines = wrapped(zone["name"], LABEL, 76, 3)
    room = max(wide + 3, *(width(line, LABEL) for line in lines))
    labels = "".join(
        text(room / 2, high + 14 + 12 * k, line, LABEL, "sd-soft", anchor="middle") for k, line in enumerate(lines)
    )
    svg = f'<g transform="translate({(room - wide) / 2:g} 0)">{body}</g>{labels}'
    return sight.place([zone["id"]], words, Box(room, high + 6 + 12 * len(lines), svg))
