"""The galaxy: regions as hexagons, with tiles, tokens and ships."""

import math
from collections import Counter
from typing import Any

from stardeck.viewer.boxes import Box
from stardeck.viewer.letters import colored, text, width
from stardeck.viewer.palette import SEATS
from stardeck.viewer.sight import TableView
from stardeck.viewer.signs import in_words, sign, yields

SIDE = 38.0  # of a hexagon
TEXT = 13.0  # size of letters: a map 530 wide on the screen shows them with 12 pixels
FILLS = {"planet": "sd-planet", "home world": "sd-home", "asteroid": "sd-rock", "wormhole": "sd-gate"}
SIGN = 14.0  # side of the box of a sign


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
    parts = [hexagon, text(x - 5, y - 20, str(region["number"]), TEXT, "sd-soft", anchor="middle")]
    if region["blocked"]:
        parts.append(text(x, y + 5, "×", 20, "sd-soft", anchor="middle"))
    elif tile is None:
        parts.append(text(x, y + 7, "?", 20, "sd-soft", bold=True, anchor="middle"))
    else:
        parts += _tile(tile, x, y)
    there = in_words(tile) if tile else "blocked" if region["blocked"] else "unexplored"
    label = f"region {region['number']}: {there}"
    around = f'<polygon class="sd-here" stroke-width="3.5" points="{points}"/>'
    moved = region["id"] in sight.marked
    parts.append(around if moved else "")
    found = sight.place([region["id"]], label, Box(0, 0, "".join(parts)), outline=around).svg
    return found + _token(sight, region, x, y) + _ships(sight, region, x, y)


def _tile(tile, x, y):
    """Draw what a tile yields or is, above its middle: one sign for each unit."""
    if tile in ("asteroid", "wormhole"):
        return [_sign(tile, x - 8, y - 19, 16, "sd-soft")]
    names = yields(tile)
    left = x - 6.5 * len(names) + 0.5
    return [_sign(name, left + 13 * k, y - 19, 12, "sd-ink") for k, name in enumerate(names)]


def _sign(name, x, y, side, ink):
    return f'<g transform="translate({x:g} {y:g}) scale({side / SIGN:.3g})">{sign(name, ink)}</g>'


def _token(sight, region, x, y):
    """Draw a colony, a starbase or a home world: its sign on a disc in the colour of its owner."""
    token = region["token"]
    if not token:
        return ""
    band, ink = SEATS[token["seat"]]
    shape = f'<circle fill="{band}" stroke="{ink}" r="9.5"/>' + _sign(token["name"], -6, -6, 12, ink)
    label = f"{token['name']} of player_{token['seat']}"
    ring = '<circle class="sd-here" r="12.5" stroke-width="3"/>'
    box = sight.place([token["id"]], label, Box(0, 0, shape), outline=ring)
    return f'<g transform="translate({x - 17:g} {y + 6:g})">{box.svg}</g>'


def _ships(sight, region, x, y):
    """Draw a flag for each seat and kind of ship: the sign of the kind, and their number."""
    kinds: Counter[tuple[int, str]] = Counter()
    ids: dict[tuple[int, str], list[str]] = {}
    for ship in region["ships"]:
        kinds[ship["seat"], ship["name"]] += 1
        ids.setdefault((ship["seat"], ship["name"]), []).append(ship["id"])
    parts = []
    for k, ((seat, name), count) in enumerate(sorted(kinds.items())):
        band, ink = SEATS[seat]
        words = str(count) if count > 1 else ""
        wide = 16 + (width(words, TEXT, True) + 1 if words else 0)
        flag = f'<rect fill="{band}" stroke="{ink}" stroke-width=".7" width="{wide:g}" height="16" rx="2"/>'
        flag += _sign(name, 1.5, 1, 13, ink)
        flag += colored(15, 12.8, words, TEXT, ink) if words else ""
        box = sight.place(ids[seat, name], f"{count} {name} of player_{seat}", Box(wide, 16, flag), 2)
        column, row = k % 2, k // 2
        left = x - 5 + 19 * column if region["token"] else x - 22 + 23 * column
        parts.append(f'<g transform="translate({left:g} {y - 5 + 17 * row:g})">{box.svg}</g>')
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
