"""The area of a player: name, pools, and the zones that the player owns."""

from typing import Any

from stardeck.viewer.boxes import Box, flow, framed, stacked
from stardeck.viewer.letters import colored, text, width
from stardeck.viewer.palette import SEATS
from stardeck.viewer.sight import TableView
from stardeck.viewer.signs import SIGNS, sign
from stardeck.viewer.zones import zone_box

LARGE = ("authority", "score")  # the pools that decide the game


def seat_box(sight: TableView, player: dict[str, Any], room: float, full: bool) -> Box:
    """Draw a player's area; `full` shows whole cards instead of chips."""
    seat = player["seat"]
    inner = room - 20
    zones = [zone for zone in sight.table["zones"] if zone["owner"] == seat]
    mine = sight.table["seat"] == seat
    boxes = [zone_box(sight, zone, inner, full) for zone in zones if not (mine and zone["kind"] == "hand")]
    hands = [zone_box(sight, zone, inner, True) for zone in zones if mine and zone["kind"] == "hand"]
    body = stacked([_head(sight, player, inner), flow(boxes, inner, 16, 10), *hands], 10)
    return framed(body, "sd-mine" if mine else "sd-panel", room)


def _head(sight, player, room):
    """Draw the name, marks and pools of a player."""
    boxes = [_name(sight, player), *(pill(mark) for mark in player["marks"] if mark != "turn")]
    if player["out"]:
        boxes.append(pill("out of the game"))
    return flow([*boxes, *(pool_box(sight, pool) for pool in player["pools"])], room, 8, 6)


def _name(sight, player):
    band, ink = SEATS[player["seat"]]
    words = player["name"] + (" (you)" if sight.table["seat"] == player["seat"] else "")
    turn = "turn" in player["marks"]
    wide = 36 + width(words, 14, True)
    svg = f'<circle fill="{band}" cx="15" cy="15" r="13"/>' + colored(
        15, 20, str(player["seat"]), 14, ink, anchor="middle"
    )
    svg += text(34, 20, words, 14, bold=True)
    if turn:
        svg += f'<path class="sd-here-ink" d="M{wide + 4:g} 9l10 6-10 6z"><title>has the turn</title></path>'
    return sight.place([player["id"]], words, Box(wide + (16 if turn else 0), 30, svg), 15)


def pill(words: str) -> Box:
    """Draw a word in a frame, after its sign if it has one."""
    left = 23 if words in SIGNS else 7
    wide = left + width(words, 11) + 7
    svg = f'<rect class="sd-pill" y="5" width="{wide:g}" height="20" rx="10"/>' + text(left, 19, words, 11)
    if words in SIGNS:
        svg += f'<g transform="translate(7 9) scale(.86)">{sign(words, "sd-ink")}</g>'
    return Box(wide, 30, svg)


def pool_box(sight: TableView, pool: dict[str, Any]) -> Box:
    """Draw the amount in a pool, with the sign of the pool."""
    size = 20 if pool["name"] in LARGE else 15
    amount = str(pool["amount"])
    left = 24 if pool["name"] in SIGNS else 6
    first = width(amount, size, True)
    wide = left + first + 5 + width(pool["name"], 11) + 6
    svg = f'<rect class="sd-pill" width="{wide:g}" height="30" rx="8"/>'
    if pool["name"] in SIGNS:
        svg += f'<g transform="translate(6 8)">{sign(pool["name"], "sd-ink")}</g>'
    svg += text(left, 15 + size * 0.37, amount, size, bold=True) + text(left + 5 + first, 19, pool["name"], 11)
    return sight.place([pool["id"]], f"{pool['name']} {amount}", Box(wide, 30, svg))
