"""Knobs: settings that are turned until a game is fair, as `authority.1=40:80` or `first_player=agreed:bid`.

A knob has values in a row, and stands at the number of one of them: whole numbers from LOW to HIGH, or two words of a
setting that has words. Of a setting by seat it moves the seats that are named, joined by `+`. In starting decks it is
how many there are of a card: `starting_deck.0.Viper=2:5`.
"""

import re
from collections.abc import Sequence
from contextlib import suppress
from typing import Any, NamedTuple

import numpy as np

from stardeck.game.game import Game
from stardeck.game.registry import settings_of
from stardeck.kernels.contract.settings import Setting
from stardeck.kernels.errors import shown
from stardeck.kernels.text.position_parser import spelled_out

_WRITTEN = re.compile(
    r"(?P<name>[\w-]+)(\.(?P<seats>\d+(\+\d+)*))?(\.(?P<card>[^=:.\d][^=:]*))?=(?P<low>[\w-]+):(?P<high>[\w-]+)",
    re.ASCII,
)
_WHOLE = re.compile(r"-?\d{1,9}", re.ASCII)
_TRUTH = {"true": True, "false": False}
WRITE = (
    "write NAME=LOW:HIGH, or NAME.SEAT=LOW:HIGH for a setting by seat, such as authority.1=40:80, or"
    " NAME.SEAT.CARD=LOW:HIGH for copies of a card, such as starting-deck.0.Viper=2:5"
)
MOST_COPIES = 99


class Knob(NamedTuple):
    """A setting with the values that it may take here.

    seats: those that it moves; none where it is not by seat. card: in a deck, the card whose copies it sets.
    """

    name: str
    seats: tuple[int, ...]
    values: tuple[Any, ...]
    card: str = ""

    @property
    def label(self) -> str:
        """What it is called: the setting, its seats and its card."""
        return ".".join(filter(None, (self.name, "+".join(map(str, self.seats)), self.card)))

    def __str__(self):
        return f"{self.label}={_spelled(self.values[0])}:{_spelled(self.values[-1])}"

    def turned(self, settings: dict[str, Any], place: int) -> dict[str, Any]:
        """Settings with the knob at the value of this number."""
        value = self.values[place]
        if self.seats:
            by_seat = enumerate(settings[self.name])
            value = [self._moved(held, value) if seat in self.seats else held for seat, held in by_seat]
        return settings | {self.name: value}

    def _moved(self, held, value):
        """Return what a seat that held this has at a value: the value, or its deck with so many copies of the card."""
        if not self.card:
            return value
        return [text for text in held if spelled_out(text)[0] != self.card] + [f"{self.card} x{value}"]


def _spelled(value):
    return str(value).lower() if isinstance(value, bool) else str(value)


def read_knobs(texts: Sequence[str], game: Game) -> list[Knob]:
    """The knobs that texts describe, for a game. Raises ValueError naming the text and what is allowed."""
    if not texts:
        raise ValueError(f"knob: at least one is needed; {WRITE}")
    knobs = [_read(text, game) for text in texts]
    moved = [(knob.name, seat, knob.card) for knob in knobs for seat in knob.seats or (None,)]
    if len(set(moved)) < len(moved):
        raise ValueError(f"knob {shown(texts[-1])}: moves what another knob moves too")
    most = len(game.variant.sides) - 1
    if len(knobs) not in (1, most):
        wanted = "one, for the side that moves first" + (f", or {most}, one for each of the others" if most > 1 else "")
        raise ValueError(f"knobs: {len(knobs)} given: {game.id} takes {wanted}")
    _check_ends(knobs, game)
    if most > 1 and len(knobs) == 1 and moves_who_begins(knobs[0], game):
        raise ValueError(f"knob {shown(texts[0])}: changes who begins, of which more than two sides learn nothing")
    return knobs


def first_seat(game: Game) -> int:
    """The seat that has the first turn, as far as it is known before a game is dealt."""
    return int(game.variant.first_seats(np.zeros(1, game.variant.state_dtype))[0])


def moves_who_begins(knob: Knob, game: Game) -> bool:
    """Whether a knob changes which seat has the first turn: what "the side that moves first" wins says nothing then."""
    settings = settings_beside(game, [knob])
    ends = (Game.named(game.variant.game, knob.turned(settings, place)) for place in (0, len(knob.values) - 1))
    return len(set(map(first_seat, ends))) > 1


def _read(text, game):
    found = _WRITTEN.fullmatch(text)
    if found is None:
        raise ValueError(f"knob {shown(text)}: {WRITE}")
    name = found["name"].replace("-", "_")
    known = {setting.name: setting for setting in settings_of(game.variant.game) if not setting.is_text_list}
    if name not in known or name == "players":
        names = ", ".join(other for other in known if other != "players") or "none, for it has no setting but players"
        raise ValueError(f"knob {shown(text)}: {shown(name)} is no knob of {game.variant.game}; it has {names}")
    if known[name].is_deck_list != bool(found["card"]):
        wanted = f"name a card, as {name}.0.CARD" if known[name].is_deck_list else f"{name} has no cards"
        raise ValueError(f"knob {shown(text)}: {wanted}; {WRITE}")
    seats = _seats(text, found["seats"], known[name], game)
    return Knob(name, seats, _values(text, found["low"], found["high"], known[name]), found["card"] or "")


def _seats(text, written, setting, game):
    """The seats that a knob moves: by default, of a setting by seat, all but those of the first side."""
    by_seat = setting.is_list and len(game.settings[setting.name] or ()) == game.players
    if setting.is_list and not by_seat:
        raise ValueError(f"knob {shown(text)}: {setting.name} is a list, but not by seat")
    if not by_seat:
        if written is not None:
            raise ValueError(f"knob {shown(text)}: {setting.name} is not by seat; leave {shown('.' + written)} out")
        return ()
    if written is None:
        first = next(seats for seats in game.variant.sides if first_seat(game) in seats)
        return tuple(seat for seat in range(game.players) if seat not in first)
    seats = sorted({int(seat[:9]) for seat in written.split("+")})
    if seats[-1] >= game.players:
        raise ValueError(f"knob {shown(text)}: seat {seats[-1]}: must be from 0 to {game.players - 1}")
    return tuple(seats)


def _values(text, low, high, setting: Setting):
    """The values from one to another."""
    if setting.is_number or setting.is_list:
        least, most = (0, MOST_COPIES) if setting.is_deck_list else setting.allowed
        whole = _WHOLE.fullmatch(low) and _WHOLE.fullmatch(high)
        if not (whole and least <= int(low) < int(high) <= most):
            allowed = f"must be whole numbers from {least} to {most}, the lower one first"
            raise ValueError(f"knob {shown(text)}: {low[:20]}:{high[:20]}: {allowed}")
        return tuple(range(int(low), int(high) + 1))
    words = {_spelled(value): value for value in setting.allowed}
    if low not in words or high not in words or low == high:
        raise ValueError(f"knob {shown(text)}: must be two of {', '.join(words)}")
    return words[low], words[high]


def _check_ends(knobs, game):
    """ValueError unless the game can be played with every knob at either end."""
    settings = settings_beside(game, knobs)
    for knob in knobs:
        for place in (0, len(knob.values) - 1):
            try:
                at = Game.named(game.variant.game, knob.turned(settings, place))
            except ValueError as error:
                raise ValueError(f"knob {shown(str(knob))}: {error}") from error
            if at.variant.sides != game.variant.sides:
                raise ValueError(
                    f"knob {shown(str(knob))}: changes who plays with whom, so that shares cannot be compared"
                )


def settings_beside(game: Game, knobs: Sequence[Knob]) -> dict[str, Any]:
    """The settings of a game but for those that follow from others, and so from a knob: who begins draws fewer."""
    name, settings = game.variant.game, dict(game.settings)
    turned_ones = {knob.name for knob in knobs}
    for setting in settings_of(name):
        if setting.default is None and setting.name not in turned_ones:
            others = {key: value for key, value in settings.items() if key != setting.name}
            with suppress(ValueError):  # where the rest does not stand without it, it follows from nothing
                if Game.named(name, others).settings == game.settings:
                    settings = others
    return settings


def turned(knobs: Sequence[Knob], settings: dict[str, Any], places: Sequence[int]) -> dict[str, Any]:
    """Settings with each knob at the value of its number."""
    for knob, place in zip(knobs, places, strict=True):
        settings = knob.turned(settings, place)
    return settings
