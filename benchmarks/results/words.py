"""Names of variants, seats and parameters in words, for titles of figures and tables."""

import re
from typing import Any

from stardeck.game.registry import settings_of

ORDINALS = ("first", "second", "third", "fourth", "fifth", "sixth", "seventh", "eighth")
SMALL = ("of", "the")


def number_of(number: int, thing: str) -> str:
    """Return a number with what it counts, such as "1 game" or "2,000 games"."""
    return f"{number:,} {thing}" + "s" * (number != 1)


def variant_in_words(variant: str) -> str:
    """Return the id of a variant in words, such as "Star Realms: core, standard, 2 players"."""
    game, *parts = variant.split("/")
    title = " ".join(word if word in SMALL else word.capitalize() for word in game.split("_"))
    named = ", ".join(_part(part) for part in parts)
    return f"{title}: {named}" if named else title


def _part(part):
    if part.isdecimal():
        return f"{part} player" + "s" * (part != "1")
    name, given, value = part.partition("=")
    if re.fullmatch(r"[\d,]*-?[0-9a-f]{8}", value):  # a digest, which says nothing
        return f"custom {_spaced(name)}"
    return f"{_spaced(name)} {_spaced(value)}" if given else _spaced(name)


def _spaced(text):
    return text.replace("_", " ").replace(",", ", ")


def seat_in_words(seat: int) -> str:
    """Return a seat in words: the first seat is number 0."""
    return f"{ORDINALS[seat]} seat" if 0 <= seat < len(ORDINALS) else f"seat {seat + 1}"


def parameter_in_words(label: str, variant: str = "") -> str:
    """Return the label of a parameter in words: `authority.1` is "authority of the second seat".

    Args:
        label: Setting, seats and card, joined by dots, as `Parameter.label` writes them.
        variant: Id of the variant. Numbers of a setting that follows the order of turns are then not said to be of
            seats.
    """
    name, *rest = label.split(".", 2)
    words = _spaced(name)
    if rest and re.fullmatch(r"\d+(\+\d+)*", rest[0]):
        *others, last = [seat_in_words(int(seat)).removesuffix(" seat") for seat in rest.pop(0).split("+")]
        places = f"{', '.join(others)} and {last}" if others else last
        if is_by_turn(name, variant.partition("/")[0]):
            words += f" of the sides that move {places}" if others else f" of the side that moves {places}"
        else:
            words += f" of the {places} seat" + "s" * bool(others)
    return f"copies of {'.'.join(rest)}, {words}" if rest else words


def is_by_turn(setting: str, game: str) -> bool:
    """Return true if the numbers of a setting follow the order of turns. False if the game is not installed here."""
    try:
        return any(one.by_turn for one in settings_of(game) if one.name == setting)
    except ValueError:
        return False


def side_in_words(name: str) -> str:
    """Return a group of a fairness search in words: `side 0` is "first side", `place 1` "side that moves second"."""
    kind, _, number = name.rpartition(" ")
    if kind in ("side", "place") and number.isdecimal() and int(number) < len(ORDINALS):
        ordinal = ORDINALS[int(number)]
        return f"{ordinal} side" if kind == "side" else f"side that moves {ordinal}"
    return {"first": "side that moves first", "others": "other sides"}.get(name, name)


def agents_in_words(agents: list[Any]) -> str:
    """Return the names of agents as one text: the first three, and the number of the others."""
    names = list(dict.fromkeys(agent["agent"] for agent in agents))
    if len(names) > 4:
        return f"{', '.join(names[:3])} and {len(names) - 3} others"
    return " and ".join(filter(None, (", ".join(names[:-1]), names[-1]))) if names else "nobody"
