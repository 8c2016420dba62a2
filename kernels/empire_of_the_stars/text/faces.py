"""Cards, ships and tiles in the data of the table: by name, with their abilities in words."""

from stardeck.kernels.empire_of_the_stars.cards.tables import Tables
from stardeck.kernels.empire_of_the_stars.state import Resource, Ship
from stardeck.kernels.empire_of_the_stars.text.cards import (
    edict_words,
    power_abilities,
    sentences,
    ship_words,
    tile_words,
)
from stardeck.kernels.empire_of_the_stars.text.words import word


def _face(kind, abilities, cost=None, **more):
    face = {"kind": kind, "cost": cost, "defense": None, "factions": [], "abilities": abilities}
    return face | {"reconstructed": False} | more


def _technology(technology):
    abilities = sentences(technology.effects)
    return _face("technology", abilities, technology.cost, pays=word(Resource(technology.type)))


def _tile(tile):
    words = tile_words(tile)
    yields = {word(resource): tile.yields[resource] for resource in Resource if tile.yields[resource]}
    return _face(word(tile.kind), [words] if words else [], yields=yields)


def faces(variant, names: set[str]) -> dict[str, dict]:
    """Return the printed data of the things with these names."""
    content: Tables = variant.content
    found = {each.name: _technology(each) for each in content.technologies if each.name in names}
    found |= {each.name: _face("power", power_abilities(each)) for each in content.powers if each.name in names}
    found |= {each["name"]: _face("edict", [edict_words(each)]) for each in content.edicts if each["name"] in names}
    found |= {word(ship): _face("ship", [ship_words(ship)]) for ship in Ship if word(ship) in names}
    found |= {each.name: _tile(each) for each in content.tiles if each.name in names}
    for face in found.values():
        face["reconstructed"] = variant.reconstructed
    return found
