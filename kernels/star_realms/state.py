"""One game of Star Realms as one record, in the rulebook's words (rulebook: Setup, Play).

Card numbers index the card table in `rules`; NO_CARD stands for an empty place. Seats are absolute here; actions and
observations count them from the acting seat. Hands, discard pile and Scrap Heap have no order; a deck's top card is
last. What follows from other fields is not stored.
"""

from enum import IntEnum

import numpy as np

NO_CARD = 255
NOBODY = -1

# Limits, each with its reason; `make_variant` refuses card tables that could pass one.
MAX_SEATS = 2  # standard two-player game
TYPE_LIMIT = 64  # kinds of cards in one game; 49 in the core set
TYPE_WORDS = TYPE_LIMIT // 64
PILE_LIMIT = 112  # cards one player can own: 80 trade cards, 10 Explorers, 10 starting cards
TRADE_DECK_LIMIT = 96  # 80 trade cards
IN_PLAY_LIMIT = 112  # every card that a player owns
ROW_SIZE = 5  # rulebook: Setup
STACK_LIMIT = 4  # decisions that can wait for one another: a copied ability inside a copy is the deepest
FACTION_LIMIT = 8
OPTION_LIMIT = 3  # alternatives of one "or"


class Zone(IntEnum):
    """The zones of a player that are plain piles of cards."""

    DECK = 0
    HAND = 1
    DISCARD_PILE = 2


class Used(IntEnum):
    """Bits of `in_play.used`: what has happened to a card in play this turn."""

    PRIMARY = 1
    ALLY = 2
    TRIGGERED = 4  # its ally ability was triggered by a partner that has left play since


class Decision(IntEnum):
    """What the frame on top of the stack asks."""

    REST = 0  # nothing: effects still to be carried out
    OPTION = 1  # which side of an "or"
    SCRAP_FROM_HAND = 2
    SCRAP_FROM_HAND_OR_DISCARD = 3
    SCRAP_FROM_TRADE_ROW = 4
    DESTROY_BASE = 5
    DISCARD = 6
    ACQUIRE = 7
    COPY = 8
    TARGET = 9  # which opponent must discard
    AMOUNT = 10  # how much combat a part attack spends


IN_PLAY = np.dtype(
    [
        ("card", np.uint8),
        ("copying", np.uint8),  # the ship a Stealth Needle copies, or NO_CARD
        ("used", np.uint8),  # bits of Used
    ],
    align=True,
)

PLAYER = np.dtype(
    [
        ("ships_played", np.uint64, (TYPE_WORDS,)),  # kinds of ships played this turn, gone ones included
        ("authority", np.int32),  # 0 or less: out of the game; without a cap
        ("trade", np.int32),  # pool, emptied in the Discard Phase
        ("combat", np.int32),  # pool, emptied in the Discard Phase
        ("next_ship_on_top", np.int16),  # ships that may still go on top of the deck this turn
        ("discards_owed", np.int16),  # put off to the next turn (forced_discards = next_turn)
        ("known_on_deck", np.int16),  # cards on top of the deck that everybody has seen
        ("known_in_hand", np.int16),  # cards at the front of the hand that everybody can name
        ("in_play_count", np.int16),
        ("count", np.int16, (len(Zone),)),  # cards in each pile
        ("played", np.uint8, (FACTION_LIMIT,)),  # cards of each faction played this turn
        ("latched", np.uint8),  # factions triggered this turn (ally_latch = faction)
        ("in_play", IN_PLAY, (IN_PLAY_LIMIT,)),
        ("cards", np.uint8, (len(Zone), PILE_LIMIT)),  # top card last
        ("padding", np.uint8, (3,)),  # always 0
    ],
    align=True,
)

FRAME = np.dtype(
    [
        ("left", np.int32),  # choices still to be made; AMOUNT: the combat there is
        ("done", np.int32),  # choices made; AMOUNT: the sum so far
        ("rest", np.int16),  # effects still to follow: rules.effects[rest:end]
        ("end", np.int16),
        ("detail", np.int16),  # OPTION: the card; AMOUNT: the attacked seat; ACQUIRE: the highest cost
        ("decision", np.int8),
        ("seat", np.int8),  # who decides
        ("owner", np.int8),  # whose ability it is
        ("optional", np.int8),  # may be declined
        ("then_draw", np.int8),  # draw as many cards as were chosen
        ("padding", np.int8),  # always 0
    ],
    align=True,
)

STATE = np.dtype(
    [
        ("random", np.uint64),  # the game's own stream of chance, see kernels/random.py
        ("players", PLAYER, (MAX_SEATS,)),
        ("turn", np.int32),  # turns begun, from 1
        ("decisions", np.int32),  # actions applied since the deal
        ("stack", FRAME, (STACK_LIMIT,)),
        ("stack_count", np.int16),
        ("explorers", np.int16),  # Explorers in their pile
        ("trade_deck_count", np.int16),
        ("active", np.int8),  # the seat whose turn it is
        ("to_act", np.int8),  # the seat that decides now; NOBODY when the game is over
        ("truncated", np.int8),  # 1: ended by the limit on turns
        ("placement", np.int8, (MAX_SEATS,)),  # 1 = winner; 0 while still in the game
        ("trade_row", np.uint8, (ROW_SIZE,)),  # the place furthest from the trade deck first
        ("trade_deck", np.uint8, (TRADE_DECK_LIMIT,)),  # top card last
        ("scrap_heap", np.uint8, (TYPE_LIMIT,)),  # how many of each card
    ],
    align=True,
)
