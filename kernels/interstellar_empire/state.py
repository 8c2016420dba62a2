"""The record of one game of Interstellar Empire, in the rulebook's words (rulebook: Set Up, Sequence Of Play).

Card numbers index the card table in `rules`. Hands, fleets and empires are unordered, so they store a count for each
kind of card. Seats are absolute here; actions and observations count them from the acting seat.
"""

from enum import IntEnum

import numpy as np

NO_CARD = 255
NOBODY = -1
MAX_SEATS = 4  # rulebook: Players 2-4
KIND_LIMIT = 24  # kinds of cards; the table in the package has 17
DECK_LIMIT = 80  # 60 cards
SHIP_LIMIT = 40  # ships in all; the table in the package has 26
LARGEST_NUMBER = 6  # rulebook: 60 Card Deck
PICK_LIMIT = 3  # picks that one special can give


class Government(IntEnum):
    """Forms of government that a player can declare (rulebook: Optional Rules)."""

    UNDECIDED = 0
    EMPEROR = 1
    PRIME_MINISTER = 2
    DICTATOR = 3


class Phase(IntEnum):
    """Phases of a turn. The state holds the earliest open one; a move of a later phase closes all earlier ones."""

    BID = 0
    DECLARE = 1
    DRAW = 2
    EXPLORE = 3
    WAR = 4
    BUILD = 5


class Ask(IntEnum):
    """Questions that the seat to act can face."""

    MOVE = 0  # any move of the turn
    SHIP = 1  # choose the ship that makes the journey
    PAY = 2  # pay, one card at a time
    ATTACKERS = 3
    DEFENDERS = 4
    SURPRISE = 5  # play a special that adds to the score
    NUMBER = 6  # use a card from the hand as the random number
    JUNGLE = 7
    RESISTANCE = 8  # play a special against a planet just gained
    RESISTANCE_ANSWER = 9
    SLAVERY = 10  # play a special for a planet just gained
    KEEP = 11  # keep one of two cards looked at
    ARTIFACT = 12  # keep one of two cards of one's own hand, shown to all players
    PIRACY = 13  # play a special that takes a ship just built
    UNREST = 14  # play a special against a ship just built
    UNREST_ANSWER = 15


class How(IntEnum):
    """Ways to gain a planet."""

    DISCOVERED = 0
    CONQUERED = 1


PLAYER = np.dtype(
    [
        ("hand", np.uint8, (KIND_LIMIT,)),
        ("untapped", np.uint8, (KIND_LIMIT,)),  # ships of the fleet
        ("tapped", np.uint8, (KIND_LIMIT,)),
        ("empire", np.uint8, (KIND_LIMIT,)),
        ("government", np.int8),
        ("out", np.int8),  # 1: the player has conceded
        ("bid", np.uint8),  # the card laid down for the first turn, or NO_CARD
        ("padding", np.uint8, (5,)),  # always 0
    ],
    align=True,
)

SENT = np.dtype([("card", np.uint8), ("tapped", np.uint8)], align=True)

STATE = np.dtype(
    [
        ("random", np.uint64),  # the game's own random stream, see kernels/primitives/random.py
        ("turn", np.int32),  # turns begun, from 1; 0 during the bid for the first turn
        ("decisions", np.int32),  # actions applied since the deal
        ("deck_count", np.int16),
        ("discard_count", np.int16),
        ("paid", np.int16),  # numbers paid so far for `subject`
        ("attack_score", np.int16),
        ("bonus", np.int16, (2,)),  # bonus of attacker and defender, from specials
        ("active", np.int8),  # the seat whose turn it is
        ("to_act", np.int8),  # the seat that decides now; NOBODY when the game is over
        ("truncated", np.int8),  # always 0: every turn takes a card from the deck, so each game ends
        ("phase", np.int8),  # a Phase
        ("ask", np.int8),  # an Ask
        ("extra_draws", np.int8),  # optional cards that may still be drawn in this draw phase
        ("how", np.int8),  # a How
        ("defender", np.int8),
        ("placement", np.int8, (MAX_SEATS,)),  # 1: winner, shared in a draw; 0: the seat is still in the game
        ("picks", np.int8, (PICK_LIMIT,)),  # seats whose picks follow the present one
        ("picks_count", np.int8),
        ("subject", np.uint8),  # the card that is paid for, fought over, just gained or just built
        ("looked_at", np.uint8, (2,)),  # cards in question, or NO_CARD
        ("sent_count", np.uint8),
        ("first", np.int8),  # the seat that had the first turn
        ("padding", np.uint8, (3,)),  # always 0
        ("variant", np.uint32),  # the tag of the variant, see kernels/contract/card_tables.py
        ("attackers", np.uint8, (KIND_LIMIT,)),  # ships sent to the war
        ("defenders", SENT, (SHIP_LIMIT,)),  # in the order they were sent
        ("players", PLAYER, (MAX_SEATS,)),
        ("deck", np.uint8, (DECK_LIMIT,)),  # top card last
        ("discard_pile", np.uint8, (DECK_LIMIT,)),  # top card last
    ],
    align=True,
)
