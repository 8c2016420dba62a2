"""The galaxy: regions as hexagons, with tiles, tokens and ships."""

import math
from collections import Counter
from typing import Any

from stardeck.viewer.boxes import Box
from stardeck.viewer.letters import colored, text, width
from stardeck.viewer.palette import SEATS
from stardeck.viewer.sight import TableView

SIDE = 38.0  # of a hexagon
TEXT = 13.0  # size of letters: a map 530 wide on the screen shows them with 12 pixels
FILLS = {"planet": "sd-planet", "home world": "sd-home", "asteroid": "sd-rock", "wormhole": "sd-gate"}
LETTERS = {"colony": "C", "starbase": "S", "home world": "H"}


def galaxy_box(sight: TableView, room: float) -> Box:
    """Draw the whole map, scaled to the available width."""
    galaxy = sight.table["map"]
    places = {region["id"]: _middle(region) for region in galaxy["regions"]}
    left = min(x for x, _ in places.values()) - SIDE
    top = min(y for _, y in places.values()) - SIDE - 4
    wide = max(x for x, _ in places.values()) + SIDE - left
    high = max(y for _, y in places.values()) + SIDE + 4 - top
    parts = [_region(sight, region, *places[region["id"]]) for region in galaxy["regions"]]
    parts += [_border(sector, galaxy["regions"], places) for sector in galaxy["sectors"]]
    parts += [_sector(sight, sector, places) for sector in galaxy["sectors"]]
    scale = min(1.0, room / wide)
    svg = f'<g transform="scale({scale:.4g}) translate({-left:g} {-top:g})">{"".join(parts)}</g>'
    return Box(wide * scale, high * scale, svg)


def _middle(region: dict[str, Any]) -> tuple[float, float]:
    q, r = region["q"], region["r"]
    return math.sqrt(3) * SIDE * (q + r / 2), 1.5 * SIDE * r


def _corners(x, y, side) -> list[tuple[float, float]]:
    angles = [math.radians(60 * k - 90) for k in range(6)]
    return [(round(x + side * math.cos(angle), 1), round(y + side * math.sin(angle), 1)) for angle in angles]


def _region(sight, region, x, y):
    tile = region["tile"]
    name = FILLS.get("planet" if (tile or "").startswith("planet") else tile or "", "sd-space")
    points = " ".join(f"{a:g},{b:g}" for a, b in _corners(x, y, SIDE - 1.5))
    hexagon = f'<polygon class="{"sd-unknown" if tile is None else name}" points="{points}"/>'
    parts = [hexagon, text(x, y - 20, str(region["number"]), TEXT, "sd-soft", anchor="middle")]
    if region["blocked"]:
        parts.append(text(x, y + 5, "×", 20, "sd-soft", anchor="middle"))
    elif tile is None:
        parts.append(text(x, y + 7, "?", 20, "sd-soft", bold=True, anchor="middle"))
    else:
        parts += _tile(tile, x, y)
    label = f"region {region['number']}: {tile or ('blocked' if region['blocked'] else 'unexplored')}"
    around = f'<polygon class="sd-here" stroke-width="3.5" points="{points}"/>'
    moved = region["id"] in sight.marked
    parts.append(around if moved else "")
    found = sight.place([region["id"]], label, Box(0, 0, "".join(parts)), outline=around).svg
    return found + _token(sight, region, x, y) + _ships(sight, region, x, y)


def _tile(tile, x, y):
    kind, _, yields = tile.partition(" ")
    if kind == "planet":
        return [text(x, y - 6, yields, TEXT, bold=True, anchor="middle")]
    if tile in ("asteroid", "wormhole"):
        return [text(x, y - 6, tile, TEXT, "sd-soft", anchor="middle")]
    return []


def _token(sight, region, x, y):
    token = region["token"]
    if not token:
        return ""
    band, ink = SEATS[token["seat"]]
    shape = f'<circle fill="{band}" stroke="{ink}" cx="0" cy="0" r="9.5"/>'
    if token["name"] == "starbase":
        shape = f'<rect fill="{band}" stroke="{ink}" x="-9" y="-9" width="18" height="18"/>'
    elif token["name"] == "home world":
        shape = f'<path fill="{band}" stroke="{ink}" d="M0-12 10.5-3.5V9h-21V-3.5z"/>'
    letter = LETTERS.get(token["name"], token["name"][:1].upper())
    words = colored(0, 4.7, letter, TEXT, ink, anchor="middle")
    label = f"{token['name']} of player_{token['seat']}"
    ring = '<circle class="sd-here" r="13" stroke-width="3"/>'
    box = sight.place([token["id"]], label, Box(0, 0, shape + words), outline=ring)
    return f'<g transform="translate({x - 18:g} {y + 7:g})">{box.svg}</g>'


def _ships(sight, region, x, y):
    """Draw a flag for each seat and kind of ship, with their number and the first letter of the kind."""
    kinds: Counter[tuple[int, str]] = Counter()
    ids: dict[tuple[int, str], list[str]] = {}
    for ship in region["ships"]:
        kinds[ship["seat"], ship["name"]] += 1
        ids.setdefault((ship["seat"], ship["name"]), []).append(ship["id"])
    parts = []
    for k, ((seat, name), count) in enumerate(sorted(kinds.items())):
        band, ink = SEATS[seat]
        words = f"{count if count > 1 else ''}{name[:1].upper()}"
        wide = width(words, TEXT, True) + 10
        shape = f"M0 0H{wide - 5:g}L{wide:g} 8.5 {wide - 5:g} 17H0z"
        flag = f'<path fill="{band}" stroke="{ink}" stroke-width=".7" d="{shape}"/>'
        flag += colored((wide - 3) / 2, 13.2, words, TEXT, ink, anchor="middle")
        box = sight.place(ids[seat, name], f"{count} {name} of player_{seat}", Box(wide, 17, flag), 2)
        column, row = k % 2, k // 2
        left = x - 7 + 20 * column if region["token"] else x - 23 + 25 * column
        parts.append(f'<g transform="translate({left:g} {y - 2 + 18 * row:g})">{box.svg}</g>')
    return "".join(parts)


def _border(sector: dict[str, Any], regions: list[dict[str, Any]], places: dict[str, tuple[float, float]]) -> str:
    """Draw the edge of a sector: the sides that belong to only one of its hexagons."""
    lines: dict[frozenset[tuple[int, int]], list[str]] = {}
    for region in regions:
        if region["sector"] != sector["number"]:
            continue
        x, y = places[region["id"]]
        corners = _corners(x, y, SIDE)
        for a, b in zip(corners, corners[1:] + corners[:1], strict=True):
            ends = frozenset((round(end[0] / 3), round(end[1] / 3)) for end in (a, b))  # the same for both neighbours
            lines.setdefault(ends, []).append(f"M{a[0]:g} {a[1]:g}L{b[0]:g} {b[1]:g}")
    path = "".join(found[0] for found in lines.values() if len(found) == 1)
    return f'<path class="sd-sector" stroke-width="2.5" d="{path}"/>'


def _sector(sight, sector, places):
    """Draw the number of a sector in its middle."""
    if not sector["regions"]:
        return ""
    x = sum(places[region][0] for region in sector["regions"]) / len(sector["regions"])
    y = sum(places[region][1] for region in sector["regions"]) / len(sector["regions"])
    words = str(sector["number"])
    wide = width(words, TEXT, True) + 12
    svg = f'<rect class="sd-bar" width="{wide:g}" height="18" rx="9"/>'
    svg += text(wide / 2, 13.7, words, TEXT, "sd-bar-ink", bold=True, anchor="middle")
    box = sight.place([sector["id"]], f"sector {words}", Box(wide, 18, svg), 9)
    return f'<g transform="translate({x - wide / 2:g} {y - 9:g})">{box.svg}</g>'
