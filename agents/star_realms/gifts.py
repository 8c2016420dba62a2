"""Gifts in Star Realms: a card comes into the draw deck or the discard pile of a seat, at a random place.

The card is an extra copy, so the trade deck stays as it is. Each place among the cards to come is equally likely.
"""

from collections.abc import Mapping
from typing import Any

import numpy as np

from stardeck.agents.data.gifts import Cards, Chance, Gifts, Pairs, Seats, below, related
from stardeck.agents.star_realms.values import FIRST_TURN_OF_STAGE
from stardeck.game.agent import States
from stardeck.game.game import Game
from stardeck.kernels.star_realms.rules import Op
from stardeck.kernels.star_realms.state import PILE_LIMIT, Zone

SCRAPS = (Op.SCRAP_FROM_HAND, Op.SCRAP_FROM_HAND_OR_DISCARD)
DRAWS = (Op.DRAW, Op.DRAW_PER_PLAYED, Op.DRAW_THEN_DISCARD)


def _cards(game: Game) -> list[int]:
    """Return the cards of the trade deck, and the Explorer if there are any."""
    rules = game.rules[0]
    held = rules["trade_deck"][: int(rules["trade_deck_count"])].tolist()
    return sorted({*held, *([int(rules["explorer"])] if rules["explorers"] > 0 else [])})


def _names(game: Game) -> list[str]:
    variant: Any = game.variant
    return list(variant.card_set.names)


def _give(game: Game, states: States, seats: Seats, cards: Cards, chance: Chance) -> None:
    """Put a card into the deck or the discard pile of a seat of each state, in place."""
    rows = np.flatnonzero(cards >= 0)
    owners, given = seats[rows], cards[rows].astype(np.uint8)
    counts, piles = states["players"]["count"], states["players"]["cards"]
    deck, hand, discarded = (counts[rows, owners, zone].astype(np.int64) for zone in Zone)
    if len(rows) and (deck + hand + discarded).max() >= PILE_LIMIT:
        raise ValueError(f"gifts: a player holds {PILE_LIMIT} cards: there is no room for another one")
    hidden = deck - states["players"]["known_on_deck"][rows, owners]  # below the cards that all players have seen
    place = below(chance[rows], hidden + discarded + 1)
    to_deck = place <= hidden
    own = piles[rows, owners]
    moved = own.copy()
    moved[:, 1:] = own[:, :-1]
    at = np.arange(PILE_LIMIT)
    shifts = to_deck[:, None] & (at > place[:, None]) & (at <= (deck + hand)[:, None])
    changed = np.where(shifts, moved, own)
    target = np.where(to_deck, place, PILE_LIMIT - 1 - discarded)
    changed[np.arange(len(rows)), target] = given
    piles[rows, owners] = changed
    counts[rows, owners, np.where(to_deck, Zone.DECK, Zone.DISCARD_PILE)] += 1


def _kinships(game: Game) -> Mapping[str, Pairs]:
    variant: Any = game.variant
    table = variant.card_set
    size = len(table.names)
    factions = np.zeros((size, len(table.factions)), bool)
    wanted = np.zeros_like(factions)  # by ally abilities
    for number, card in enumerate(table.cards):
        factions[number, list(card.factions)] = True
        wanted[number, [box.faction for box in card.ally]] = True
    partner = wanted.astype(int) @ factions.T.astype(int) > 0
    draws, scraps = (_having(table, size, operations) for operations in (DRAWS, SCRAPS))
    return {
        "share a faction": factions.astype(int) @ factions.T.astype(int) > 0,
        "trigger an ally ability": partner | partner.T,
        "both draw cards": related(draws),
        "both scrap cards": related(scraps),
        "draw and scrap cards": related(draws, scraps),
    }


def _having(table, size, operations):
    """Return the cards that have one of some operations: bool[size]."""
    having = np.zeros(size, bool)
    for number, card in enumerate(table.cards):
        having[number] = any(card.has(operation) for operation in operations)
    return having


def _late_turn(game: Game) -> int:
    """Return the last turn of the fifth round."""
    rules = game.rules[0]
    return FIRST_TURN_OF_STAGE[1] * int(rules["sides"] if rules["shared_turn"] else rules["players"])


_GIFTS = Gifts("the draw deck", _cards, _names, _give, _kinships, _late_turn)
GIFTS = {"star_realms": _GIFTS, "rise_of_empire": _GIFTS}
