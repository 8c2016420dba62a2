"""Gifts in Interstellar Empire: a card comes into the hand of a seat, as an extra copy; the deck stays as it is."""

from collections.abc import Mapping

import numpy as np

from stardeck.agents.data.gifts import Cards, Chance, Gifts, Pairs, Seats, related
from stardeck.game.agent import States
from stardeck.game.game import Game


def _cards(game: Game) -> list[int]:
    rules = game.rules[0]
    return sorted(set(rules["deck"][: int(rules["deck_count"])].tolist()))


def _names(game: Game) -> list[str]:
    return list(game.variant.names)


def _give(game: Game, states: States, seats: Seats, cards: Cards, chance: Chance) -> None:
    rows = np.flatnonzero(cards >= 0)
    states["players"]["hand"][rows, seats[rows], cards[rows]] += 1


def _kinships(game: Game) -> Mapping[str, Pairs]:
    kinds = [card["kind"] for card in game.cards()]
    ship, planet, special = (np.array([kind == wanted for kind in kinds]) for wanted in ("ship", "planet", "special"))
    return {
        "are both ships": related(ship),
        "are a ship and a planet": related(ship, planet),
        "are both planets": related(planet),
        "include a special": related(special, np.ones_like(special)),
    }


def _late_turn(game: Game) -> int:
    """Return a turn at about a third of a game: more players empty the deck sooner."""
    return 12 // game.players


GIFTS = {"interstellar_empire": Gifts("the hand", _cards, _names, _give, _kinships, _late_turn)}
