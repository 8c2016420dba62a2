"""The picture of a whole table: question at the top, then the other players, the shared area, and the viewer's seat."""

from html import escape

from stardeck.kernels.errors import shown
from stardeck.viewer.boxes import EMPTY, Box, at, flow, framed, padded, stacked
from stardeck.viewer.galaxy import galaxy_box
from stardeck.viewer.letters import text, width, wrapped
from stardeck.viewer.palette import style
from stardeck.viewer.seats import pill, pool_box, seat_box
from stardeck.viewer.sight import Table, TableView
from stardeck.viewer.zones import zone_box

LEAST, MOST = 320, 4000
MARGIN = 12


def draw(table: Table, *, theme: str = "auto", width: int = 1200) -> str:
    """Draw the output of `Game.table` as an SVG element, which is a file of its own or part of a page.

    Every drawn thing with an id carries it as `data-id`. Elements with moves have the class `can` and take the focus.
    Their `data-moves` lists action numbers with spaces between them, and their label gives the moves in words. The
    picture loads nothing and runs nothing.

    Args:
        table: A table.
        theme: "light", "dark" or "auto", which follows the page (`data-theme` of its root), else the user's system.
        width: From 320 to 4000. Below 700 everything is in one column, as on a phone. The height follows from the
            content.

    Returns:
        The SVG.

    Raises:
        ValueError: The theme or the width is not allowed.
    """
    if type(width) is not int or not LEAST <= width <= MOST:
        raise ValueError(f"width={shown(width)}: must be a whole number from {LEAST} to {MOST}")
    rules = style(theme)
    sight = TableView(table, width)
    body = stacked(_parts(sight, width - 2 * MARGIN), 10)
    high = round(body.height + 2 * MARGIN)
    words = escape(f"{table['variant']}: {table['turn']['words']}")
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" class="sd" viewBox="0 0 {width} {high}" width="{width}"'
        f' height="{high}" role="group" aria-label="{words}"><style>{rules}</style>'
        f'<rect class="sd-board" width="{width}" height="{high}"/>{at(MARGIN, MARGIN, body)}</svg>'
    )


def draw_map(table: Table, *, theme: str = "auto") -> str:
    """Draw the map of a table alone, as an SVG element with the attributes of `draw`.

    Args:
        table: A table with a map.
        theme: As for `draw`.

    Returns:
        The SVG.
    """
    body = galaxy_box(TableView(table, MOST), MOST)
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" class="sd" viewBox="0 0 {body.width:g} {body.height:g}" role="group"'
        f' aria-label="galaxy"><style>{style(theme)}</style>{body.svg}</svg>'
    )


def _parts(sight, room):
    players = sight.table["players"]
    mine = sight.table["seat"]
    begin = 0 if mine is None else mine + 1
    others = [players[(begin + k) % len(players)] for k in range(len(players))]
    own = [others.pop()] if mine is not None else []
    yield _head(sight, room)
    yield _others(sight, others, room)
    yield _middle(sight, room)
    for player in own:
        yield seat_box(sight, player, room, True)


def _head(sight, room):
    """Draw the bar with the turn and the result, and the question to a player."""
    table = sight.table
    lines = [(line, "sd-bar-ink", True) for line in wrapped(table["turn"]["words"], 15, room - 28, 3, True)]
    if table["over"] and table["over"]["words"] != table["turn"]["words"]:
        lines.append((table["over"]["words"], "sd-bar-ink", True))
    bar = "".join(text(14, 21 + 20 * k, words, 15, name, bold=bold) for k, (words, name, bold) in enumerate(lines))
    variant = table["variant"]
    if not sight.small and width(variant, 11) + width(lines[0][0], 15, True) + 50 < room:
        bar += text(room - 14, 20, variant, 11, "sd-bar-soft", anchor="end")
    high = 12 + 20 * len(lines)
    head = Box(room, high, f'<rect class="sd-bar" width="{room:g}" height="{high:g}" rx="10"/>{bar}')
    return stacked([head, _question(table, room)], 6)


def _question(table, room):
    question = table["question"]
    if not question:
        return EMPTY
    asked = "you are" if question["seat"] == table["seat"] else f"player_{question['seat']} is"
    lines = wrapped(f"{asked} asked: {question['words']}", 13, room - 28, bold=True)
    words = "".join(text(14, 20 + 18 * k, line, 13, bold=True) for k, line in enumerate(lines))
    high = 12 + 18 * len(lines)
    return Box(room, high, f'<rect class="sd-ask" width="{room:g}" height="{high:g}" rx="10"/>{words}')


def _others(sight, players, room):
    """Draw the other players: in one column with all their cards, or in columns in short form."""
    full = len(players) <= 2 and not sight.table["map"] and not sight.small
    columns = 1 if sight.small or full or len(players) == 1 else 2 if len(players) in (2, 4) else 3
    wide = (room - 10 * (columns - 1)) / columns
    return flow([seat_box(sight, player, wide, full) for player in players], room + 1, 10)


def _middle(sight, room):
    """Draw the shared area: the Boss, the galaxy, rows and piles, notes."""
    zones = [zone for zone in sight.table["zones"] if zone["owner"] is None]
    beside = room if sight.small or not sight.table["map"] else room / 2 - 5
    boxes = [_boss(sight), *_told(sight, beside)]
    if not sight.table["map"]:
        rows = flow([zone_box(sight, zone, room) for zone in zones], room, 18, 10)
        return stacked([*boxes, rows], 10)
    galaxy = galaxy_box(sight, beside)
    boxes += [flow([zone_box(sight, zone, beside, False) for zone in zones], beside, 14, 10)]
    return flow([galaxy, stacked(boxes, 10)], room + 1, 10)


def _boss(sight):
    boss = sight.table["boss"]
    if not boss:
        return EMPTY
    name = Box(width(boss["name"], 15, True) + 4, 30, text(0, 20, boss["name"], 15, bold=True))
    clicked = sight.place([boss["id"]], boss["name"], padded(name, 4, 0))
    pools = [pool_box(sight, pool) for pool in boss["pools"]]
    return framed(flow([clicked, *pools, pill(boss["words"])], sight.wide - 50, 10, 6), "sd-panel")


def _told(sight, room):
    """Draw the battle, the campaign and other public notes in words."""
    table = sight.table
    if battle := table["battle"]:
        yield _words(battle["name"], battle["words"], room, "sd-ask")
    if campaign := table["campaign"]:
        yield _words(f"campaign: {campaign['name']}", campaign["words"], room, "sd-panel")
    for note in table["notes"]:
        yield _words(note["name"], note["words"], room, "sd-panel")


def _words(name, words, room, frame):
    lines = wrapped(f"{name}: {words}", 11.5, room - 20)
    body = Box(room - 20, 15.0 * len(lines), "".join(text(0, 11 + 15 * k, line, 11.5) for k, line in enumerate(lines)))
    return framed(body, frame, room, 8)
