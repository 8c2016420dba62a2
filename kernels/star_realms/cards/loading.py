"""Loading of a set's tables: cards, gambits, challenge cards. A table may inherit the rows of another."""

import functools
from importlib import resources
from pathlib import Path

from stardeck.kernels.contract.card_tables import Row, TableError, name_of, named, named_rows, read_table, whole_table
from stardeck.kernels.errors import shown
from stardeck.kernels.star_realms.cards.card import Boss, CardSet, Gambit
from stardeck.kernels.star_realms.cards.decks import DECKS, are_decks, check_decks, pile, read_decks
from stardeck.kernels.star_realms.cards.rows import read_boss_effects, read_card, read_effect
from stardeck.kernels.star_realms.cards.vocabulary import GAMBIT_CONTINUOUS, GAMBIT_PATTERNS
from stardeck.kernels.star_realms.state import FACTION_LIMIT, GAMBIT_LIMIT, TRADE_DECK_LIMIT, TYPE_LIMIT

PRINTED = ("core", "box", "rise_of_empire")  # card tables that come with the package
WHAT_IT_IS = (
    "name", "title", "like", "factions", "starting_deck", "personal_decks", "explorers", "campaign", "errata", "cards",
    "sources",
)  # fmt: skip
KINDS_OF_KEYS = {
    "title": (str,), "like": (str, dict), "factions": (list,), "starting_deck": (list,), "personal_decks": (dict,),
    "campaign": (str, dict), "errata": (bool,), "sources": (dict,),
}  # fmt: skip
CALLED = {str: "a text", list: "a list of texts", dict: "a table", bool: "true or false"}


def own_set(given):
    """Return a card table as settings keep it: a name of PRINTED unchanged, another table with all that it inherits.

    given: a name of PRINTED, the path of a file, or the content of a table; the result has the name that ids use.
    """
    table = whole_table(given, "set", PRINTED)
    return table if isinstance(table, str) else named(_gathered(table, ()), PRINTED)


def _gathered(table, seen):
    seen = (*seen, table.file and table.file.resolve())
    for key, kinds in KINDS_OF_KEYS.items():
        if key in table and not isinstance(table[key], kinds):
            table.complain(f"{key} = {shown(table[key])}: must be {' or '.join(map(CALLED.get, kinds))}")
    whole = Row(table, table.where, table.file)
    if table.get("campaign"):
        whole["campaign"] = _beside(table, "campaign")
    if "like" in table and table["like"] not in PRINTED:
        other = _beside(table, "like")
        if other.file and other.file.resolve() in seen:
            raise TableError(f"{table.where}: like = {shown(table['like'])} goes round in a circle")
        whole["like"] = _gathered(other, seen)
    return whole


def _beside(table, key):
    """Return the table that another names, by a path relative to its own file or as content."""
    value = table[key]
    if isinstance(value, str):
        value = Path(table.file.parent if table.file else "", value)
    return whole_table(value, f"{table.where}: {key}")


@functools.cache
def _printed(name):
    path = Path(str(resources.files("stardeck.kernels.star_realms.cards") / f"{name}.toml"))
    return _gathered(whole_table(path, name), ())


def _merged(table):
    """Return a gathered table merged with the table that it is `like`, and its rows by name."""
    table.only(WHAT_IT_IS, "a card table")
    listed = named_rows(table, "cards", table.where) if "cards" in table or "like" not in table else ()
    rows = {row["name"]: row for row in listed}
    if "like" not in table:
        return table, rows
    like = table["like"]
    base, base_rows = _merged(_printed(like) if isinstance(like, str) else like)
    for row in filter(_drops, listed):
        if row["name"] not in base_rows:
            row.complain(f"copies = 0 drops a card, and {shown(_called(like))} has none of this name")
        del base_rows[row["name"]], rows[row["name"]]
    both = base | table | {"sources": base.get("sources", {}) | table.get("sources", {})}
    return Row(both, table.where), base_rows | rows


def _drops(row):
    """Return whether a row drops its card from the set: it has nothing but `copies = 0`."""
    return row.keys() == {"name", "copies"} and type(row["copies"]) is int and row["copies"] == 0


def _called(like):
    """Return the name of the table that another is `like`."""
    return like if isinstance(like, str) else like.get("name", like.file.stem if like.file else like.where)


def load_cards(own, packs=("trade_deck",), errata=False) -> CardSet:
    """Read and check a card table.

    Args:
        own: The name of a table of the package, which is read once, or a result of `own_set`.
        packs: Members of PACKS whose cards join the trade deck.
        errata: Read cards that have an erratum with it.

    Raises:
        TableError: names the file, row and word at fault.
    """
    return _load_printed(own, packs, errata) if isinstance(own, str) else _load(own, packs, errata)


def _load(own, packs, errata):
    table, rows = _merged(_printed(own) if isinstance(own, str) else own)
    path = table.where
    rows = {name: row for name, row in rows.items() if row.get("pack", "trade_deck") in packs}
    if errata and (table.get("errata") or not any("erratum" in row for row in rows.values())):
        raise ValueError(f"errata=true: the set {shown(name_of(own))} has no cards with errata, or has them already")
    factions = _read_factions(table, path)
    corrected = errata or table.get("errata", False)
    cards = tuple(read_card(row, factions, corrected) for row in rows.values())
    numbers = {card.name: number for number, card in enumerate(cards)}
    if len(cards) > TYPE_LIMIT:
        raise TableError(f"{path}: {len(cards)} different cards: at most {TYPE_LIMIT}")
    explorers = _read_explorers(table, cards, numbers, path)
    decks = table.get("personal_decks", {})
    if not all(isinstance(deck, list) for deck in decks.values()):
        raise TableError(f"{path}: personal_decks = {shown(decks)}: must be lists of texts")
    _check_trade_deck(path, cards)
    starting_deck, personal = _read_decks(table, cards, numbers, explorers, path)
    return CardSet(
        title=_title(own, table) + ", with errata" * errata,
        factions=factions,
        cards=cards,
        starting_deck=starting_deck,
        personal_decks=personal,
        campaign=table.get("campaign") or None,
        explorer=numbers["Explorer"],
        explorers=explorers,
        numbers=numbers,
    )


def _read_factions(table, path):
    factions = tuple(table.get("factions", ()))
    if not 1 <= len(factions) <= FACTION_LIMIT or not all(isinstance(name, str) for name in factions):
        raise TableError(f"{path}: factions = {list(factions)}: must name 1 to {FACTION_LIMIT} factions")
    return factions


def _read_explorers(table, cards, numbers, path):
    """Return how many Explorers their pile holds."""
    if "Explorer" not in numbers:
        raise TableError(f"{path}: a row for Explorer is missing")
    explorer = cards[numbers["Explorer"]]
    if explorer.copies or explorer.is_base:
        raise TableError(f"{path}: Explorer: must be a ship with copies = 0, because Explorers have their own pile")
    explorers = table.get("explorers")
    if not isinstance(explorers, int) or not 0 <= explorers <= 99:
        raise TableError(f"{path}: explorers = {shown(explorers)}: must be a whole number from 0 to 99")
    return explorers


def _read_decks(table, cards, numbers, explorers, path):
    """Return the starting deck, and the personal decks by side."""
    starting = table.get("starting_deck", ())
    if not are_decks(starting):
        raise TableError(f"{path}: starting_deck = {shown(starting)}: {DECKS}")
    decks = table.get("personal_decks", {})
    try:
        starting_deck = read_decks(starting, numbers, f"{path}: starting_deck")
        personal = {side: pile(deck, numbers, f"{path}: personal_decks") for side, deck in decks.items()}
        for group in (starting_deck, *personal.values()):
            check_decks(group, sum(card.copies for card in cards) + explorers, path)
    except ValueError as error:
        raise TableError(str(error)) from error
    return starting_deck, personal


_load_printed = functools.cache(_load)


def _title(own, table):
    """Return the title of a set, or its name and the title of the table that it is like."""
    if isinstance(own, str) or own.get("title"):
        return table["title"]
    return name_of(own) + (f", like {table['title']}" if table.get("title") else "")


def _check_trade_deck(path, cards):
    trade_deck = sum(card.copies for card in cards)
    if not 5 <= trade_deck <= TRADE_DECK_LIMIT:
        raise TableError(f"{path}: {trade_deck} cards in the trade deck: must be from 5 to {TRADE_DECK_LIMIT}")


def _package_table(name):
    path = Path(str(resources.files("stardeck.kernels.star_realms.cards") / name))
    return path, read_table(path)


@functools.cache
def load_gambits(erratum: bool) -> tuple[Gambit, ...]:
    """Return the kinds of gambits. erratum: read a gambit that has an erratum with it."""
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
    """Return the challenge cards by name, and the values that all of them share."""
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
