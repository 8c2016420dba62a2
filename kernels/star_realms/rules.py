"""What a variant never changes, as one read-only record: card table, effects, switches, numbers of actions.

`Variant` (variant.py) fills it in from a card table and a format; kernels get it as their first argument.
"""

from enum import IntEnum

import numpy as np

from stardeck.kernels.star_realms.state import FACTION_LIMIT, MAX_SEATS, OPTION_LIMIT, TRADE_DECK_LIMIT, TYPE_LIMIT

EFFECT_LIMIT = 256
ACTION_LIMIT = 1024
STARTING_DECK_LIMIT = 16
FIELD_LIMIT = 32
NO_ACTION = -1


class Kind(IntEnum):
    """Types of cards. (Rulebook: Ships, Bases)"""

    SHIP = 0
    BASE = 1
    OUTPOST = 2


class Op(IntEnum):
    """What one effect of an ability does; the words of a card table stand for these (cards/vocabulary.py)."""

    TRADE = 0
    COMBAT = 1
    AUTHORITY = 2
    DRAW = 3
    DRAW_PER_PLAYED = 4  # for each card of a faction played this turn
    OPPONENT_DISCARDS = 5
    NEXT_SHIP_ON_TOP = 6
    SCRAP_FROM_HAND = 7
    SCRAP_FROM_HAND_OR_DISCARD = 8
    SCRAP_FROM_TRADE_ROW = 9
    DESTROY_BASE = 10
    ACQUIRE_SHIP_TO_DECK = 11
    DISCARD = 12
    COPY_SHIP = 13


class Act(IntEnum):
    """Blocks of the action space (actions.py)."""

    END_TURN = 0
    PLAY = 1
    USE = 2
    USE_ALLY = 3
    USE_SCRAP = 4
    BUY = 5
    BUY_TO_DECK = 6
    ATTACK_PLAYER = 7
    ATTACK_PART = 8
    ATTACK_BASE = 9
    DESTROY_BASE = 10
    CHOOSE = 11
    SCRAP_FROM_HAND = 12
    SCRAP_FROM_DISCARD = 13
    SCRAP_FROM_TRADE_ROW = 14
    DISCARD = 15
    ACQUIRE = 16
    COPY = 17
    TARGET = 18
    ADD = 19
    DONE = 20
    DECLINE = 21


class ForcedDiscards(IntEnum):
    """When a forced discard is paid: at once (printed rule), or at the start of the victim's turn (digital app)."""

    IMMEDIATE = 0
    NEXT_TURN = 1


class AllyLatch(IntEnum):
    """What stays triggered when the partner leaves play: the card, its whole faction, or nothing."""

    CARD = 0
    FACTION = 1
    NONE = 2


EFFECT = np.dtype(
    [
        ("amount", np.int16),  # trade, combat, authority or cards
        ("op", np.int16),
        ("optional", np.int16),  # may be declined, or ended before the full amount
        ("then_draw", np.int16),  # draw as many cards as were chosen
        ("faction", np.int16),  # DRAW_PER_PLAYED: number of the faction
        ("bases", np.int16),  # only with at least so many bases in play
    ],
    align=True,
)

CARD = np.dtype(
    [
        ("action", np.int16, (len(Act),)),  # the number of "do this with this card", or NO_ACTION
        ("primary", np.int16, (OPTION_LIMIT, 2)),  # effects [first, end) of each side of an "or"
        ("ally", np.int16, (2,)),
        ("scrap", np.int16, (2,)),
        ("cost", np.int16),
        ("defense", np.int16),
        ("kind", np.int16),
        ("options", np.int16),  # sides of the primary ability; 0: none
        ("word", np.int16, (OPTION_LIMIT,)),  # the word that names each side, see rules.first[Act.CHOOSE]
        ("faction", np.int16),  # bits of the factions it has
        ("ally_for", np.int16),  # bits of the factions it is an ally for (Mech World: all)
        ("ally_faction", np.int16),  # bits of the factions that trigger its ally ability
        ("ship_combat", np.int16),  # combat for each ship played while it is in play
        ("ship_combat_at_once", np.int16),  # 1: also for the ships in play when it arrives
        ("copies", np.int16),  # 1: its primary ability copies a ship
    ],
    align=True,
)

ACTION = np.dtype([("detail", np.int16), ("act", np.int16), ("card", np.int16)], align=True)

RULES = np.dtype(
    [
        ("cards", CARD, (TYPE_LIMIT,)),
        ("effects", EFFECT, (EFFECT_LIMIT,)),
        ("actions", ACTION, (ACTION_LIMIT,)),
        ("first", np.int16, (len(Act),)),  # the first number of each block
        ("offset", np.int16, (FIELD_LIMIT,)),  # where each field of an observation begins
        ("num_actions", np.int32),
        ("types", np.int32),  # kinds of cards
        ("base_kinds", np.int32),  # kinds of bases: distance between two seats in the blocks of bases
        ("factions", np.int32),
        ("explorer", np.int32),  # its number
        ("explorers", np.int32),  # Explorers in the pile at the start
        ("trade_deck_count", np.int32),
        ("starting_deck_count", np.int32),
        ("players", np.int32),
        ("authority", np.int32),  # at the start
        ("hand_size", np.int32),  # cards drawn in the Draw Phase
        ("max_turns", np.int32),
        ("forced_discards", np.int32),
        ("ally_latch", np.int32),
        ("needle_counts_for_blob_world", np.int32),
        ("copy_gone_ships", np.int32),
        ("opening_hands", np.int32, (MAX_SEATS,)),
        ("trade_deck", np.uint8, (TRADE_DECK_LIMIT,)),
        ("starting_deck", np.uint8, (STARTING_DECK_LIMIT,)),
    ],
    align=True,
)

assert FACTION_LIMIT <= 8, "factions are bits of a byte"
