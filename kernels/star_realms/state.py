"""One game of Star Realms as one record, in the rulebook's words (rulebook: Setup, Play, Formats).

Card numbers index the card table in `rules`; NO_CARD stands for an empty place. Seats are absolute here; actions and
observations count them from the acting seat. Hands, discard pile and Scrap Heap have no order. What follows from other
fields is not stored, but for the shared score of a team, which stands with each of its players.

A player's deck, hand and discard pile share one buffer: the deck from its start, top card last; the hand right above
it, so that drawing moves no card; the discard pile at its end.
"""

from enum import IntEnum

import numpy as np

NO_CARD = 255
NOBODY = -1

# Limits, each with its reason; `make_variant` refuses card tables that could pass one.
MAX_SEATS = 6  # the largest formats
TYPE_LIMIT = 128  # kinds of cards in one game; 118 in Rise of Empire with its post-campaign pack and upgraded cards
SMALL_TYPE_LIMIT = 64  # in a small state; 50 in the Box Set
SMALL_SLOT_LIMIT = 8  # unused: no card of a small state can be upgraded, and eight bytes leave no gap
PILE_LIMIT = 141  # cards one player can own: the largest trade deck, all Explorers, three teammates' starting cards
TRADE_DECK_LIMIT = 96  # 84 trade cards in the largest
IN_PLAY_LIMIT = 40  # half as many again as the most seen in a million games; `put_into_play` raises an error beyond it
ROW_SIZE = 5  # rulebook: Setup
STACK_LIMIT = 5  # decisions that can wait for one another: a copied ability inside a copy is the deepest, and one more
FACTION_LIMIT = 7
OPTION_LIMIT = 3  # alternatives of one "or"
GAMBIT_LIMIT = 10  # kinds of gambits
BOX_LIMIT = 2  # ally boxes of one card: the printed one and that of a sticker
SHEETS = 4  # of Ability Upgrade stickers, for each side of a campaign
ROWS = 5  # of one sheet
STICKERS = SHEETS * ROWS  # of one side: rows of sheets, counted through all of them
SLOT_LIMIT = 2 * STICKERS  # upgraded cards of a campaign: one for each sticker of each side
SCENARIOS = 12
MOST_VICTORY_POINTS = 255  # of one side: they are counted in a byte


class Zone(IntEnum):
    """The zones of a player that are plain piles of cards."""

    DECK = 0
    HAND = 1
    DISCARD_PILE = 2


class Face(IntEnum):
    """Which way up a gambit lies in front of its owner."""

    HIDDEN = 0
    REVEALED = 1


class Part(IntEnum):
    """How far a player is in a shared turn."""

    OPEN = 0
    FINISHED = 1
    HANDED_OVER = 2  # the move, to a teammate, and nothing has been done since


class Ability(IntEnum):
    """Bits: the abilities of a card that are used in play, in `cards.abilities`; those used, in `in_play.used`."""

    PRIMARY = 1  # of a base; a ship's happens when it is played
    ALLY = 2
    SECOND_ALLY = 4  # of a sticker beside a printed one
    SCRAP = 256  # above the bits of `used`: a card that was scrapped is no longer in play


TRIGGERED = 8  # bit of `in_play.used`: the ally ability was triggered by a partner that has left play since
SECOND_TRIGGERED = 16
NAMED_SHIFT = 5  # above these bits: 1 + the faction named for a Merc Cruiser, or 0


class Decision(IntEnum):
    """What the frame on top of the stack asks."""

    REST = 0  # nothing: effects still to be carried out
    OPTION = 1  # which side of an "or"
    SCRAP_FROM_HAND = 2
    SCRAP_FROM_HAND_OR_DISCARD = 3
    SCRAP_FROM_TRADE_ROW = 4
    DESTROY_BASE = 5
    DISCARD = 6
    ACQUIRE = 7  # a ship, on top of the deck
    COPY = 8
    TARGET = 9  # which opponent must discard
    AMOUNT = 10  # how much combat or trade, for some Purpose
    FACTION = 11  # named for a Merc Cruiser in play
    BOSS_FACTION = 12  # which of its abilities the Boss gains from a revealed card
    LEAVE = 13  # a card that a defeated player leaves to a teammate
    REVEAL = 14  # gambits to reveal before the first turn
    PUT_ON_DECK = 15  # a card of the discard pile
    ACQUIRE_UP_TO = 16  # a card of some cost, into the discard pile
    PAY = 17  # trade, to look at as many gambits
    KEEP = 18  # which of these gambits
    DRAW = 19  # whether to draw, and then perhaps to discard
    UPGRADE = 20  # the card just acquired, with a sticker of which sheet
    MODIFIER = 21  # which change of the rules a scenario brings
    FILL_UP = 22  # which card to upgrade after a campaign
    ACQUIRE_FROM_ROW = 23  # a ship of the trade row of some cost, on top of the deck
    BID = 24  # authority for the first turn


class Goal(IntEnum):
    """Where an acquired card goes."""

    DISCARD_PILE = 0
    DECK = 1


class Purpose(IntEnum):
    """What an AMOUNT is for."""

    ATTACK_PLAYER = 0
    ATTACK_BOSS = 1
    GIVE_TRADE = 2
    GIVE_COMBAT = 3
    DAMAGE_BASE = 4


IN_PLAY = np.dtype(
    [
        ("card", np.uint8),
        ("copying", np.uint8),  # the ship a Stealth Needle copies, or NO_CARD
        ("used", np.uint8),  # bits of Ability, TRIGGERED; above them the faction named for it
        ("allies", np.uint8),  # bits of the factions it is an ally for: printed, copied and named
        ("damage", np.uint8),  # combat spent on the Boss's base in a Raid since the Boss's last turn
    ],
    align=True,
)

FRAME = np.dtype(
    [
        ("left", np.int32),  # choices still to be made; AMOUNT: the sum stays below this; BID: bits of who may bid
        ("done", np.int32),  # choices made; AMOUNT: the sum so far; BID: the highest bid so far
        ("rest", np.int16),  # effects still to follow: rules.effects[rest:end]
        ("end", np.int16),
        # OPTION: of rules.choices; AMOUNT: the seat or base; LEAVE: the heir; ACQUIRE_UP_TO, ACQUIRE_FROM_ROW: the
        # cost; DRAW: how many cards; BOSS_FACTION: bits of its abilities; UPGRADE: the card
        ("detail", np.int16),
        ("decision", np.int8),
        ("seat", np.int8),  # who decides
        ("owner", np.int8),  # whose ability it is; BID: who has the first turn as bids stand
        ("optional", np.int8),  # may be declined
        ("then_draw", np.int8),  # cards drawn for each one chosen
        ("then_combat", np.int8),  # combat for each one chosen
        ("then_authority", np.int8),  # authority for each one chosen
        ("then_discard", np.int8),  # DRAW: cards discarded after it
        ("purpose", np.int8),  # AMOUNT: of Purpose; UPGRADE: of Goal
        ("padding", np.int8),  # always 0
    ],
    align=True,
)


def _player(types):
    """One player, in a game of so many kinds of cards."""
    return np.dtype(
        [
            ("ships_played", np.uint64, (types // 64,)),  # kinds of ships played this turn, gone ones included
            ("authority", np.int32),  # 0 or less: out of the game; without a cap; a team's shared score
            ("trade", np.int32),  # pool, emptied in the Discard Phase
            ("combat", np.int32),  # pool, emptied in the Discard Phase
            ("next_ship_on_top", np.int16),  # ships that may still go on top of the deck this turn
            ("discount", np.int16),  # trade less for a card of the trade row this turn
            ("discards_owed", np.int16),  # put off to the next turn (forced_discards = next_turn)
            ("known_on_deck", np.int16),  # cards on top of the deck that everybody has seen
            ("known_in_hand", np.int16),  # cards at the front of the hand that everybody can name
            ("in_play_count", np.int16),
            ("count", np.int16, (len(Zone),)),  # cards in each pile
            ("played", np.uint8, (FACTION_LIMIT,)),  # cards of each faction played this turn
            ("latched", np.uint8),  # factions triggered this turn (ally_latch = faction)
            ("finished", np.uint8),  # of Part: how far a player is in a shared turn
            ("gambits", np.uint8, (len(Face), GAMBIT_LIMIT)),  # how many of each kind lie in front of it
            ("in_play", IN_PLAY, (IN_PLAY_LIMIT,)),
            ("cards", np.uint8, (PILE_LIMIT,)),  # deck, hand above it; discard pile at the end
        ],
        align=True,
    )


def _state(types, slots):
    """One game of so many kinds of cards, of which so many can be upgraded ones."""
    return np.dtype(
        [
            # What every decision looks at, in one cache line.
            ("random", np.uint64),  # the game's own stream of chance, see kernels/primitives/random.py
            ("turn", np.int32),  # turns of players or teams begun, from 1
            ("turns_before", np.int32),  # turns of earlier games of a campaign
            ("decisions", np.int32),  # actions applied since the deal
            ("boss_authority", np.int32),  # of the automated Boss of a challenge
            ("boss_combat", np.int32),  # its pool
            ("stack_count", np.int16),
            ("explorers", np.int16),  # Explorers in their pile
            ("trade_deck_count", np.int16),
            ("boss_effect", np.int16),  # the Boss's turn goes on with rules.boss_effects[boss_effect:boss_end]
            ("boss_end", np.int16),
            ("boss_waits", np.int8),  # player turns after the present one before the Boss's first turn
            ("boss_turn", np.int8),  # 1: the Boss's turn is going on
            ("boss_place", np.int8),  # the place of the trade row whose card decides what the Boss does
            ("boss_first", np.int8),  # to the players of these seats
            ("boss_last", np.int8),
            ("boss_seat", np.int8),  # of whom this one is next
            ("mulligan_used", np.int8),  # 1: the trade row has been mulliganed
            ("active", np.int8),  # the seat whose turn it is; in a shared turn, the seat that has the move
            ("to_act", np.int8),  # the seat that decides now; NOBODY when the game is over
            ("truncated", np.int8),  # 1: ended by the limit on turns
            ("placement", np.int8, (MAX_SEATS,)),  # 1 = winner; 0 while its side is still in the game
            ("trade_row", np.uint8, (ROW_SIZE,)),  # the place furthest from the trade deck first
            ("face_down_count", np.uint8),  # cards face down before the Nemesis Beast
            ("face_down_unseen", np.uint8),  # how many of them nobody has seen
            ("scenario", np.int8),  # of a campaign, from 1; 0: none
            ("modifier", np.int8),  # 1 or 2: the choice that the first player made for this scenario
            ("limit_used", np.int8),  # how often a scenario's effect with a limit per turn has been used this turn
            ("first", np.int8),  # the seat with the first turn of the game
            ("victory_points", np.uint8, (2,)),  # of a campaign, by side
            ("padding", np.uint8),  # always 0
            ("variant", np.uint32),  # the tag of the variant that it belongs to, see kernels/contract/card_tables.py
            ("players", _player(types), (MAX_SEATS,)),
            ("stack", FRAME, (STACK_LIMIT,)),
            ("trade_deck", np.uint8, (TRADE_DECK_LIMIT,)),  # top card last
            ("scrap_heap", np.uint8, (types,)),  # how many of each card
            ("face_down", np.uint8, (TRADE_DECK_LIMIT,)),  # the unseen ones first
            ("unclaimed_gambits", np.uint8, (GAMBIT_LIMIT,)),  # how many of each kind nobody was dealt
            ("looked_at", np.uint8, (GAMBIT_LIMIT,)),  # gambits in the hand of whoever plays a Wild Gambit
            ("rows_used", np.uint32, (2,)),  # by side of a campaign: bits of the rows of its sheets that are used up
            ("upgraded", np.uint8, (slots,)),  # the card that has the sticker of each slot, or NO_CARD
            ("won_by", np.int8, (SCENARIOS,)),  # the side that has won each scenario, from 1; 0: not yet played
        ],
        align=True,
    )


# Most games fit a small state, for which kernels are compiled without upgraded cards, scenarios, second ally abilities.
STATE = _state(SMALL_TYPE_LIMIT, SMALL_SLOT_LIMIT)
LARGE_STATE = _state(TYPE_LIMIT, SLOT_LIMIT)


def pile_of(player, zone) -> np.ndarray:
    """The cards of a pile as a view, a deck's top card last. player: one record; uint8[count]."""
    deck, hand, discarded = (int(count) for count in player["count"])
    first, last = {
        Zone.DECK: (0, deck),
        Zone.HAND: (deck, deck + hand),
        Zone.DISCARD_PILE: (PILE_LIMIT - discarded, PILE_LIMIT),
    }[zone]
    return player["cards"][first:last]
