"""The table as text for people: a map of the galaxy and all zones, as one seat sees them.

Most words come from positions.py; this module leaves out what a seat must not know.
"""

from collections import Counter

from stardeck.kernels.empire_of_the_stars.rules import TileKind
from stardeck.kernels.empire_of_the_stars.state import (
    COSTS,
    HOME_WORLD,
    NO_TILE,
    NOBODY,
    NOTHING,
    REGIONS,
    SECTORS,
    Resource,
    Side,
    Step,
)
from stardeck.kernels.empire_of_the_stars.text import visibility
from stardeck.kernels.empire_of_the_stars.text.positions import (
    SET_UP_STEPS,
    position,
    scores,
    ships_on,
    step_word,
)
from stardeck.kernels.empire_of_the_stars.text.words import moves, question, seat_name, token_owner, word
from stardeck.kernels.text.lines import counted, labelled

CELL = 11  # columns of a region on the map with its left edge; odd rows of the lattice are shifted right by half of it
ROW = 3  # lines of a region with its upper edge
# The edges of a region: neighbour (q, r), lines down, first and last half of the cell.
EDGES = (
    ((0, -1), 0, 0, 1),
    ((1, -1), 0, 1, 2),
    ((-1, 1), ROW, 0, 1),
    ((0, 1), ROW, 1, 2),
    ((-1, 0), 0, 0, 0),
    ((1, 0), 0, 2, 2),
)
TILE_MARKS = {TileKind.EMPTY: "..", TileKind.ASTEROID: "**", TileKind.WORMHOLE: "()"}
LEGEND = (
    "number, tile, token, below it ships by owner (0:fcd fighter, cruiser, dreadnought). PPM planet by its yields,"
    " ** asteroid, () wormhole, .. empty, ## blocked, blank unexplored; 0C colony, 0B starbase, HOME 0 of player_0."
    " Solid edges: sector = number // 4"
)
# Public data of a role in progress, in the keys of a position.
PROGRESS = (
    "effect", "ship", "tile_in_hand", "last_placed", "market_tile", "used", "surging", "owed", "sold", "bought",
    "favoured", "invested", "free_ships", "drawn", "purchases", "buyers", "moved", "fought", "influence_sold",
    "placed_influence",
)  # fmt: skip


def _words(value):
    """Return a value of a position in words, without empty values."""
    if isinstance(value, dict):
        return ", ".join(f"{key} {_inner(each)}" for key, each in value.items() if each or each == 0)
    if isinstance(value, list):
        return counted(map(str, value)) if value else ""
    return str(value)


def _inner(value):
    return f"({_words(value)})" if isinstance(value, dict | list) else str(value)


def progress_words(table) -> str:
    """Return the public data of a role in progress in words. table: the position."""
    return _keyed(table, PROGRESS)


def _keyed(entry, keys):
    """Return values of a position after their keys, without empty values."""
    texts = {key: _words(entry[key]) for key in keys if key in entry}
    return "; ".join(f"{key.replace('_', ' ')}: {text}" for key, text in texts.items() if text)


# The map


def _column(halves):
    """Return the column of the map after this number of half cells."""
    return halves * CELL // 2


def sector_of(region) -> int:
    """Return the sector of a region."""
    return region * SECTORS // REGIONS


def _tile_mark(variant, state, region):
    tile = int(state["tiles"][region])
    if tile == HOME_WORLD:
        return "HOME"
    if tile == NO_TILE:
        return "##" if sector_of(region) in (variant.settings["block"] or ()) else ""
    kind, yields = variant.content.tiles[tile].kind, variant.content.tiles[tile].yields
    return TILE_MARKS.get(kind) or "".join(resource.name[0] * yields[resource] for resource in Resource)


def _token_mark(variant, state, region):
    if region in state["players"]["home"]:
        return str(state["players"]["home"].tolist().index(region))
    owner = token_owner(variant, state, region)
    if owner == NOTHING:
        return ""
    return f"{owner}{'B' if int(state['players'][owner]['starbases']) >> region & 1 else 'C'}"


def _ship_marks(variant, state, region):
    """Return the ships of a region by owner, without a space if there are three owners."""
    fleets = [ships_on(state["players"][seat]["fleet"], region) for seat in range(variant.players)]
    marks = [f"{seat}:{''.join(ship[0] for ship in ships)}" for seat, ships in enumerate(fleets) if ships]
    return ("" if len(marks) > 2 else " ").join(marks)


def _draw_edges(canvas, lattice, place, halves, line):
    """Draw the edges of a region, dotted between regions of one sector."""
    q, r = place
    for (dq, dr), down, first, last in EDGES:
        neighbour = lattice.get((q + dq, r + dr))
        inside = neighbour is not None and sector_of(neighbour) == sector_of(lattice[place])
        left, right = _column(halves + first), _column(halves + last)
        if left == right:
            for below in range(1, ROW):
                canvas[line + below][left] = ":" if inside else "|"
        else:
            canvas[line + down][left + 1 : right] = ("." if inside else "-") * (right - left - 1)
            for corner in (left, right):
                if canvas[line + down][corner] != "+":
                    canvas[line + down][corner] = "." if inside else "+"


def _map(variant, state):
    """Return the map, with each row of regions half a cell to the right of the row above."""
    lattice = {(row["q"], row["r"]): region for region, row in enumerate(variant.content.regions)}
    left, top = min(2 * q + r for q, r in lattice), min(r for _, r in lattice)
    height = ROW * (max(r for _, r in lattice) - top + 1) + 1
    canvas = [[" "] * (_column(max(2 * q + r for q, r in lattice) - left + 2) + 1) for _ in range(height)]
    for (q, r), region in lattice.items():
        halves, line = 2 * q + r - left, ROW * (r - top)
        marks = f"{region} {_tile_mark(variant, state, region)} {_token_mark(variant, state, region)}"
        for down, text in ((1, marks), (2, _ship_marks(variant, state, region))):
            start = _column(halves) + 2
            canvas[line + down][start : start + CELL - 2] = text[: CELL - 2].ljust(CELL - 2)
        _draw_edges(canvas, lattice, (q, r), halves, line)
    return ["".join(row).rstrip() for row in canvas]


# Zones off the map


def _roles(variant, table):
    names = [role.name for role in variant.content.roles]
    marks = {name: " (Monolith)" for name in names if name == table["monolith"]}
    return ", ".join(f"{name}{marks.get(name, '')} {table['role_credits'].get(name, '')}".rstrip() for name in names)


def _market(variant, table):
    flipped = table["flipped"]
    tiles = [
        row["name"] + (f" flipped (credits {row['credits']})" if row["name"] in flipped else "")
        for row in variant.content.market
    ]
    prices = variant.content.prices[len(flipped)]
    return f"{', '.join(tiles)}; prices: {', '.join(f'{word(each)} {prices[each]}' for each in Resource)}"


def _technology_piles(table):
    """Return the top card and the number of cards of each discard pile and deck."""
    piles = []
    for cost in range(1, COSTS + 1):
        deck, discards = table["tech_decks"][cost], table["tech_discards"][cost]
        top = f", on top {discards[0]}" if discards else ""
        piles.append(f"cost {cost}: deck {len(deck)}, discards {len(discards)}{top}")
    return "; ".join(piles)


def _common(variant, table, begun):
    """Return the common zones. begun: True after the set-up; before it there is no Emperor."""
    far = [f"{place} ({cost}) {table['far_space'][place]}" for place, cost in enumerate(variant.content.far_space)]
    lines = labelled("roles", _roles(variant, table))
    lines += labelled("market", _market(variant, table))
    lines += labelled("far space", "; ".join(far))
    lines += labelled("display", f"{counted(table['display'])}; {len(table['tile_stack'])} tiles in the stack")
    lines += labelled("cards", _technology_piles(table))
    emperor = f"; Emperor {table['emperor']}" if begun else ""
    return lines + labelled("edict", f"{table['edict']}{emperor}; {table['galaxy_supply']} galaxy tokens in the supply")


def _plan(plan, shown):
    """Return the plan of a side in words. shown: the visible parts."""
    return _words(shown) + (", face down" if shown else "face down") * (len(plan) > len(shown))


def battle_words(battle, shown) -> str:
    """Return a battle in words. battle: from a position; shown: the visible parts of the plans, by side."""
    plans = {word(side): f"({_plan(battle['plans'][word(side)], shown[side])})" for side in Side}
    told = battle | {"plans": {side: plan for side, plan in plans.items() if battle["plans"][side]}}
    return _keyed(told, [key for key in told if key != "asked"])


# Players


def _hand(variant, player, own):
    """Return the cards of a hand; for other hands only the backs, which show the cost."""
    names = visibility.hand(variant, player, own)
    if names is not None:
        return ", ".join(names)
    return ", ".join(f"{count} of cost {cost}" for cost, count in Counter(visibility.backs(variant, player)).items())


def _power(state, entry, own):
    """Return the power and its active side; during the choice its owner also sees the powers dealt."""
    chosen, choice = visibility.power(state, entry, own), visibility.dealt(state, entry, own)
    if choice is not None:
        return f"{chosen or 'not chosen'}, dealt {', '.join(choice)}"
    return f"{chosen} ({power_side(entry)})" if chosen else "not chosen"


def power_side(entry) -> str:
    """Return the side of a power that is up. entry: from a position."""
    return f"{'surge' if entry['surged'] else 'core'} side"


def ranks(state, table, name) -> list[str]:
    """Return scepter and Emperor of a player in words. table: the position."""
    if state["step"] in SET_UP_STEPS:
        return []
    return [mark for mark, holder in (("scepter", "scepter"), ("Emperor", "emperor")) if table[holder] == name]


def _player(variant, state, table, seat, viewer):
    name, own = seat_name(seat), visibility.is_own(seat, viewer)
    entry = table["players"][name]
    marks = ["you"] * (seat == viewer) + ranks(state, table, name)
    title = f"{name} ({', '.join(marks)})" if marks else name
    turn = "  << to move" if seat == state["to_act"] else ""
    lines = [f"{title}  score {scores(variant, state)[name]}{turn}"]
    goods = [f"{word(resource)} {entry[resource.name[0]]}" for resource in Resource]
    goods += [
        f"{key} {entry[key]}"
        for key in ("credits", "tokens", "throne", "influence")
        if entry[key] or key != "influence"
    ]
    lines += labelled("has", ", ".join(goods))
    if variant.settings["powers"]:
        lines += labelled("power", _power(state, entry, own))
    if entry["staging"]:
        lines += labelled("staging", counted(entry["staging"]))
    if entry["technologies"]:
        lines += labelled("tech", ", ".join(entry["technologies"]))
    return lines + labelled("hand", _hand(variant, state["players"][seat], own))


# The whole table


def _folded(texts):
    """Return moves as one text; moves that differ only in their last number are merged: "home 8 9 10"."""
    numbers = {}
    for text in texts:
        head, _, last = text.rpartition(" ")
        if last.isdigit():
            numbers.setdefault(head, []).append(last)
        else:
            numbers[text] = []
    return "; ".join(" ".join([head, *ends]) for head, ends in numbers.items())


def _result(variant, state):
    winners = [seat_name(seat) for seat in range(variant.players) if state["placement"][seat] == 1]
    if state["truncated"]:
        return "game over, truncated"
    scored_late = variant.settings["at_limit"] == "score" and state["turn"] >= variant.settings["max_turns"]
    over = "game over at the limit" if scored_late else "game over"
    return f"{over}, {' and '.join(winners)} won with {scores(variant, state)[winners[0]]}"


def where_it_stands(variant, state, table) -> str:
    """Return turn, role and step, or the result of the game. table: the position."""
    turn = f"Turn {table.get('turn_number', 0)}: "
    if state["to_act"] == NOBODY:
        return turn + _result(variant, state)
    who = f"step {step_word(state['step'])}, {seat_name(state['to_act'])} decides"
    if state["step"] in SET_UP_STEPS:
        return f"Set-up: {who}"
    left = f" ({table['roles_left']} roles left)" if table["roles_left"] > 1 else ""
    return f"{turn}{table['role'] or 'next role'} of {table['scepter']}{left}, {who}"


def render(variant, states, viewer=None) -> str:
    """Return the table as `viewer` may see it; None sees everything. states: array of one row."""
    state = states[0]
    table = position(variant, state)
    lines = [where_it_stands(variant, state, table), *_map(variant, state), *labelled("map", LEGEND)]
    lines += _common(variant, table, state["step"] not in SET_UP_STEPS)
    if progress := progress_words(table):
        lines += labelled("so far", progress)
    if "battle" in table:
        battle = table["battle"]
        lines += labelled("battle", battle_words(battle, visibility.plans(variant, states, battle, viewer)))
    for seat in range(variant.players):
        lines += _player(variant, state, table, seat, viewer)
    if state["to_act"] != NOBODY:
        lines.append(f"{seat_name(state['to_act'])} to move ({question(state).asked})")
        if viewer in (None, state["to_act"]):
            lines += labelled("moves", _folded(moves(variant, states)))
    return "\n".join(lines)


def headline(variant, states, names, viewer=None, told=False) -> str:
    """Return the choice of a role or the end of a game: scores and tokens left by seat. names: agents by seat."""
    state = states[0]
    table = position(variant, state)
    points = " : ".join(map(str, scores(variant, state).values()))
    if state["to_act"] == NOBODY:
        return f"Turn {table['turn_number']}  [{points}]  {_result(variant, state)}"
    tokens = " : ".join(str(player["tokens"]) for player in table["players"].values())
    if state["step"] in SET_UP_STEPS:
        return "Set-up  " + ", ".join(f"{seat_name(seat)} ({name})" for seat, name in enumerate(names))
    chooser = f"{table['scepter']} ({names[state['scepter']]})"
    if state["step"] == Step.CHOOSE_ROLE:
        number, what = table.get("turn_number", 0) + 1, f"{chooser} chooses a role"
    else:
        number, what = table.get("turn_number", 0), f"{table['role']} of {chooser}"
    return f"Turn {number}  [{points}]  tokens {tokens}  {what}"
