"""Printed numbers of a variant that could make it fair: parameters of a search, each with a range around its value.

Settings by seat (authority, opening hands, bonus points) may change for the side that moves first or for the others.
So may the number of copies of a card in starting decks. Seats of one side whose numbers differ change one by one. Where
sides differ, another side may begin.
"""

import math
from collections.abc import Iterator, Sequence
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
    """A parameter that may be changed.

    Attributes:
        knob: Text of the parameter, as `stardeck fair --knob` takes it.
        printed: Printed value.
        whole: Number by which a change is measured: the printed value, or the number of cards of a deck. 0: nothing of
            the kind is printed, so the change is a new rule.
    """

    knob: str
    printed: int
    whole: int


def candidates(game: Game) -> list[Candidate]:
    """Return the parameters of a variant.

    Args:
        game: Variant; it has two sides at least.
    """
    first = next(seats for seats in game.variant.sides if first_seat(game) in seats)
    others = tuple(seat for seat in range(game.players) if seat not in first)
    found: list[Candidate] = []
    for setting in settings_of(game.variant.game):
        value = game.settings[setting.name]
        if setting.is_deck_list and isinstance(value, list) and len(value) == game.players:
            found += [one for seats in _alike((first, others), value) for one in _of_decks(setting.name, seats, value)]
        elif setting.is_list and not setting.is_text_list and len(value or ()) == game.players:
            found += [one for seats in _alike((first, others), value) if (one := _of_seats(setting, seats, value))]
    if len(game.variant.sides) == 2 and _differ(game):
        found += [Candidate("first_player=0:1", 0, 1)] if _begins(game) else []
    return [one for one in found if _is_allowed(one.knob, game)]


def auctions(game: Game) -> list[tuple[str, str]]:
    """Return the settings that let players bid for the first turn, as (setting, value)."""
    named = [setting for setting in settings_of(game.variant.game) if setting.name.startswith("first_")]
    return [
        (setting.name, value) for setting in named if isinstance(setting.allowed, tuple) for value in BIDS
        if value in setting.allowed and game.settings[setting.name] != value
    ]  # fmt: skip


def _is_allowed(knob: str, game: Game) -> bool:
    """Return whether the variant may be played with these values: a scenario, for one, has its own authority."""
    try:
        read_parameters([knob], game)
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
    return Candidate(f"{setting.name}.{'+'.join(map(str, seats))}={ends[0]}:{ends[1]}", value, abs(value))


def _of_decks(name: str, seats: Sequence[int], decks: list[list[str]]) -> Iterator[Candidate]:
    """Yield a parameter for each card of the deck that these seats have."""
    counted = [spelled_out(text) for text in decks[seats[0]]]
    size = sum(count for _, count in counted)
    for card, count in counted:
        low, high = max(0, count - LEAST), min(MOST_COPIES, count + LEAST)
        yield Candidate(f"{name}.{'+'.join(map(str, seats))}.{card}={low}:{high}", count, size)


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
