"""The fixed data of a variant as one read-only record: card table, switches, action numbers."""

from enum import IntEnum

import numpy as np

from stardeck.kernels.interstellar_empire.state import DECK_LIMIT, KIND_LIMIT, MAX_SEATS

ACTION_LIMIT = 256
FIELD_LIMIT = 40
NO_ACTION = -1


class Family(IntEnum):
    """Red, green and blue cards (rulebook: Ship Cards, Planet Cards, Special Cards)."""

    SHIP = 0
    PLANET = 1
    SPECIAL = 2


class Op(IntEnum):
    """Operations of planets and specials, named by the words of a card table (cards/table.py)."""

    NONE = 0
    DRAW_WHEN_DISCOVERED = 1
    DRAW_EACH_TURN = 2
    PRICE_OF_CONQUEST = 3
    ARTIFACT = 4
    TAX_NEW_SHIP = 5
    TAX_NEW_PLANET = 6
    PICK = 7
    STEAL_NEW_SHIP = 8
    PICK_SHARED = 9
    BATTLE_BONUS = 10


class Act(IntEnum):
    """Blocks of the action space (spaces/actions.py). Blocks that name a card come first."""

    BID = 0
    PAY = 1
    DISCARD = 2
    KEEP = 3
    EXPLORE = 4
    WITH = 5
    BUILD = 6
    SEND = 7
    SEND_TAPPED = 8
    ATTACK = 9
    PLAY = 10
    PLAY_ON = 11
    DECLARE = 12
    DRAW = 13
    DONE = 14
    PASS = 15
    DECLINE = 16
    CONCEDE = 17
    END_TURN = 18


CARD_ACTS = Act.PLAY_ON + 1  # acts that name a card

CARD = np.dtype(
    [
        ("number", np.int16),  # cost, firepower, random number
        ("family", np.int16),
        ("op", np.int16),
        ("amount", np.int16),
        ("action", np.int16, (CARD_ACTS,)),  # the action number of each act with this card, or NO_ACTION
    ],
    align=True,
)

ACTION = np.dtype([("detail", np.int16), ("act", np.int16), ("card", np.int16)], align=True)

RULES = np.dtype(
    [
        ("num_actions", np.int32),
        ("kinds", np.int32),
        ("players", np.int32),
        ("planet_kinds", np.int32),  # distance between two seats in the block of attacks
        ("opponent_specials", np.int32),  # distance between two seats in the block of specials played on an opponent
        ("governments", np.int32),  # 1: played with the Liberal and Tyrannical States
        ("concede", np.int32),  # 1: players may concede
        ("bid", np.int32),  # 1: players bid for the first turn
        ("deck_count", np.int32),
        ("padding", np.int32),  # always 0
        ("with_op", np.uint64, (len(Op),)),  # bits of the kinds with this operation
        ("numbers", np.uint8, (KIND_LIMIT,)),  # number of each kind, as payment
        ("numbers_of_dictator", np.uint8, (KIND_LIMIT,)),  # the same, with 0 for cards that a dictator may not discard
        ("first", np.int16, (len(Act),)),  # the first number of each block
        ("offset", np.uint16, (FIELD_LIMIT,)),  # where each field of an observation begins
        ("more_padding", np.int16, (5,)),  # always 0
        ("cards", CARD, (KIND_LIMIT,)),
        ("actions", ACTION, (ACTION_LIMIT,)),
        ("deck", np.uint8, (DECK_LIMIT,)),
        ("variant", np.uint64),  # the tag of its states, computed from all fields above
    ],
    align=True,
)

assert MAX_SEATS <= 8, "agents have a stream of chance for so many seats"
