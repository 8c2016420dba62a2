"""Cards, gambits and the Boss in the table data: printed values, and abilities in words."""

from functools import lru_cache

from stardeck.kernels.star_realms.cards.card import Boss, Card, CardSet, Gambit
from stardeck.kernels.star_realms.rules import Kind
from stardeck.kernels.star_realms.text.cards import abilities, boss_abilities, gambit_abilities


@lru_cache(maxsize=64)
def _faces(card_set: CardSet) -> dict[str, dict]:
    """Return the cached faces of a set's cards by name; an upgraded card has a name of its own."""
    return {}


def card_face(card_set: CardSet, card: Card) -> dict:
    """Return a card with its cost, defense, factions and abilities."""
    faces = _faces(card_set)
    if card.name not in faces:
        faces[card.name] = {
            "kind": Kind(card.kind).name.lower(),
            "cost": card.cost,
            "defense": card.defense if card.is_base else None,
            "factions": [card_set.factions[number].replace("_", " ") for number in card.factions],
            "abilities": abilities(card, card_set.factions),
            "reconstructed": card.reconstructed,
        }
    face = faces[card.name]
    return {**face, "factions": [*face["factions"]], "abilities": [*face["abilities"]]}


def _without_cost(kind, abilities):
    face = {"kind": kind, "cost": None, "defense": None, "factions": []}
    return face | {"abilities": abilities, "reconstructed": False}


def gambit_face(gambit: Gambit, factions) -> dict:
    """Return a gambit. factions: the set's, by number."""
    return _without_cost("gambit", gambit_abilities(gambit, factions))


def boss_face(boss: Boss) -> dict:
    """Return the challenge card of a Boss."""
    return _without_cost("boss", boss_abilities(boss))
