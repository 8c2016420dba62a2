"""Parameters of a fairness search, such as `authority.1=40:80` or `first_player=agreed:bid` (option `--knob`).

A parameter is a setting with a list of values: the whole numbers from LOW to HIGH, or two words. A place is the index
of a value. For a setting by seat, a parameter changes the seats that it names, joined by `+`. For starting decks, it is
the number of copies of a card: `starting_deck.0.Viper=2:5`.
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


class Parameter(NamedTuple):
    """A setting with the values that it may take in a search.

    Attributes:
        name: Name of the setting.
        seats: Seats that it changes; empty for a setting that is not by seat.
        values: The values, in order.
        card: For a deck, the card whose number of copies it sets.
    """

    name: str
    seats: tuple[int, ...]
    values: tuple[Any, ...]
    card: str = ""

    @property
    def label(self) -> str:
        """The setting, its seats and its card, joined by dots."""
        return ".".join(filter(None, (self.name, "+".join(map(str, self.seats)), self.card)))

    def __str__(self):
        return f"{self.label}={_spelled(self.values[0])}:{_spelled(self.values[-1])}"

    def settings_at(self, settings: dict[str, Any], place: int) -> dict[str, Any]:
        """Return settings with the parameter at the value with this index."""
        value = self.values[place]
        if self.seats:
            by_seat = enumerate(settings[self.name])
            value = [self._moved(held, value) if seat in self.seats else held for seat, held in by_seat]
        return settings | {self.name: value}

    def _moved(self, held, value):
        """Return the new value of a seat: the value itself, or its deck with that number of copies of the card."""
        if not self.card:
            return value
        return [text for text in held if spelled_out(text)[0] != self.card] + [f"{self.card} x{value}"]


def _spelled(value):
    return str(value).lower() if isinstance(value, bool) else str(value)


def read_parameters(texts: Sequence[str], game: Game) -> list[Parameter]:
    """Read parameters from their texts.

    Args:
        texts: Texts such as `authority.1=40:80`.
        game: The game whose settings they are.

    Raises:
        ValueError: A text is impossible; the message names it and what is allowed.
    """
    if not texts:
        raise ValueError(f"knob: at least one is needed; {WRITE}")
    parameters = [_read(text, game) for text in texts]
    moved = [(parameter.name, seat, parameter.card) for parameter in parameters for seat in parameter.seats or (None,)]
    if len(set(moved)) < len(moved):
        raise ValueError(f"knob {shown(texts[-1])}: changes what another --knob changes too")
    most = len(game.variant.sides) - 1
    if len(parameters) not in (1, most):
        wanted = "one, for the side that moves first" + (f", or {most}, one for each of the others" if most > 1 else "")
        raise ValueError(f"knobs: {len(parameters)} given: {game.id} takes {wanted}")
    _check_ends(parameters, game)
    if most > 1 and len(parameters) == 1 and changes_first_seat(parameters[0], game):
        raise ValueError(f"knob {shown(texts[0])}: changes who begins; with {most + 1} sides that takes {most} knobs")
    return parameters


def first_seat(game: Game) -> int:
    """Return the seat that has the first turn, as far as it is known before the deal."""
    return int(game.variant.first_seats(np.zeros(1, game.variant.state_dtype))[0])


def changes_first_seat(parameter: Parameter, game: Game) -> bool:
    """Return True if a parameter changes which seat has the first turn.

    The wins of "the side that moves first" say nothing then.
    """
    settings = independent_settings(game, [parameter])
    ends = (
        Game.named(game.variant.game, parameter.settings_at(settings, place))
        for place in (0, len(parameter.values) - 1)
    )
    return len(set(map(first_seat, ends))) > 1


def _read(text, game):
    found = _WRITTEN.fullmatch(text)
    if found is None:
        raise ValueError(f"knob {shown(text)}: {WRITE}")
    name = found["name"].replace("-", "_")
    known = {setting.name: setting for setting in settings_of(game.variant.game) if not setting.is_text_list}
    if name not in known or name == "players":
        names = ", ".join(other for other in known if other != "players") or "none: players is its only setting"
        raise ValueError(f"knob {shown(text)}: {shown(name)} is no parameter of {game.variant.game}; it has {names}")
    if known[name].is_deck_list != bool(found["card"]):
        wanted = f"name a card, as {name}.0.CARD" if known[name].is_deck_list else f"{name} has no cards"
        raise ValueError(f"knob {shown(text)}: {wanted}; {WRITE}")
    seats = _seats(text, found["seats"], known[name], game)
    return Parameter(name, seats, _values(text, found["low"], found["high"], known[name]), found["card"] or "")


def _seats(text, written, setting, game):
    """Return the seats that a parameter changes; the default for a setting by seat is all but the first side's."""
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
    """Return the values from one to another."""
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


def _check_ends(parameters, game):
    """Raise ValueError unless the game can be played with every parameter at either end."""
    settings = independent_settings(game, parameters)
    for parameter in parameters:
        for place in (0, len(parameter.values) - 1):
            try:
                at = Game.named(game.variant.game, parameter.settings_at(settings, place))
            except ValueError as error:
                raise ValueError(f"knob {shown(str(parameter))}: {error}") from error
            if at.variant.sides != game.variant.sides:
                raise ValueError(f"knob {shown(str(parameter))}: changes the sides, so shares cannot be compared")


def independent_settings(game: Game, parameters: Sequence[Parameter]) -> dict[str, Any]:
    """Return the settings of a game without those that follow from others.

    Such a setting may depend on a parameter: the player that begins draws fewer cards.
    """
    name, settings = game.variant.game, dict(game.settings)
    varied = {parameter.name for parameter in parameters}
    for setting in settings_of(name):
        if setting.default is None and setting.name not in varied:
            others = {key: value for key, value in settings.items() if key != setting.name}
            with suppress(ValueError):  # if the other settings are impossible without it, it does not follow from them
                if Game.named(name, others).settings == game.settings:
                    settings = others
    return settings


def settings_at(parameters: Sequence[Parameter], settings: dict[str, Any], places: Sequence[int]) -> dict[str, Any]:
    """Return settings with each parameter at the value of its place.

    Args:
        parameters: The parameters.
        settings: Settings of the game.
        places: Index of the value of each parameter.
    """
    for parameter, place in zip(parameters, places, strict=True):
        settings = parameter.settings_at(settings, place)
    return settings
