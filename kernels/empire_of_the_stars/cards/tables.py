"""The tables of the game: board, exploration tiles, market, edicts, player powers, technologies.

Most of this content was never published in a readable form: the tables are a labelled reconstruction. A file for the
setting `tables` replaces whole tables: its section `[tiles]` replaces `tiles.toml`, and so on.
"""

from dataclasses import dataclass
from functools import cache
from pathlib import Path

import numpy as np

from stardeck.kernels.contract.card_tables import Row, TableError, named_rows, read_table
from stardeck.kernels.empire_of_the_stars.cards.vocabulary import Effect, read_effect
from stardeck.kernels.empire_of_the_stars.operations import Counted, Goods, Manner, Op, Price
from stardeck.kernels.empire_of_the_stars.rules import (
    EDICT_LIMIT,
    EFFECTS_ON_SIDE,
    FIRST_HAND,
    POWER_LIMIT,
    VALUES,
    TileKind,
)
from stardeck.kernels.empire_of_the_stars.state import (
    COSTS,
    FAR_SPACE,
    FAVOUR_LIMIT,
    MARKET_TILES,
    MAX_SEATS,
    NOTHING,
    PILE_LIMIT,
    REGIONS,
    SECTORS,
    STACK_LIMIT,
    TECHNOLOGY_LIMIT,
    TILE_LIMIT,
    Resource,
    Role,
    Ship,
)
from stardeck.kernels.errors import shown

RECONSTRUCTED = "reconstructed"
SECTIONS = ("board", "tiles", "market", "edicts", "powers", "technologies")
RESOURCES = tuple(resource.name.lower() for resource in Resource)
SHIPS = tuple(ship.name.lower() for ship in Ship)
TYPES = {"Science & Culture": Resource.POLYMER, "Industry": Resource.METAL, "Military": Resource.ENERGY}
LEADERS = tuple(counted.name.lower() for counted in Counted if counted <= Counted.STARBASES)
FOLLOWS = "highest among opponents"
# Printed numbers: cost, supply, movement, strength, hits to destroy. (Rulebook: Engineer, Player Components, Warlord)
SHIP_NUMBERS = {
    Ship.FIGHTER: ((1, 1, 0), 8, 4, 1, 1),
    Ship.CRUISER: ((2, 2, 1), 4, 3, 3, 2),
    Ship.DREADNOUGHT: ((3, 3, 2), 2, 2, 6, 3),
}
MOST = 99


@dataclass(frozen=True)
class Tile:
    """One kind of exploration tile. yields: polymers, metals, energy."""

    name: str
    kind: TileKind
    yields: tuple[int, ...]
    copies: int
    first_planet: bool


@dataclass(frozen=True)
class Power:
    """A player power. start: polymers, metals, energy, credits; None: the highest amount among the opponents."""

    name: str
    number: int
    start: tuple[int, ...] | None
    ships: tuple[str, ...]
    core: tuple[Effect, ...]
    surge: tuple[Effect, ...]


@dataclass(frozen=True)
class Technology:
    """A technology. type: the resource that pays for it."""

    name: str
    type: Resource
    cost: int
    effects: tuple[Effect, ...]


@dataclass(frozen=True)
class Tables:
    """All tables of a variant."""

    roles: tuple[Role, ...]  # round the circle
    sectors: tuple[dict, ...]
    regions: tuple[dict, ...]
    blocks: tuple[tuple[int, ...], ...]
    far_space: tuple[int, ...]
    track: int
    tiles: tuple[Tile, ...]
    market: tuple[dict, ...]
    prices: tuple[tuple[int, ...], ...]
    edicts: tuple[dict, ...]
    powers: tuple[Power, ...]
    technologies: tuple[Technology, ...]
    reconstructed: bool

    def names(self, with_powers) -> list[str]:
        """Return the names of cards in actions; powers come first, if they are in play."""
        powers = [power.name for power in self.powers] if with_powers else []
        return powers + [technology.name for technology in self.technologies]


def _whole(value, low, high, where):
    if not isinstance(value, int) or isinstance(value, bool) or not low <= value <= high:
        raise TableError(f"{where}: {shown(value)}: must be a whole number from {low} to {high}")
    return value


def _listed(table, key, length, path):
    value = table.get(key)
    if not isinstance(value, list) or (length is not None and len(value) != length):
        raise TableError(f"{path}: {key} must be a list" + ("" if length is None else f" of {length}"))
    return value


def _rows(table, key, length, path):
    """Return rows without names, in order."""
    for number, values in enumerate(listed := _listed(table, key, length, path)):
        if not isinstance(values, dict):
            raise TableError(f"{path}: {key[:-1]} {number}: must be a table of keys and values")
    return [Row(values, f"{path}: {key[:-1]} {number}") for number, values in enumerate(listed)]


def _is_block(block):
    """Return True if a value names four sectors."""
    return (
        isinstance(block, list)
        and all(type(sector) is int for sector in block)
        and len(set(block)) == len(block) == 4
        and set(block) <= set(range(SECTORS))
    )


def _read_board(table, path):
    roles = _listed(table, "roles", len(Role), path)
    if sorted(map(str, roles)) != sorted(role.name for role in Role):
        raise TableError(f"{path}: roles must name each of {', '.join(role.name for role in Role)} once")
    sectors = _rows(table, "sectors", SECTORS, path)
    regions = _rows(table, "regions", REGIONS, path)
    for number, row in enumerate(sectors):
        if row.get("regions") != list(range(4 * number, 4 * number + 4)):
            row.complain(f"regions must be {list(range(4 * number, 4 * number + 4))}")
    for number, row in enumerate(regions):
        neighbours = row.get("next_to")
        if not isinstance(neighbours, list) or not neighbours:
            row.complain("next_to must be a list of regions")
        row.number("q", -MOST, MOST)
        row.number("r", -MOST, MOST)
        for other in neighbours:
            _whole(other, 0, REGIONS - 1, f"{path}: region {number}: next_to")
            if number not in _listed(regions[other], "next_to", None, regions[other].where):
                row.complain(f"next_to {other}, but {other} is not next to {number}")
    blocks = _listed(table, "blocks", None, path)
    if not blocks or not all(map(_is_block, blocks)):
        raise TableError(f"{path}: blocks must be lists of four sectors")
    costs = tuple(_whole(cost, 1, MOST, f"{path}: far_space") for cost in _listed(table, "far_space", FAR_SPACE, path))
    return {
        "roles": tuple(Role[role] for role in roles),
        "sectors": tuple(sectors),
        "regions": tuple(regions),
        "blocks": tuple(map(tuple, blocks)),
        "far_space": costs,
        "track": _whole(table.get("track"), 1, MOST, f"{path}: track"),
    }


def _read_tiles(table, path):
    tiles = []
    for row in named_rows(table, "tiles", path):
        row.only(("name", "kind", *RESOURCES, "copies", "first_planet", "reconstructed", "source"))
        kind = TileKind[row.one_of("kind", tuple(kind.name.lower() for kind in TileKind)).upper()]
        yields = tuple(row.number(name, 0, 9, default=0) if name in row else 0 for name in RESOURCES)
        if any(yields) and kind != TileKind.PLANET:
            row.complain("only a planet yields resources")
        copies = row.number("copies", 1, STACK_LIMIT)
        tiles.append(Tile(row["name"], kind, yields, copies, row.get("first_planet", False) is True))
    _check_tiles(tiles, path)
    return {"tiles": tuple(tiles)}


def _check_tiles(tiles, path):
    """There is one first planet, a row for each kind without planets, and room for all."""
    first = [tile for tile in tiles if tile.first_planet]
    if len(first) != 1 or first[0].kind != TileKind.PLANET or first[0].copies < MAX_SEATS:
        raise TableError(f"{path}: one planet with at least {MAX_SEATS} copies must be the first_planet")
    for kind in (TileKind.WORMHOLE, TileKind.EMPTY):
        if sum(tile.kind == kind for tile in tiles) > 1:
            raise TableError(f"{path}: {kind.name.lower()} tiles must be in one row")
    if len(tiles) > TILE_LIMIT or sum(tile.copies for tile in tiles) > STACK_LIMIT:
        raise TableError(f"{path}: at most {TILE_LIMIT} kinds and {STACK_LIMIT} tiles")


def _read_market(table, path):
    tiles = []
    letters = {name[0].upper(): name for name in RESOURCES}
    for row in named_rows(table, "tiles", path):
        row.only(("name", "credits", "reconstructed", "source"))
        if not set(row["name"]) <= set(letters) or len(set(row["name"])) != len(row["name"]):
            row.complain(f"name must be made of the letters {', '.join(letters)}")
        resources = tuple(int(letter in row["name"]) for letter in letters)
        tiles.append({"name": row["name"], "resources": resources, "credits": row.number("credits", 0, MOST)})
    if len(tiles) != MARKET_TILES:
        raise TableError(f"{path}: tiles must be {MARKET_TILES}")
    prices = []
    for number, values in enumerate(_listed(table, "prices", MARKET_TILES + 1, path)):
        row = Row(values, f"{path}: prices with {number} tiles flipped")
        prices.append(tuple(row.number(name, 1, MOST) for name in RESOURCES))
    return {"market": tuple(tiles), "prices": tuple(prices)}


def _read_edicts(table, path):
    rows = named_rows(table, "edicts", path)
    if len(rows) > EDICT_LIMIT:
        raise TableError(f"{path}: at most {EDICT_LIMIT} edicts")
    edicts = tuple({"name": row["name"], "leader": Counted[row.one_of("leader", LEADERS).upper()]} for row in rows)
    if edicts[0]["leader"] != Counted.NOBODY:
        raise TableError(f"{path}: the first edict is in effect at the start and must have no leader")
    return {"edicts": edicts}


def _effects(row, key):
    effects = tuple(read_effect(row, text) for text in row.words(key))
    if not 1 <= len(effects) <= EFFECTS_ON_SIDE:
        row.complain(f"{key}: must be 1 to {EFFECTS_ON_SIDE} effects")
    return effects


def _read_powers(table, path):
    powers = []
    for row in named_rows(table, "powers", path):
        row.only(("name", "number", "start", "ships", "core", "surge", "reconstructed", "source"))
        start = row.get("start")
        if start != FOLLOWS:
            if not isinstance(start, list) or len(start) != len(RESOURCES) + 1:
                row.complain(f"start = {shown(start)}: must be [polymers, metals, energy, credits] or {FOLLOWS!r}")
            start = tuple(_whole(amount, 0, MOST, f"{row.where}: start") for amount in start)
        ships = tuple(row.words("ships"))
        if not set(ships) <= set(SHIPS) or len(ships) > 3:
            row.complain(f"ships = {list(ships)}: must be up to three of {', '.join(SHIPS)}")
        number = row.number("number", 1, MOST)
        core, surge = _effects(row, "core"), _effects(row, "surge")
        powers.append(Power(row["name"], number, None if start == FOLLOWS else start, ships, core, surge))
    numbers = [power.number for power in powers]
    if numbers != sorted(set(numbers)):
        raise TableError(f"{path}: the numbers of powers must ascend")
    if not FIRST_HAND * MAX_SEATS <= len(powers) <= POWER_LIMIT:
        raise TableError(f"{path}: {len(powers)} powers: must be {FIRST_HAND * MAX_SEATS} to {POWER_LIMIT}")
    return {"powers": tuple(powers)}


def _read_technologies(table, path):
    technologies = []
    for row in named_rows(table, "technologies", path):
        row.only(("name", "type", "cost", "effects", "reconstructed", "source"))
        effects = _effects(row, "effects")
        if sum(effect.manner == Manner.ASKING for effect in effects) > 1:
            row.complain("effects: at most one may offer a choice")
        paid_with = TYPES[row.one_of("type", tuple(TYPES))]
        technologies.append(Technology(row["name"], paid_with, row.number("cost", 1, COSTS), effects))
    for cost in range(1, COSTS + 1):
        count = sum(technology.cost == cost for technology in technologies)
        if count > PILE_LIMIT or (cost == 1 and count <= FIRST_HAND * MAX_SEATS) or not count:
            raise TableError(f"{path}: {count} technologies of cost {cost}: too few, or more than {PILE_LIMIT}")
    if len(technologies) > TECHNOLOGY_LIMIT:
        raise TableError(f"{path}: at most {TECHNOLOGY_LIMIT} technologies")
    return {"technologies": tuple(technologies)}


_READERS = {
    "board": _read_board,
    "tiles": _read_tiles,
    "market": _read_market,
    "edicts": _read_edicts,
    "powers": _read_powers,
    "technologies": _read_technologies,
}


@cache
def _shipped(section):
    return read_table(Path(__file__).parent / f"{section}.toml")


def load_tables(given=RECONSTRUCTED) -> Tables:
    """Load the tables of the package, or replace some of them with your own.

    Args:
        given: The name of the package's tables, which are read once, or the result of `whole_table`.

    Raises:
        TableError: A table is invalid. The message names file, row and word.
    """
    return _load(given) if isinstance(given, Row) else _load_shipped(given)


@cache
def _load_shipped(name):
    return _load(Row({}, name))


def _load(own):
    name = own.where
    own.only(("name", *SECTIONS), "a file")
    for section in own.keys() & set(SECTIONS):
        if not isinstance(own[section], dict):
            raise TableError(f"{name}: {section}: must be a table of keys and values")
    parts = {}
    reconstructed = False
    for section in SECTIONS:
        table = own.get(section, _shipped(section))
        where = f"{name}: {section}" if section in own else f"{section}.toml"
        reconstructed |= bool(table.get("reconstructed"))
        parts |= _READERS[section](table, where)
    tables = Tables(**parts, reconstructed=reconstructed)
    names = tables.names(True)
    doubled = sorted({name for name in names if names.count(name) > 1})
    if doubled:
        raise TableError(f"{name}: {shown(doubled[0])} is both a power and a technology")
    return tables


def bits(numbers) -> int:
    """Return numbers as bits of an int."""
    return sum(1 << int(number) for number in set(numbers))


def _compile_board(tables, settings, record):
    blocked = settings["block"] if settings["players"] == 2 else []
    closed = {region for sector in blocked for region in tables.sectors[sector]["regions"]}
    record["open"] = bits(set(range(REGIONS)) - closed)
    for number, sector in enumerate(tables.sectors):
        record["sector_regions"][number] = bits(sector["regions"])
        record["sector_of"][sector["regions"]] = number
    neighbours = [bits(region["next_to"]) for region in tables.regions]
    for byte in range(REGIONS // 8):
        for value in range(256):
            reached = 0
            for bit in range(8):
                reached |= neighbours[8 * byte + bit] if value >> bit & 1 else 0
            record["spread"][byte, value] = reached
    record["circle"] = tables.roles
    for place, role in enumerate(tables.roles):
        record["place_on_circle"][role] = place
    record["far_space"] = tables.far_space
    record["track"] = tables.track


def _compile_tiles(tables, settings, record):
    deck = []
    record["wormhole_tile"] = record["empty_tile"] = NOTHING
    for number, tile in enumerate(tables.tiles):
        record["tiles"][number] = (tile.kind, tile.yields)
        if tile.kind == TileKind.WORMHOLE:
            record["wormhole_tile"], record["wormhole_count"] = number, tile.copies
            continue
        if tile.kind == TileKind.EMPTY:
            record["empty_tile"] = number
        if tile.first_planet:
            record["first_planet_tile"] = number
        deck += [number] * (tile.copies - (settings["players"] if tile.first_planet else 0))
    record["tile_kinds"] = len(tables.tiles)
    record["deck"][: len(deck)] = deck
    record["deck_count"] = len(deck)
    record["hidden_tiles"] = 4 * len(settings["block"]) if settings["players"] == 2 else 0
    if len(deck) <= record["hidden_tiles"] + settings["players"] + 1:
        raise TableError(f"{len(deck)} tiles besides wormholes and first planets: too few")


def _compile_side(record, number, name, effects, favour_slots):
    side = record["sides"][number]
    side["name"] = name
    side["count"] = len(effects)
    side["ops"] = bits(effect.op for effect in effects)
    side["points"] = bits(point for effect in effects for point in (effect.point, effect.use))
    for place, effect in enumerate(effects):
        values = list(effect.values) + [0] * (VALUES - len(effect.values))
        if effect.op == Op.PRICE and effect.values[Price.RES] == Goods.ANY:
            values[Price.SLOT] = favour_slots.setdefault(name, len(favour_slots))
        whole = (effect.op, effect.manner, effect.point, effect.use, effect.event, effect.condition, values)
        side["effects"][place] = whole


def _compile_cards(tables, with_powers, record):
    powers = tables.powers if with_powers else ()
    record["power_count"] = record["names_from"] = len(powers)
    record["technology_count"] = len(tables.technologies)
    slots = {}
    for number, power in enumerate(powers):
        row = record["powers"][number]
        row["number"] = power.number
        row["follows"] = power.start is None
        row["start"] = power.start or 0
        row["ships"] = [power.ships.count(ship) for ship in SHIPS]
        _compile_side(record, number, number, power.core, slots)
        _compile_side(record, len(powers) + number, number, power.surge, slots)
    for number, technology in enumerate(tables.technologies):
        word, bit = number // 64, np.uint64(1 << number % 64)
        record["technologies"][number] = (technology.type, technology.cost)
        record["of_type"][technology.type, word] |= bit
        record["of_cost"][technology.cost - 1, word] |= bit
        _compile_side(record, 2 * len(powers) + number, len(powers) + number, technology.effects, slots)
        for effect in technology.effects:
            record["with_op"][effect.op, word] |= bit
            if effect.manner in (Manner.AUTOMATIC, Manner.ASKING):
                record["at_point"][effect.use, word] |= bit
            if effect.manner == Manner.EVENT:
                record["on_event"][effect.event, word] |= bit
    if len(slots) > FAVOUR_LIMIT:
        raise TableError(f"{len(slots)} cards favour a resource of choice: at most {FAVOUR_LIMIT}")


def compile_tables(tables: Tables, settings, record) -> None:
    """Write the tables into a rules record (np.void)."""
    _compile_board(tables, settings, record)
    _compile_tiles(tables, settings, record)
    _compile_cards(tables, settings["powers"], record)
    for number, tile in enumerate(tables.market):
        record["market"][number] = (tile["resources"], tile["credits"])
    record["prices"] = tables.prices
    for number, edict in enumerate(tables.edicts):
        record["edicts"][number] = edict["leader"]
    record["edict_count"] = len(tables.edicts)
    for ship, (cost, supply, moves, strength, hits) in SHIP_NUMBERS.items():
        record["ship_cost"][ship] = cost
        for name, value in (("supply", supply), ("moves", moves), ("strength", strength), ("hits", hits)):
            record[f"ship_{name}"][ship] = value
    record["players"] = settings["players"]
    record["max_turns"] = settings["max_turns"]
    record["score_at_limit"] = settings["at_limit"] == "score"
    record["bonus_points"][: settings["players"]] = settings["bonus_points"]
    record["with_powers"] = settings["powers"]
