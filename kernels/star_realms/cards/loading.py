"""Loading the tables of a set: cards, gambits, challenge cards; a table may take over the rows of another."""

import functools
from importlib import resources
from pathlib import Path

from stardeck.kernels.errors import shown
from stardeck.kernels.star_realms.cards.card import Boss, CardSet, Gambit
from stardeck.kernels.star_realms.cards.rows import read_boss_effects, read_card, read_effect
from stardeck.kernels.star_realms.cards.vocabulary import GAMBIT_CONTINUOUS, GAMBIT_PATTERNS
from stardeck.kernels.star_realms.rules import STARTING_DECK_LIMIT
from stardeck.kernels.star_realms.state import FACTION_LIMIT, GAMBIT_LIMIT, PILE_LIMIT, TRADE_DECK_LIMIT, TYPE_LIMIT
from stardeck.kernels.tables import TableError, named_rows, read_table

PRINTED = ("core", "box", "rise_of_empire")  # card tables that come with the package
TEAM_LIMIT = 3  # players who can pass cards to each other (Emperor)
WHAT_IT_IS = (
    "title", "like", "factions", "starting_deck", "personal_decks", "explorers", "campaign", "errata", "cards",
    "sources",
)  # fmt: skip
KINDS_OF_KEYS = {"like": str, "factions": list, "starting_deck": list, "campaign": str, "errata": bool, "sources": dict}
CALLED = {str: "a text", list: "a list of texts", dict: "a table of texts", bool: "true or false"}


def pile(text_or_list, numbers, where) -> list[int]:
    """Card numbers of a written pile: `["Scout x8", "Viper"]`. Complains with ValueError of unknown names."""
    result = []
    for text in text_or_list:
        name, _, copies = str(text).rpartition(" x")
        if not (name and copies.isdigit() and len(copies) < 4):
            name, copies = text, "1"
        if not isinstance(text, str) or name not in numbers:
            raise ValueError(f"{where}: {shown(name)} is not a card of this set")
        result += [numbers[name]] * int(copies)
    return result


def table_path(name, beside=None) -> Path:
    """Where a card table is: one that comes with the package by its name, any other by its path."""
    if name in PRINTED:
        return Path(str(resources.files("stardeck.kernels.star_realms.cards") / f"{name}.toml"))
    return Path(beside, name) if beside else Path(name)


def _read(path, seen=()):
    """The table of a file with the table it is `like` filled in."""
    own = table = read_table(path)
    for key in table:
        if key not in WHAT_IT_IS:
            raise TableError(f"{path}: {shown(key)} is not known; a card table has {', '.join(WHAT_IT_IS)}")
    rows = {row["name"]: row for row in named_rows(table, "cards", path)}
    for key, kind in KINDS_OF_KEYS.items():
        if not isinstance(table.get(key, kind()), kind):
            raise TableError(f"{path}: {key} = {shown(table[key])}: must be {CALLED[kind]}")
    if "like" in table:
        other = table_path(table["like"], beside=Path(path).parent)
        if other in seen:
            raise TableError(f"{path}: like = {shown(table['like'])} goes round in a circle")
        base, base_rows = _read(other, (*seen, path))
        table = base | table | {"sources": base.get("sources", {}) | table.get("sources", {})}
        rows = base_rows | rows
    if "campaign" in own:
        table["campaign"] = str(Path(path).parent / own["campaign"])
    return table, rows


def load_cards(name, packs=("trade_deck",), errata=False) -> CardSet:
    """Read and check a card table; TableError names file, row and word of what is wrong.

    packs: whose cards come into the trade deck, of PACKS. errata: cards that have an erratum are read with it.
    A table that comes with the package is read once.
    """
    return (_load_printed if name in PRINTED else _load)(name, packs, errata)


def _load(name, packs, errata):
    path = table_path(name)
    table, rows = _read(path)
    rows = {name: row for name, row in rows.items() if row.get("pack", "trade_deck") in packs}
    if errata and (table.get("errata") or not any("erratum" in row for row in rows.values())):
        raise ValueError(f"errata=true: the set {shown(name)} has no cards with errata that it is printed without")
    factions = tuple(table.get("factions", ()))
    if not 1 <= len(factions) <= FACTION_LIMIT or not all(isinstance(name, str) for name in factions):
        raise TableError(f"{path}: factions = {list(factions)}: must name 1 to {FACTION_LIMIT} factions")
    corrected = errata or table.get("errata", False)
    cards = tuple(read_card(row, factions, corrected) for row in rows.values())
    numbers = {card.name: number for number, card in enumerate(cards)}
    if len(cards) > TYPE_LIMIT:
        raise TableError(f"{path}: {len(cards)} different cards: at most {TYPE_LIMIT}")
    if "Explorer" not in numbers:
        raise TableError(f"{path}: a row for Explorer is missing")
    explorer = cards[numbers["Explorer"]]
    if explorer.copies or explorer.is_base:
        raise TableError(f"{path}: Explorer: must be a ship with copies = 0, for Explorers have a pile of their own")
    explorers = table.get("explorers")
    if not isinstance(explorers, int) or not 0 <= explorers <= 99:
        raise TableError(f"{path}: explorers = {shown(explorers)}: must be a whole number from 0 to 99")
    decks = table.get("personal_decks", {})
    try:
        starting_deck = tuple(pile(table.get("starting_deck", ()), numbers, f"{path}: starting_deck"))
        personal = {side: tuple(pile(deck, numbers, f"{path}: personal_decks")) for side, deck in decks.items()}
    except ValueError as error:
        raise TableError(str(error)) from error
    for deck in (starting_deck, *personal.values()):
        _check_totals(path, cards, deck, explorers)
    return CardSet(
        title=str(table.get("title", path.stem)) + ", with errata" * errata,
        factions=factions,
        cards=cards,
        starting_deck=starting_deck,
        personal_decks=personal,
        campaign=table.get("campaign", ""),
        explorer=numbers["Explorer"],
        explorers=explorers,
        numbers=numbers,
    )


_load_printed = functools.cache(_load)


def _check_totals(path, cards, starting_deck, explorers):
    trade_deck = sum(card.copies for card in cards)
    if not 5 <= trade_deck <= TRADE_DECK_LIMIT:
        raise TableError(f"{path}: {trade_deck} cards in the trade deck: must be from 5 to {TRADE_DECK_LIMIT}")
    if not 1 <= len(starting_deck) <= STARTING_DECK_LIMIT:
        raise TableError(f"{path}: {len(starting_deck)} cards in the starting deck: from 1 to {STARTING_DECK_LIMIT}")
    starting = TEAM_LIMIT * len(starting_deck)
    if trade_deck + starting + explorers > PILE_LIMIT:
        total = trade_deck + starting + explorers
        raise TableError(
            f"{path}: trade deck, Explorers and starting decks of {TEAM_LIMIT} are {total} cards: at most {PILE_LIMIT}"
        )


def _package_table(name):
    path = Path(str(resources.files("stardeck.kernels.star_realms.cards") / name))
    return path, read_table(path)


@functools.cache
def load_gambits(erratum: bool) -> tuple[Gambit, ...]:
    """The kinds of gambits; with `erratum` those that have one are read with it."""
    path, table = _package_table("gambits.toml")
    gambits = []
    for row in named_rows(table, "gambits", path):
        row.only(("name", "copies", "scrap", "continuous", "erratum", "source"))
        values = {"shield": 0, "combat": 0}
        for text in row.words("continuous"):
            found = [(pattern.match(text), name) for pattern, name in GAMBIT_PATTERNS if pattern.match(text)]
            if not found:
                row.complain(f"continuous: {shown(text)} is not known; the words are: {'; '.join(GAMBIT_CONTINUOUS)}")
            values[found[0][1]] = int(found[0][0]["N"])
        texts = row.words("erratum") if erratum and "erratum" in row else row.words("scrap")
        scrap = tuple(read_effect(row, "scrap", text, ()) for text in texts)
        gambits.append(Gambit(row["name"], row.number("copies", 1, 9), scrap, source=row.get("source", ""), **values))
    if len(gambits) > GAMBIT_LIMIT:
        raise TableError(f"{path}: {len(gambits)} kinds of gambits: at most {GAMBIT_LIMIT}")
    return tuple(gambits)


@functools.cache
def load_bosses() -> tuple[dict[str, Boss], dict]:
    """The challenge cards by name, and what all of them have in common."""
    path, table = _package_table("bosses.toml")
    bosses = {}
    for row in named_rows(table, "bosses", path):
        each = row.one_of("reveals", ("for all players", "for each player")) == "for each player"
        bosses[row["name"]] = Boss(
            name=row["name"],
            authority_per_player=row.number("authority_per_player", 1, 1000),
            face_down_per_player=row.number("face_down_per_player", 0, 4, 0),
            gathers=bool(row.get("gathers", False)),
            reveals_for_each=each,
            abilities={faction: read_boss_effects(row, texts) for faction, texts in row["abilities"].items()},
            base_combat=table["common"]["base_combat"],
            source=row.get("source", ""),
        )
    return bosses, table["common"]
