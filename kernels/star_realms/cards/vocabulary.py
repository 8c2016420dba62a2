"""The words a card row may use (compiling.py turns the rows into the arrays that kernels read).

| column | words |
| --- | --- |
| `primary`, `ally`, `scrap`, `acquired` | the texts of EFFECTS; "or" stands between alternatives |
| `faction`, `ally_faction` | factions of the set; the ally ability goes by the card's faction, or by another |
| `acquired` | what happens when the card is acquired |
| `pack` | `post_campaign`: the card comes into the trade deck by the setting `trade_deck` |
| `continuous` | the texts of CONTINUOUS; for gambits, those of GAMBIT_CONTINUOUS |
| `abilities` of a Boss | the texts of BOSS_EFFECTS |

A file with `like = "core"` (or another file's path) takes over that table, and its own rows replace or join its rows.
"""

import functools
import re
from dataclasses import dataclass, field
from importlib import resources
from pathlib import Path

from stardeck.kernels.errors import shown
from stardeck.kernels.star_realms.rules import STARTING_DECK_LIMIT, BossOp, Kind, Op
from stardeck.kernels.star_realms.state import (
    FACTION_LIMIT,
    GAMBIT_LIMIT,
    OPTION_LIMIT,
    PILE_LIMIT,
    TRADE_DECK_LIMIT,
    TYPE_LIMIT,
)
from stardeck.kernels.tables import Row, TableError, named_rows, read_table

PRINTED = ("core", "box", "rise_of_empire")  # card tables that come with the package
TEAM_LIMIT = 3  # players who can pass cards to each other (Emperor)
COLUMNS = (
    "name", "faction", "kind", "cost", "defense", "copies",
    "primary", "continuous", "ally", "ally_faction", "scrap", "acquired", "pack", "source", "reconstructed",
)  # fmt: skip
PACKS = ("trade_deck", "post_campaign")
KINDS = {"ship": Kind.SHIP, "base": Kind.BASE, "outpost": Kind.OUTPOST}
WHAT_IT_IS = (
    "title", "like", "factions", "starting_deck", "personal_decks", "explorers", "campaign", "cards", "sources",
)  # fmt: skip

# What a text means: (pattern, operation, other fields of the effect). N is the amount.
EFFECTS = (
    ("trade N", Op.TRADE, {}),
    ("combat N", Op.COMBAT, {}),
    ("authority N", Op.AUTHORITY, {}),
    ("draw N", Op.DRAW, {}),
    ("draw N with B bases", Op.DRAW, {}),
    ("may draw N", Op.DRAW, {"optional": 1}),
    ("may draw N then discard D", Op.DRAW_THEN_DISCARD, {"optional": 1}),
    ("draw N per F played", Op.DRAW_PER_PLAYED, {}),
    ("opponent discards N", Op.OPPONENT_DISCARDS, {}),
    ("next ship on top", Op.NEXT_SHIP_ON_TOP, {}),
    ("scrap N from hand", Op.SCRAP_FROM_HAND, {}),
    ("may scrap N from hand", Op.SCRAP_FROM_HAND, {"optional": 1}),
    ("scrap N from hand or discard", Op.SCRAP_FROM_HAND_OR_DISCARD, {}),
    ("may scrap N from hand or discard", Op.SCRAP_FROM_HAND_OR_DISCARD, {"optional": 1}),
    ("scrap up to N from hand or discard then draw as many", Op.SCRAP_FROM_HAND_OR_DISCARD,
     {"optional": 1, "then_draw": 1}),
    ("scrap up to N from hand or discard", Op.SCRAP_FROM_HAND_OR_DISCARD, {"optional": 1}),
    ("scrap up to N from hand or discard then combat C each", Op.SCRAP_FROM_HAND_OR_DISCARD, {"optional": 1}),
    ("scrap N from trade row", Op.SCRAP_FROM_TRADE_ROW, {}),
    ("scrap up to N from trade row", Op.SCRAP_FROM_TRADE_ROW, {"optional": 1}),
    ("scrap up to N from trade row then combat C each", Op.SCRAP_FROM_TRADE_ROW, {"optional": 1}),
    ("scrap up to N from trade row then authority A each", Op.SCRAP_FROM_TRADE_ROW, {"optional": 1}),
    ("may scrap N from trade row", Op.SCRAP_FROM_TRADE_ROW, {"optional": 1}),
    ("destroy base", Op.DESTROY_BASE, {}),
    ("may destroy base", Op.DESTROY_BASE, {"optional": 1}),
    ("acquire ship to deck", Op.ACQUIRE_SHIP_TO_DECK, {}),
    ("may acquire ship of cost up to N from trade row to deck", Op.ACQUIRE_SHIP_FROM_ROW, {"optional": 1}),
    ("discard up to N then draw as many", Op.DISCARD, {"optional": 1, "then_draw": 1}),
    ("discard up to N then combat C each", Op.DISCARD, {"optional": 1}),
    ("trade row costs N less", Op.COST_REDUCTION, {}),
    ("copy ship", Op.COPY_SHIP, {}),
    ("name faction", Op.NAME_FACTION, {}),
    ("put N from discard on deck", Op.PUT_ON_DECK, {}),
    ("acquire card of cost up to N", Op.ACQUIRE_UP_TO, {}),
    ("pay trade to keep 1 of as many gambits", Op.WILD_GAMBIT, {}),
)  # fmt: skip
CONTINUOUS = {
    "combat N for every ship": {"ship_combat_at_once": 1},
    "combat N for every ship played": {"ship_combat_at_once": 0},
    "ally for every faction": {},
}
GAMBIT_CONTINUOUS = {"attacks on you N less": "shield", "combat N each turn": "combat"}
BOSS_EFFECTS = (
    ("discard N", BossOp.DISCARD),
    ("destroy base or combat C", BossOp.DESTROY_BASE),
    ("random card of hand to deck", BossOp.HAND_TO_DECK),
    ("authority N", BossOp.AUTHORITY),
    ("attack N per cost", BossOp.ATTACK_PER_COST),
    ("attack N per highest cost in trade row", BossOp.ATTACK_PER_HIGHEST_COST),
    ("authority N per cost", BossOp.AUTHORITY_PER_COST),
)
# The word that names an alternative in a move: `choose trade`, `use Barter World: authority`.
OPTION_WORDS = {
    Op.TRADE: "trade",
    Op.COMBAT: "combat",
    Op.AUTHORITY: "authority",
    Op.DRAW: "draw",
    Op.DRAW_PER_PLAYED: "draw",
    Op.DISCARD: "discard",
    Op.OPPONENT_DISCARDS: "discard",
    Op.SCRAP_FROM_HAND: "scrap",
    Op.SCRAP_FROM_HAND_OR_DISCARD: "scrap",
    Op.SCRAP_FROM_TRADE_ROW: "scrap",
    Op.DESTROY_BASE: "destroy",
    Op.ACQUIRE_SHIP_TO_DECK: "acquire",
    Op.NEXT_SHIP_ON_TOP: "top",
    Op.COPY_SHIP: "copy",
    Op.NAME_FACTION: "faction",
    Op.PUT_ON_DECK: "put",
    Op.ACQUIRE_UP_TO: "acquire",
    Op.WILD_GAMBIT: "gambit",
    Op.DRAW_THEN_DISCARD: "draw",
    Op.COST_REDUCTION: "cost",
    Op.ACQUIRE_SHIP_FROM_ROW: "acquire",
}
LETTERS = {"C": "then_combat", "A": "then_authority", "D": "detail", "B": "bases"}  # in texts of EFFECTS, beside N


@dataclass(frozen=True)
class Effect:
    """One effect of an ability; CHOOSE has the `sides` of an "or", each a list of effects."""

    op: Op
    amount: int = 1
    optional: int = 0
    then_draw: int = 0
    then_combat: int = 0
    then_authority: int = 0
    detail: int = 0
    bases: int = 0
    sides: tuple[tuple["Effect", ...], ...] = ()

    def effects(self) -> list["Effect"]:
        """The effect itself and those of its sides."""
        return [self] + [inner for side in self.sides for effect in side for inner in effect.effects()]


@dataclass(frozen=True)
class Box:
    """An ally ability: the faction that triggers it, and what it does."""

    faction: int
    effects: tuple[Effect, ...]


@dataclass(frozen=True)
class Card:
    """One printed card. `primary` holds a list of effects for each side of its "or"."""

    name: str
    kind: Kind
    cost: int
    defense: int
    copies: int
    factions: tuple[int, ...]  # numbers among the set's factions
    primary: tuple[tuple[Effect, ...], ...]
    ally: tuple[Box, ...]
    scrap: tuple[Effect, ...]
    acquired: tuple[Effect, ...]
    ship_combat: int
    ship_combat_at_once: int
    ally_for_every_faction: bool
    pack: str
    source: str
    reconstructed: bool

    @property
    def is_base(self) -> bool:
        """Whether it is a base; outposts are bases."""
        return self.kind != Kind.SHIP

    @property
    def copies_a_ship(self) -> bool:
        """Whether its primary ability copies a ship."""
        return self.has(Op.COPY_SHIP)

    @property
    def names_faction(self) -> bool:
        """Whether its owner names a faction for it."""
        return self.has(Op.NAME_FACTION)

    def effects(self) -> list[Effect]:
        """All effects of all its abilities."""
        lists = [*self.primary, *(box.effects for box in self.ally), self.scrap, self.acquired]
        return [inner for listed in lists for effect in listed for inner in effect.effects()]

    def has(self, op) -> bool:
        """Whether any of its abilities has this operation."""
        return any(effect.op == op for effect in self.effects())

    def option_words(self) -> tuple[str, ...]:
        """The word for each side of its "or"; empty without one."""
        return words_of(self.primary) if len(self.primary) > 1 else ()


def words_of(sides) -> tuple[str, ...]:
    """The word for each side of an "or"."""
    return tuple(OPTION_WORDS[side[0].op] for side in sides)


@dataclass(frozen=True, eq=False)  # hashed by identity
class CardSet:
    """A card table: cards in the order of the file, and what else a box holds."""

    title: str
    factions: tuple[str, ...]
    cards: tuple[Card, ...]
    starting_deck: tuple[int, ...]  # card numbers
    personal_decks: dict[str, tuple[int, ...]]  # by side of a campaign
    explorer: int
    explorers: int
    numbers: dict[str, int] = field(compare=False)
    campaign: str = ""  # the file with its stickers and scenarios
    slots: tuple = ()  # rows of sticker sheets, whose numbers follow those of the cards; see campaign.py
    changes: tuple = ()  # what the scenarios of a campaign change

    @property
    def names(self) -> list[str]:
        """What a card number stands for: a printed card, or the row of a sticker sheet."""
        return [thing.name for thing in (*self.cards, *self.slots)]

    def faces(self, number) -> tuple[Card, ...]:
        """The cards that a number can stand for."""
        if number < len(self.cards):
            return (self.cards[number],)
        return tuple(self.slots[number - len(self.cards)].forms.values())

    @functools.cached_property
    def effects(self) -> tuple[Effect, ...]:
        """Every effect that a game can come to: of cards with and without stickers, and of scenarios."""
        cards = [card for number in range(len(self.names)) for card in self.faces(number)]
        return tuple(inner for thing in (*cards, *self.changes) for inner in thing.effects())

    @functools.cached_property
    def operations(self) -> frozenset[Op]:
        """The operations of all effects."""
        return frozenset(effect.op for effect in self.effects)

    def has(self, *operations) -> bool:
        """Whether any effect has one of these operations."""
        return not self.operations.isdisjoint(operations)

    @property
    def asks_to_draw(self) -> bool:
        """Whether an effect leaves it to the player to draw."""
        return any(effect.optional and effect.op in (Op.DRAW, Op.DRAW_THEN_DISCARD) for effect in self.effects)

    @property
    def reconstructed(self) -> bool:
        """Whether any row is a stand-in for a printed card that was never published as text."""
        return any(card.reconstructed for card in self.cards)


@dataclass(frozen=True)
class Gambit:
    """One kind of gambit."""

    name: str
    copies: int
    scrap: tuple[Effect, ...]
    shield: int  # taken off every attack on its owner
    combat: int  # on each turn of its owner
    source: str


@dataclass(frozen=True)
class BossEffect:
    """One effect of a Boss's ability, on each player concerned."""

    op: BossOp
    amount: int = 1
    else_combat: int = 0


@dataclass(frozen=True)
class Boss:
    """A challenge card."""

    name: str
    authority_per_player: int
    face_down_per_player: int
    gathers: bool
    reveals_for_each: bool
    abilities: dict[str, tuple[BossEffect, ...]]  # by faction
    base_combat: int
    source: str


def _pattern(text):
    for letter in "NABCD":
        text = re.sub(rf"\b{letter}\b", rf"(?P<{letter}>\\d+)", text)
    return re.compile(re.sub(r"\bF\b", r"(?P<F>\\w+)", text) + r"\Z")


_EFFECT_PATTERNS = tuple((_pattern(text), op, fields) for text, op, fields in EFFECTS)
_GAMBIT_PATTERNS = tuple((_pattern(text), field) for text, field in GAMBIT_CONTINUOUS.items())
_BOSS_PATTERNS = tuple((_pattern(text), op) for text, op in BOSS_EFFECTS)
_CONTINUOUS_PATTERNS = tuple((_pattern(text), fields) for text, fields in CONTINUOUS.items())


def _faction(row, name, factions):
    if name not in factions:
        row.complain(f"faction {shown(name)}: must be one of {', '.join(factions)}")
    return factions.index(name)


def _effect(row, column, text, factions):
    for pattern, op, fields in _EFFECT_PATTERNS:
        if found := pattern.match(text):
            given = found.groupdict()
            numbers = {letter: int(value) for letter, value in given.items() if letter != "F"}
            if not all(0 < number < 100 for number in numbers.values()):
                row.complain(f"{column}: {shown(text)}: the amount must be from 1 to 99")
            values = {LETTERS[letter]: number for letter, number in numbers.items() if letter != "N"}
            if "F" in given:
                values["detail"] = _faction(row, given["F"], factions)
            return Effect(op, numbers.get("N", 1), **values, **fields)
    row.complain(f"{column}: {shown(text)} is not known; the words are: {'; '.join(text for text, _, _ in EFFECTS)}")


def _sides(row, column, factions):
    sides = [[]]
    words = row.words(column)
    for text in words:
        if text == "or":
            sides.append([])
        else:
            sides[-1].append(_effect(row, column, text, factions))
    if not words:
        return ()
    if not all(sides):
        row.complain(f'{column}: "or" stands between two abilities')
    if len(sides) > OPTION_LIMIT:
        row.complain(f"{column}: at most {OPTION_LIMIT} alternatives")
    sides = tuple(map(tuple, sides))
    if len(sides) > 1 and len(set(words_of(sides))) < len(sides):
        row.complain(f'{column}: two alternatives of an "or" would both be called {shown(words_of(sides)[0])}')
    return sides


def effects_of(row, column, factions) -> tuple[Effect, ...]:
    """The effects of a column; an "or" is one effect with sides."""
    sides = _sides(row, column, factions)
    if len(sides) > 1:
        return (Effect(Op.CHOOSE, sides=sides),)
    return sides[0] if sides else ()


def _factions(row, column, factions):
    given = row.get(column, [])
    names = [given] if isinstance(given, str) else row.words(column)
    return tuple(_faction(row, name, factions) for name in names)


def _boxes(row, own, factions):
    """The ally ability; it goes by the card's faction if by no other."""
    effects = effects_of(row, "ally", factions)
    if not effects:
        return ()
    by = _factions(row, "ally_faction", factions) or own
    if len(by) != 1:
        row.complain("ally: must go by one faction: that of the card, or ally_faction")
    return (Box(by[0], effects),)


def _continuous(row):
    values = {"ship_combat": 0, "ship_combat_at_once": 0, "ally_for_every_faction": False}
    for text in row.words("continuous"):
        for pattern, fields in _CONTINUOUS_PATTERNS:
            if found := pattern.match(text):
                if "N" in found.groupdict():
                    values["ship_combat"] = int(found["N"])
                else:
                    values["ally_for_every_faction"] = True
                values.update(fields)
                break
        else:
            row.complain(f"continuous: {shown(text)} is not known; the words are: {'; '.join(CONTINUOUS)}")
    return values


def _card(row: Row, factions) -> Card:
    row.only(COLUMNS)
    kind = KINDS[row.one_of("kind", tuple(KINDS))]
    own = _factions(row, "faction", factions)
    card = Card(
        name=row["name"],
        kind=kind,
        cost=row.number("cost", 0, 99),
        defense=0 if kind == Kind.SHIP else row.number("defense", 1, 99),
        copies=row.number("copies", 0, TRADE_DECK_LIMIT),
        factions=own,
        primary=_sides(row, "primary", factions),
        ally=_boxes(row, own, factions),
        scrap=effects_of(row, "scrap", factions),
        acquired=effects_of(row, "acquired", factions),
        pack=row.one_of("pack", PACKS, PACKS[0]),
        source=row.get("source", ""),
        reconstructed=bool(row.get("reconstructed", False)),
        **_continuous(row),
    )
    _check(row, card)
    return card


def _check(row, card):
    if card.kind == Kind.SHIP and "defense" in row:
        row.complain("defense: only bases and outposts have one")
    if card.copies_a_ship and (card.kind != Kind.SHIP or card.ally or card.scrap or len(card.primary) > 1):
        row.complain('"copy ship" is for ships with no other choice, ally or scrap ability: they take over the copied')
    if card.names_faction and (card.kind != Kind.SHIP or card.factions):
        row.complain('"name faction" is for ships without a faction')


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


KINDS_OF_KEYS = {"like": str, "factions": list, "starting_deck": list, "campaign": str, "sources": dict}
CALLED = {str: "a text", list: "a list of texts", dict: "a table of texts"}


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


def load_cards(name, packs=("trade_deck",)) -> CardSet:
    """Read and check a card table; TableError names file, row and word of what is wrong.

    packs: whose cards come into the trade deck, of PACKS. A table that comes with the package is read once.
    """
    return (_load_printed if name in PRINTED else _load)(name, packs)


def _load(name, packs):
    path = table_path(name)
    table, rows = _read(path)
    rows = {name: row for name, row in rows.items() if row.get("pack", "trade_deck") in packs}
    factions = tuple(table.get("factions", ()))
    if not 1 <= len(factions) <= FACTION_LIMIT or not all(isinstance(name, str) for name in factions):
        raise TableError(f"{path}: factions = {list(factions)}: must name 1 to {FACTION_LIMIT} factions")
    cards = tuple(_card(row, factions) for row in rows.values())
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
        title=str(table.get("title", path.stem)),
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
            found = [(pattern.match(text), name) for pattern, name in _GAMBIT_PATTERNS if pattern.match(text)]
            if not found:
                row.complain(f"continuous: {shown(text)} is not known; the words are: {'; '.join(GAMBIT_CONTINUOUS)}")
            values[found[0][1]] = int(found[0][0]["N"])
        texts = row.words("erratum") if erratum and "erratum" in row else row.words("scrap")
        scrap = tuple(_effect(row, "scrap", text, ()) for text in texts)
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
            abilities={faction: _boss_effects(row, texts) for faction, texts in row["abilities"].items()},
            base_combat=table["common"]["base_combat"],
            source=row.get("source", ""),
        )
    return bosses, table["common"]


def _boss_effects(row, texts):
    effects = []
    for text in texts:
        found = [(pattern.match(text), op) for pattern, op in _BOSS_PATTERNS if pattern.match(text)]
        if not found:
            row.complain(
                f"abilities: {shown(text)} is not known; the words are: {'; '.join(t for t, _ in BOSS_EFFECTS)}"
            )
        given = found[0][0].groupdict()
        effects.append(BossEffect(found[0][1], int(given.get("N", 1)), int(given.get("C", 0))))
    return tuple(effects)
