"""Layouts of trained networks: the fields and actions that a network knows. It still plays when more come.

A file names each field with its size and scale, and each block of actions with its size and a hash of its members. A
hash of their names stands for the cards. A game may have fields and actions of a later version of the
environments than the file. Any other difference retires the network, with an error that names it.

A file of version 0.1.0 names none. Its `spaces` gives the version of the environments that it was trained on, and the
game knows the fields and actions of that version (`Game.at`).
"""

import hashlib
import json
import math
from collections.abc import Sequence
from typing import Any, NamedTuple, Self

import numpy as np
from numpy.typing import NDArray

from stardeck.game.game import Game
from stardeck.kernels.errors import cut


class Field(NamedTuple):
    """A field of an observation."""

    name: str
    size: int
    scale: float


class Block(NamedTuple):
    """A block of actions. members: a hash of the words of its actions, in order."""

    name: str
    size: int
    members: str


class LayoutError(ValueError):
    """A network knows something that a game lacks or has in another form; the message names it."""


class Layout(NamedTuple):
    """The meaning of a network's inputs and outputs, in order. cards: a hash of the names of the cards."""

    cards: str
    fields: tuple[Field, ...]
    actions: tuple[Block, ...]

    def to_text(self) -> str:
        """Return the layout as a file holds it."""
        return json.dumps(self._asdict())

    @classmethod
    def from_text(cls, text: str) -> Self:
        """Return the layout from a file's text. Raises ValueError, TypeError, OverflowError or KeyError."""
        try:
            read = json.loads(text)
        except RecursionError:
            raise ValueError("layout: is nested too deeply") from None
        fields = tuple(Field(str(name), int(size), float(scale)) for name, size, scale in read["fields"])
        actions = tuple(Block(str(name), int(size), str(members)) for name, size, members in read["actions"])
        if any(size < 1 for size in [field.size for field in fields] + [block.size for block in actions]):
            raise ValueError("layout: a field or a block of actions is empty")
        for field in fields:
            if not math.isfinite(field.scale):
                raise ValueError(f"layout: field {cut(field.name)!r} has scale {field.scale}: must be a finite number")
        return cls(str(read["cards"]), fields, actions)


def layout_of(game: Game) -> Layout:
    """Return the current layout of a game."""
    fields = tuple(Field(row["name"], row["size"], row["scale"]) for row in game.observation_table())
    actions = tuple(Block(row["name"], row["size"], _members(game, row)) for row in game.action_table())
    return Layout(_digest(game.variant.names), fields, actions)


def trained_layout(spaces: str, game: Game) -> Layout | None:
    """Return the layout of a file's `Game.spaces`, if the game has or once had it."""
    for version in range(game.version, -1, -1):
        past = game.at(version)
        if past.spaces == spaces:
            return layout_of(past)
    return None


def version_of(spaces: str) -> int:
    """Return the version of the environments in a `Game.spaces`; 0 if it names none."""
    number = spaces.partition(":")[0].rpartition("_v")[2]
    return int(number) if number.isdecimal() else 0


def places(layout: Layout, version: int, game: Game, any_cards: bool = False) -> tuple[NDArray[Any], NDArray[Any]]:
    """Return the places of a layout's inputs and actions in a game: int64[inputs], int64[actions].

    Args:
        layout: The layout of a network.
        version: The version of the environments that it was trained on.
        game: The variant.
        any_cards: True if the names of the cards may differ.

    Raises:
        LayoutError: Names the first field or block that is gone, changed, or should be known.
    """
    here = layout_of(game)
    if layout.cards != here.cards and not any_cards:
        raise LayoutError("the cards differ")
    return (
        _places("field", layout.fields, here.fields, game.observation_table(), version),
        _places("action", layout.actions, here.actions, game.action_table(), version),
    )


def _places(kind: str, known: Sequence[Field | Block], here: Sequence[Field | Block], table: Any, version: int):
    now = {part.name: (part, row["offset"]) for part, row in zip(here, table, strict=True)}
    numbers = []
    for part in known:
        if part.name not in now:
            raise LayoutError(f"{kind} {part.name!r} is gone")
        other, offset = now.pop(part.name)
        if part != other:
            raise LayoutError(f"{kind} {part.name!r} is {_told(other)}, not {_told(part)}")
        numbers.append(np.arange(offset, offset + part.size))
    since = {row["name"]: row["since"] for row in table}
    for name in now:
        if since[name] <= version:
            raise LayoutError(f"{kind} {name!r} is unknown to the network")
    return np.concatenate(numbers) if numbers else np.zeros(0, np.int64)


def _told(part):
    return ", ".join(f"{name} {value}" for name, value in part._asdict().items() if name != "name")


def _members(game, row):
    actions = game.variant.actions[row["offset"] : row["offset"] + row["size"]]
    return _digest([list(map(int, action[1:])) for action in actions])


def _digest(what):
    return hashlib.sha256(json.dumps(what).encode()).hexdigest()[:12]
