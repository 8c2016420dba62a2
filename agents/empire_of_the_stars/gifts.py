"""Gifts in Empire of the Stars: a seat owns a technology for nothing. The card itself stays where it is."""

from collections.abc import Mapping

import numpy as np

from stardeck.agents.data.gifts import Cards, Chance, Gifts, Pairs, Seats
from stardeck.agents.empire_of_the_stars.trials import FIRST_ROLE_OF_STAGE
from stardeck.game.agent import States
from stardeck.game.game import Game


def _cards(game: Game) -> list[int]:
    first = int(game.rules[0]["names_from"])
    return list(range(first, first + int(game.rules[0]["technology_count"])))


def _names(game: Game) -> list[str]:
    return list(game.variant.names)


def _give(game: Game, states: States, seats: Seats, cards: Cards, chance: Chance) -> None:
    """Give a technology to a seat of each state, and take it out of the hand, where it would be of no more use."""
    rows = np.flatnonzero(cards >= 0)
    owners = seats[rows]
    technology = cards[rows] - int(game.rules[0]["names_from"])
    word, bit = technology >> 6, np.uint64(1) << (technology & 63).astype(np.uint64)
    states["players"]["technologies"][rows, owners, word] |= bit
    states["players"]["hand"][rows, owners, word] &= ~bit


def _kinships(game: Game) -> Mapping[str, Pairs]:
    technologies = {card["name"]: card for card in game.cards() if card["kind"] == "technology"}
    rows = [technologies.get(name) for name in _names(game)]
    pays = np.array([row["pays"] if row else "" for row in rows])
    cost = np.array([row["cost"] if row else 0 for row in rows])
    return {
        "are paid with the same resource": (pays[:, None] == pays) & (pays != ""),
        "have the same cost": (cost[:, None] == cost) & (cost > 0),
    }


def _late_turn(game: Game) -> int:
    """Return the last role of the first third of a game."""
    return FIRST_ROLE_OF_STAGE[1] - 1


GIFTS = {
    "empire_of_the_stars": Gifts("the technologies in play", _cards, _names, _give, _kinships, _late_turn, twice=False)
}
