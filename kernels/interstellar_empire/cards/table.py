"""The card table: ships, planets and specials with their numbers, and the closed vocabulary of their effects."""

import re
from dataclasses import dataclass
from functools import cache
from pathlib import Path

import numpy as np

from stardeck.kernels.contract.card_tables import Row, TableError, named_rows, whole_table
from stardeck.kernels.errors import shown
from stardeck.kernels.interstellar_empire.rules import NO_ACTION, Family, Op
from stardeck.kernels.interstellar_empire.state import DECK_LIMIT, KIND_LIMIT, LARGEST_NUMBER, PICK_LIMIT, SHIP_LIMIT

RECONSTRUCTED = "reconstructed"
FAMILIES = {"ship": Family.SHIP, "planet": Family.PLANET, "special": Family.SPECIAL}
WHAT_IT_IS = ("name", "title", "reconstructed", "cards")
COLUMNS = ("name", "family", "number", "copies", "effect", "reconstructed", "source")
# The vocabulary of effects; N is a number.
EFFECTS = {
    "draw N when discovered": (Family.PLANET, Op.DRAW_WHEN_DISCOVERED),
    "draw N more each turn": (Family.PLANET, Op.DRAW_EACH_TURN),
    "conqueror discards or loses it": (Family.PLANET, Op.PRICE_OF_CONQUEST),
    "opponent keeps 1 of 2 cards, you take the other": (Family.SPECIAL, Op.ARTIFACT),
    "builder discards or loses the ship": (Family.SPECIAL, Op.TAX_NEW_SHIP),
    "new owner discards or loses the planet": (Family.SPECIAL, Op.TAX_NEW_PLANET),
    "new owner picks N times": (Family.SPECIAL, Op.PICK),
    "take the new ship": (Family.SPECIAL, Op.STEAL_NEW_SHIP),
    "you, an opponent and you pick": (Family.SPECIAL, Op.PICK_SHARED),
    "N more in a war": (Family.SPECIAL, Op.BATTLE_BONUS),
}
_PATTERNS = tuple(
    (re.compile(re.sub(r"\bN\b", r"(\\d+)", text) + r"\Z"), *meaning) for text, meaning in EFFECTS.items()
)
LARGEST_AMOUNT = 20


@dataclass(frozen=True)
class Card:
    """One kind of card."""

    name: str
    family: Family
    number: int
    copies: int
    op: Op = Op.NONE
    amount: int = 1
    reconstructed: tuple[str, ...] = ()
    source: str = ""


@dataclass(frozen=True)
class CardSet:
    """A table of cards. `numbers` maps a name to the number of its kind."""

    title: str
    cards: tuple[Card, ...]
    reconstructed: bool

    @property
    def numbers(self) -> dict[str, int]:
        """The number of each kind by its name."""
        return {card.name: number for number, card in enumerate(self.cards)}

    def of(self, family) -> list[int]:
        """Return the numbers of the kinds of a family."""
        return [number for number, card in enumerate(self.cards) if card.family == family]


def _effect(row, family):
    text = row.get("effect")
    if text is None:
        if family == Family.SPECIAL:
            row.complain("effect is missing: a special needs one")
        return {}
    for pattern, whose, op in _PATTERNS:
        if isinstance(text, str) and family == whose and (found := pattern.match(text)):
            amount = int(found.group(1)) if found.groups() else 1
            most = PICK_LIMIT if op == Op.PICK else LARGEST_AMOUNT
            if not 1 <= amount <= most:
                row.complain(f"effect: {shown(text)}: the number must be from 1 to {most}")
            return {"op": op, "amount": amount}
    words = "; ".join(words for words, (whose, _) in EFFECTS.items() if whose == family) or "none"
    row.complain(f"effect: {shown(text)} is not known for a {row['family']}; the words are: {words}")


def _card(row: Row) -> Card:
    row.only(COLUMNS)
    family = FAMILIES[row.one_of("family", tuple(FAMILIES))]
    return Card(
        name=row["name"],
        family=family,
        number=row.number("number", 1, LARGEST_NUMBER),
        copies=row.number("copies", 1, DECK_LIMIT),
        reconstructed=tuple(row.words("reconstructed")),
        source=row.get("source", ""),
        **_effect(row, family),
    )


@cache
def _shipped() -> Row:
    return whole_table(Path(__file__).parent / "cards.toml", "")


def load_cards(own=RECONSTRUCTED) -> CardSet:
    """Load the card table of the package, or a table of your own.

    Args:
        own: The name of the package's table, or the result of `whole_table`.

    Raises:
        TableError: The table is invalid. The message names file, row and word.
    """
    table = own if isinstance(own, Row) else _shipped()
    path = table.where
    table.only(WHAT_IT_IS, "a card table")
    cards = tuple(_card(row) for row in named_rows(table, "cards", path))
    ships = sum(card.copies for card in cards if card.family == Family.SHIP)
    for found, what, most in (
        (len(cards), "kinds of cards", KIND_LIMIT),
        (sum(card.copies for card in cards), "cards", DECK_LIMIT),
        (ships, "ships", SHIP_LIMIT),
    ):
        if found > most:
            raise TableError(f"{path}: {found} {what}: at most {most}")
    title = table.get("title")
    if not isinstance(title, str):
        raise TableError(f"{path}: title = {shown(title)}: must be a text")
    return CardSet(title, cards, any(card.reconstructed for card in cards))


def compile_cards(card_set: CardSet, rules) -> None:
    """Write a card table into a rules record (np.void)."""
    deck = [number for number, card in enumerate(card_set.cards) for _ in range(card.copies)]
    rules["kinds"] = len(card_set.cards)
    rules["deck_count"] = len(deck)
    rules["deck"][: len(deck)] = np.array(deck, np.uint8)
    for number, card in enumerate(card_set.cards):
        record = rules["cards"][number]
        record["action"] = NO_ACTION
        for column in ("number", "family", "op", "amount"):
            record[column] = getattr(card, column)
        rules["with_op"][card.op] |= np.uint64(1 << number)
        rules["numbers"][number] = card.number
        rules["numbers_of_dictator"][number] = card.number if card.number != LARGEST_NUMBER else 0
