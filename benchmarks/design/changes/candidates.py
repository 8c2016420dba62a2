"""Printed numbers of a variant that could make it fair: parameters of a search, each with a range around its value.

Settings by seat (authority, opening hands, bonus points) may change for the side that moves first or for the others.
So may the number of copies of a card in starting decks. Seats of one side whose numbers differ change one by one. Where
sides differ, another side may begin. One number mends one side only; with three sides or more, a number for each side
but the first can give every side its share.
"""

import math
from collections.abc import Iterable, Iterator, Sequence
from typing import Any, NamedTuple

from stardeck.benchmarks.fairness.parameters import MOST_COPIES, first_seat, read_parameters
from stardeck.game.game import Game
from stardeck.game.registry import settings_of
from stardeck.kernels.contract.settings import Setting
from stardeck.kernels.text.position_parser import spelled_out

NEAR = 0.3  # of a printed number, to either side
LEAST = 3  # steps to either side
NEW = 8  # the same where nothing is printed
BIDS = ("bid", "pie")  # values of a setting by which players set the price of the first turn


class Candidate(NamedTuple):
    """A parameter that may be changed, or several that may be changed together.

    Attributes:
        knobs: Text of each parameter, as `stardeck fair --knob` takes it.
        printed: Printed value of each.
        wholes: Number by which the change of each is measured: the printed value, or the number of cards of a deck. 0:
            nothing of the kind is printed, so the change is a new rule.
    """

    knobs: tuple[str, ...]
    printed: tuple[int, ...]
    wholes: tuple[int, ...]


def candidates(game: Game) -> list[Candidate]:
    """Return the parameters of a variant.

    Args:
        game: Variant; it has two sides at least.
    """
    sides = list(game.variant.sides)
    begins = next(number for number, seats in enumerate(sides) if first_seat(game) in seats)
    first, *rest = sides[begins:] + sides[:begins]
    others = tuple(sorted(seat for seats in rest for seat in seats))
    found: list[Candidate] = []
    for setting in settings_of(game.variant.game):
        value = game.settings[setting.name]
        if setting.is_deck_list and isinstance(value, list) and len(value) == game.players:
            found += [one for seats in _alike((first, others), value) for one in _of_decks(setting.name, seats, value)]
            found += _of_all_decks(setting.name, rest, value)
        elif setting.is_list and not setting.is_text_list and len(value or ()) == game.players:
            found += [one for seats in _alike((first, others), value) if (one := _of_seats(setting, seats, value))]
            found += _together(one for seats in _alike(rest, value) if (one := _of_seats(setting, seats, value)))
    found = [one for one in found if len(one.knobs) in (1, len(rest))]
    if len(game.variant.sides) == 2 and _differ(game):
        found += [Candidate(("first_player=0:1",), (0,), (1,))] if _begins(game) else []
    return [one for one in found if _is_allowed(one.knobs, game)]


def auctions(game: Game) -> list[tuple[str, str]]:
    """Return the settings that let players bid for the first turn, as (setting, value)."""
    named = [setting for setting in settings_of(game.variant.game) if setting.name.startswith("first_")]
    return [
        (setting.name, value) for setting in named if isinstance(setting.allowed, tuple) for value in BIDS
        if value in setting.allowed and game.settings[setting.name] != value
    ]  # fmt: skip


def _is_allowed(knobs: Sequence[str], game: Game) -> bool:
    """Return whether the variant may be played with these values: a scenario, for one, has its own authority."""
    try:
        read_parameters(knobs, game)
    except ValueError:
        return False
    return True


def _alike(sides: Sequence[Sequence[int]], values: list[Any]) -> Iterator[list[int]]:
    """Yield the seats of each side by what is printed for them, in order of seats."""
    for seats in sides:
        left = list(seats)
        while left:
            yield [seat for seat in left if values[seat] == values[left[0]]]
            left = [seat for seat in left if values[seat] != values[left[0]]]


def _of_seats(setting: Setting, seats: Sequence[int], values: list[int]) -> Candidate | None:
    """Return the parameter of some seats, all of which have the same printed number."""
    value = values[seats[0]]
    low, high = setting.allowed[0], setting.allowed[-1]
    step = max(LEAST, math.ceil(NEAR * abs(value))) if value else NEW
    ends = max(low, value - step), min(high, value + step)
    if not ends[0] < ends[1]:
        return None
    return _one(f"{setting.name}.{'+'.join(map(str, seats))}={ends[0]}:{ends[1]}", value, abs(value))


def _of_decks(name: str, seats: Sequence[int], decks: list[list[str]]) -> Iterator[Candidate]:
    """Yield a parameter for each card of the deck that these seats have."""
    counted = [spelled_out(text) for text in decks[seats[0]]]
    size = sum(count for _, count in counted)
    for card, count in counted:
        low, high = max(0, count - LEAST), min(MOST_COPIES, count + LEAST)
        yield _one(f"{name}.{'+'.join(map(str, seats))}.{card}={low}:{high}", count, size)


def _of_all_decks(name: str, sides: Sequence[Sequence[int]], decks: list[list[str]]) -> list[Candidate]:
    """Return a candidate for each card: its copies in the decks of every side but the first."""
    of_sides = [list(_of_decks(name, seats, decks)) for seats in _alike(sides, decks)]
    cards = [spelled_out(text)[0] for text in decks[sides[0][0]]]
    by_card = [[one for found in of_sides for one in found if f".{card}=" in one.knobs[0]] for card in cards]
    return [joint for found in by_card for joint in _together(found)]


def _one(knob: str, printed: int, whole: int) -> Candidate:
    return Candidate((knob,), (printed,), (whole,))


def _together(found: Iterable[Candidate]) -> list[Candidate]:
    """Return parameters as one candidate; none if there are fewer than two."""
    listed = list(found)
    if len(listed) < 2:
        return []
    return [Candidate(*(sum(column, ()) for column in zip(*listed, strict=True)))]


def _differ(game: Game) -> bool:
    """Return whether the sides differ by more than who begins."""
    sides = game.variant.sides
    printed = [game.settings.get(name) for name in ("authority", "sides", "starting_deck")]
    by_seat = [values for values in printed if isinstance(values, list) and len(values) == game.players]
    return any(len({str([values[seat] for seat in seats]) for seats in sides}) > 1 for values in by_seat)


def _begins(game: Game) -> bool:
    """Return whether the first seat begins, and the second one may: the two ends of a range."""
    setting = next((one for one in settings_of(game.variant.game) if one.name == "first_player"), None)
    number = setting is not None and setting.is_number and game.settings["first_player"] == 0
    return number and game.variant.sides[1][0] == 1
