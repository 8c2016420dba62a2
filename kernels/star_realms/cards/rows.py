"""Readers of table rows: words become effects; errors name file, card and word."""

from stardeck.kernels.contract.card_tables import Row
from stardeck.kernels.errors import shown
from stardeck.kernels.star_realms.cards.card import BossEffect, Box, Card, Effect, words_of
from stardeck.kernels.star_realms.cards.vocabulary import (
    BOSS_EFFECTS,
    BOSS_PATTERNS,
    COLUMNS,
    CONTINUOUS,
    CONTINUOUS_PATTERNS,
    EFFECT_PATTERNS,
    EFFECTS,
    ERRATUM,
    KINDS,
    LETTERS,
    PACKS,
)
from stardeck.kernels.star_realms.rules import Kind, Op
from stardeck.kernels.star_realms.state import OPTION_LIMIT, TRADE_DECK_LIMIT


def _faction(row, name, factions):
    if name not in factions:
        row.complain(f"faction {shown(name)}: must be one of {', '.join(factions)}")
    return factions.index(name)


def read_effect(row, column, text, factions) -> Effect:
    """Return the effect of a text in a column; TableError lists the known words."""
    for pattern, op, fields in EFFECT_PATTERNS:
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
            sides[-1].append(read_effect(row, column, text, factions))
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
    """Return the effects of a column; an "or" is one effect with sides."""
    sides = _sides(row, column, factions)
    if len(sides) > 1:
        return (Effect(Op.CHOOSE, sides=sides),)
    return sides[0] if sides else ()


def _factions(row, column, factions):
    given = row.get(column, [])
    names = [given] if isinstance(given, str) else row.words(column)
    return tuple(_faction(row, name, factions) for name in names)


def _boxes(row, own, factions):
    """Return the ally ability; by default the card's own faction triggers it."""
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
        for pattern, fields in CONTINUOUS_PATTERNS:
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


def read_card(row: Row, factions, corrected=False) -> Card:
    """Return the card of a row. factions: the set's, by number; corrected: use the erratum if there is one."""
    row.only(COLUMNS)
    if "erratum" not in row:
        return _read_card(row, factions)
    if not isinstance(row["erratum"], dict):
        row.complain(f"erratum = {shown(row['erratum'])}: must be a table")
    erratum = Row(row["erratum"], f"{row.where}: erratum")
    erratum.only(ERRATUM, "an erratum")
    old, new = _read_card(row, factions), _read_card(Row(row | erratum, erratum.where), factions)
    return new if corrected else old


def _read_card(row, factions):
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


def read_boss_effects(row, texts) -> tuple[BossEffect, ...]:
    """Return the effects of one ability of a challenge card."""
    effects = []
    for text in texts:
        found = [(pattern.match(text), op) for pattern, op in BOSS_PATTERNS if pattern.match(text)]
        if not found:
            row.complain(
                f"abilities: {shown(text)} is not known; the words are: {'; '.join(t for t, _ in BOSS_EFFECTS)}"
            )
        given = found[0][0].groupdict()
        effects.append(BossEffect(found[0][1], int(given.get("N", 1)), int(given.get("C", 0))))
    return tuple(effects)
