"""Gifts of each game: cards that an experiment puts into the possession of a seat before play goes on.

The module `gifts.py` of a game's agents package defines `GIFTS`, by name of the game. The experiment draws the gifts
(benchmarks/design/gifts/experiment.py).
"""

from collections.abc import Callable, Mapping
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from stardeck.agents.game_agents import module_of
from stardeck.game.agent import States
from stardeck.game.game import Game

Seats = NDArray[np.int64]
Cards = NDArray[np.int64]
Chance = NDArray[np.uint64]
Pairs = NDArray[np.bool_]


class Gifts(NamedTuple):
    """Cards that can be given in a game.

    Attributes:
        place: Place to which a gift goes, in words.
        cards: Function that returns the numbers of the cards that can be given in a variant.
        names: Function that returns the names of a variant's cards, by number.
        give: Function `give(game, states, seats, cards, chance)` that gives one card in each state, in place: seats and
            cards int64[n], chance uint64[n]. Rows with the card -1 stay as they are.
        kinships: Function that returns relations between two cards of a variant, by their words, such as
            "share a faction": bool[cards, cards] each, symmetric.
        late_turn: Function that returns the last turn before later gifts, at about a third of a game.
        twice: Whether a seat may get two copies of a card.
    """

    place: str
    cards: Callable[[Game], list[int]]
    names: Callable[[Game], list[str]]
    give: Callable[[Game, States, Seats, Cards, Chance], None]
    kinships: Callable[[Game], Mapping[str, Pairs]]
    late_turn: Callable[[Game], int]
    twice: bool = True


def gifts_of(game: Game) -> Gifts | None:
    """Return the gifts of a game, or None if it has none."""
    module = module_of(game.variant.game, "gifts")
    found: Gifts | None = module.GIFTS.get(game.variant.game) if module else None
    return found


def below(chance: Chance, limits: NDArray[np.int64]) -> NDArray[np.int64]:
    """Return whole numbers from 0 to limits - 1, one for each random number: int64[n].

    Args:
        chance: Random numbers, uint64[n].
        limits: Limits from 1 to 2**31, int64[n].
    """
    return ((chance >> np.uint64(32)) * limits.astype(np.uint64) >> np.uint64(32)).astype(np.int64)


def related(either: NDArray[np.bool_], other: NDArray[np.bool_] | None = None) -> Pairs:
    """Return the pairs of one card that has a trait and another that has the other trait: bool[cards, cards].

    Args:
        either: bool[cards].
        other: bool[cards]; None: the same trait.
    """
    second = either if other is None else other
    return either[:, None] & second | second[:, None] & either
