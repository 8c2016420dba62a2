"""One game of Star Realms as one record, in the rulebook's words (rulebook: Setup, Play, Formats).

Card numbers index the card table in `rules`; NO_CARD stands for an empty place. Seats are absolute here; actions and
observations count them from the acting seat. Hands, discard piles and the Scrap Heap have no order. The record stores
nothing that other fields imply, with one exception: each player of a team stores the team's shared score.

A player's deck, hand and discard pile share one buffer. The deck begins at its start, top card last. The hand follows
the deck, which makes a draw move no card. The discard pile lies at the end.
"""

from enum import IntEnum

import numpy as np

NO_CARD = 255
NOBODY = -1

# Limits, each with its reason; `make_variant` refuses card tables that could pass one.
MAX_SEATS = 6  # the largest formats
TYPE_LIMIT = 128  # kinds of cards in one game; Rise of Empire with its post-campaign pack and upgraded cards has 118
SMALL_TYPE_LIMIT = 64  # in a small state; the Box Set has 50
SMALL_SLOT_LIMIT = 8  # unused: no card of a small state can be upgraded, and eight bytes leave no gap
PILE_LIMIT = 141  # cards one player can own: the largest trade deck, all Explorers, three teammates' starting cards
TRADE_DECK_LIMIT = 96  # the largest trade deck has 84 cards
IN_PLAY_LIMIT = 40  # 1.5 times the most seen in a million games; `put_into_play` raises an error beyond it
ROW_SIZE = 5  # rulebook: Setup
STACK_LIMIT = 5  # nested decisions: a copied ability inside a copy is the deepest case; one is spare
FACTION_LIMIT = 7
OPTION_LIMIT = 3  # alternatives of one "or"
GAMBIT_LIMIT = 10  # kinds of gambits
BOX_LIMIT = 2  # ally boxes of one card: a printed one and one of a sticker
SHEETS = 4  # sheets of Ability Upgrade stickers, for each side of a campaign
ROWS = 5  # rows of one sheet
STICKERS = SHEETS * ROWS  # rows of one side, counted through all its sheets
SLOT_LIMIT = 2 * STICKERS  # upgraded cards of a campaign: one for each sticker of each side
SCENARIOS = 12
MOST_VICTORY_POINTS = 255  # points of one side; one byte stores them


class Zone(IntEnum):
    """Zones of a player that are plain piles of cards."""

    DECK = 0
    HAND = 1
    DISCARD_PILE = 2


class Face(IntEnum):
    """The two ways up that a gambit can lie in front of its owner."""

    HIDDEN = 0
    REVEALED = 1


class Part(IntEnum):
    """Progress of a player in a shared turn."""

    OPEN = 0
    FINISHED = 1
    HANDED_OVER = 2  # the player has given the move to a teammate, and the team has done nothing since


class Ability(IntEnum):
    """Bits for the abilities that a card in play offers (`cards.abilities`) or has used (`in_play.used`)."""

    PRIMARY = 1  # of a base; a ship resolves its primary ability when it is played
    ALLY = 2
    SECOND_ALLY = 4  # of a sticker, in addition to a printed one
    SCRAP = 256  # above the bits of `used`: a scrapped card is no longer in play


TRIGGERED = 8  # bit of `in_play.used`: a partner triggered the ally ability and has left play since
SECOND_TRIGGERED = 16
NAMED_SHIFT = 5  # above these bits: 1 + the faction named for a Merc Cruiser, or 0


class Decision(IntEnum):
    """Questions that the frame on top of the stack can ask."""

    REST = 0  # no question: effects still to resolve
    OPTION = 1  # one side of an "or"
    SCRAP_FROM_HAND = 2
    SCRAP_FROM_HAND_OR_DISCARD = 3
    SCRAP_FROM_TRADE_ROW = 4
    DESTROY_BASE = 5
    DISCARD = 6
    ACQUIRE = 7  # a ship, on top of the deck
    COPY = 8
    TARGET = 9  # the opponent who must discard
    AMOUNT = 10  # an amount of combat or trade, for some Purpose
    FACTION = 11  # the faction of a Merc Cruiser in play
    BOSS_FACTION = 12  # the ability that the Boss gains from a revealed card
    LEAVE = 13  # a card that a defeated player leaves to a teammate
    REVEAL = 14  # gambits to reveal before the first turn
    PUT_ON_DECK = 15  # a card of the discard pile
    ACQUIRE_UP_TO = 16  # a card up to some cost, into the discard pile
    PAY = 17  # trade, to look at the same number of gambits
    KEEP = 18  # the gambit to keep, of those looked at
    DRAW = 19  # an optional draw, in some cases with a discard after it
    UPGRADE = 20  # the sheet of the sticker for the card just acquired
    MODIFIER = 21  # the rule change that a scenario makes
    FILL_UP = 22  # the card to upgrade after a campaign
    ACQUIRE_FROM_ROW = 23  # a ship of the trade row up to some cost, on top of the deck
    BID = 24  # authority for the first turn


class Goal(IntEnum):
    """Destinations of an acquired card."""

    DISCARD_PILE = 0
    DECK = 1


class Purpose(IntEnum):
    """Purposes of an AMOUNT decision."""

    ATTACK_PLAYER = 0
    ATTACK_BOSS = 1
    GIVE_TRADE = 2
    GIVE_COMBAT = 3
    DAMAGE_BASE = 4


IN_PLAY = np.dtype(
    [
        ("card", np.uint8),
        ("copying", np.uint8),  # the ship a Stealth Needle copies, or NO_CARD
        ("used", np.uint8),  # bits of Ability, TRIGGERED; above them the faction named for this card
        ("allies", np.uint8),  # bits of the factions for which it is an ally: printed, copied and named
        ("damage", np.uint8),  # combat spent on the Boss's base in a Raid since the Boss's last turn
    ],
    align=True,
)

FRAME = np.dtype(
    [
        ("left", np.int32),  # choices still to make; AMOUNT: the sum stays below this; BID: bits of seats that may bid
        ("done", np.int32),  # choices made; AMOUNT: the sum so far; BID: the highest bid so far
        ("rest", np.int16),  # effects that follow: rules.effects[rest:end]
        ("end", np.int16),
        # OPTION: index into rules.choices; AMOUNT: the seat or base; LEAVE: the heir; ACQUIRE_UP_TO, ACQUIRE_FROM_ROW:
        # the cost; DRAW: the number of cards; BOSS_FACTION: bits of the Boss's abilities; UPGRADE: the card
        ("detail", np.int16),
        ("decision", np.int8),
        ("seat", np.int8),  # the seat that decides
        ("owner", np.int8),  # the owner of the ability; BID: the seat that has the first turn as bids stand
        ("optional", np.int8),  # 1: may be declined
        ("then_draw", np.int8),  # cards drawn for each card chosen
        ("then_combat", np.int8),  # combat for each card chosen
        ("then_authority", np.int8),  # authority for each card chosen
        ("then_discard", np.int8),  # DRAW: cards discarded after the draw
        ("purpose", np.int8),  # AMOUNT: a Purpose; UPGRADE: a Goal
        ("padding", np.int8),  # always 0
    ],
    align=True,
)


def _player(types):
    """Return the dtype of one player, for a game with this number of card kinds."""
    return np.dtype(
        [
            ("ships_played", np.uint64, (types // 64,)),  # kinds of ships played this turn, even if gone since
            ("authority", np.int32),  # 0 or less: out of the game; no upper limit; a team's shared score
            ("trade", np.int32),  # pool, emptied in the Discard Phase
            ("combat", np.int32),  # pool, emptied in the Discard Phase
            ("next_ship_on_top", np.int16),  # ships that may still go on top of the deck this turn
            ("discount", np.int16),  # trade off the cost of each card of the trade row this turn
            ("discards_owed", np.int16),  # put off to the next turn (forced_discards = next_turn)
            ("known_on_deck", np.int16),  # cards on top of the deck that every player has seen
            ("known_in_hand", np.int16),  # cards at the front of the hand that every player can name
            ("in_play_count", np.int16),
            ("count", np.int16, (len(Zone),)),  # cards in each pile
            ("played", np.uint8, (FACTION_LIMIT,)),  # cards of each faction played this turn
            ("latched", np.uint8),  # factions triggered this turn (ally_latch = faction)
            ("finished", np.uint8),  # a Part: progress in a shared turn
            ("gambits", np.uint8, (len(Face), GAMBIT_LIMIT)),  # gambits of each kind in front of the player
            ("in_play", IN_PLAY, (IN_PLAY_LIMIT,)),
            ("cards", np.uint8, (PILE_LIMIT,)),  # deck, then hand; discard pile at the end
        ],
        align=True,
    )


def _state(types, slots):
    """Return the dtype of one game, for this number of card kinds and of upgraded cards."""
    return np.dtype(
        [
            # The fields that every decision reads share one cache line.
            ("random", np.uint64),  # the game's own random stream, see kernels/primitives/random.py
            ("turn", np.int32),  # turns begun by players or teams, from 1
            ("turns_before", np.int32),  # turns of earlier games of a campaign
            ("decisions", np.int32),  # actions applied since the deal
            ("boss_authority", np.int32),  # of the automated Boss of a challenge
            ("boss_combat", np.int32),  # its combat pool
            ("stack_count", np.int16),
            ("explorers", np.int16),  # Explorers in their pile
            ("trade_deck_count", np.int16),
            ("boss_effect", np.int16),  # the rest of the Boss's turn: rules.boss_effects[boss_effect:boss_end]
            ("boss_end", np.int16),
            ("boss_waits", np.int8),  # player turns after the present one before the Boss's first turn
            ("boss_turn", np.int8),  # 1: the Boss's turn is going on
            ("boss_place", np.int8),  # the place in the trade row of the card that decides what the Boss does
            ("boss_first", np.int8),  # the revealed card affects seats [boss_first, boss_last)
            ("boss_last", np.int8),
            ("boss_seat", np.int8),  # the next of these seats to be affected
            ("mulligan_used", np.int8),  # 1: the trade row has been mulliganed
            ("active", np.int8),  # the seat whose turn it is; in a shared turn, the seat that has the move
            ("to_act", np.int8),  # the seat that decides now; NOBODY when the game is over
            ("truncated", np.int8),  # 1: the limit on turns ended the game
            ("placement", np.int8, (MAX_SEATS,)),  # 1 = winner; 0 while its side is still in the game
            ("trade_row", np.uint8, (ROW_SIZE,)),  # the place furthest from the trade deck comes first
            ("face_down_count", np.uint8),  # cards face down before the Nemesis Beast
            ("face_down_unseen", np.uint8),  # face-down cards that no player has seen
            ("scenario", np.int8),  # the number of the campaign's scenario, from 1; 0: none
            ("modifier", np.int8),  # 1 or 2: the first player's choice for this scenario
            ("limit_used", np.int8),  # uses this turn of a scenario's effect that has a limit per turn
            ("first", np.int8),  # the seat with the first turn of the game
            ("victory_points", np.uint8, (2,)),  # of a campaign, by side
            ("padding", np.uint8),  # always 0
            ("variant", np.uint32),  # tag of the state's variant, see kernels/contract/card_tables.py
            ("players", _player(types), (MAX_SEATS,)),
            ("stack", FRAME, (STACK_LIMIT,)),
            ("trade_deck", np.uint8, (TRADE_DECK_LIMIT,)),  # top card last
            ("scrap_heap", np.uint8, (types,)),  # number of each card
            ("face_down", np.uint8, (TRADE_DECK_LIMIT,)),  # unseen cards come first
            ("unclaimed_gambits", np.uint8, (GAMBIT_LIMIT,)),  # gambits of each kind that no player was dealt
            ("looked_at", np.uint8, (GAMBIT_LIMIT,)),  # gambits in the hand of the player who plays a Wild Gambit
            ("rows_used", np.uint32, (2,)),  # by side of a campaign: bits of the used rows of its sheets
            ("upgraded", np.uint8, (slots,)),  # the card that has the sticker of each slot, or NO_CARD
            ("won_by", np.int8, (SCENARIOS,)),  # the side that has won each scenario, from 1; 0: not yet played
        ],
        align=True,
    )


# Most games fit a small state. Its kernels are compiled without upgraded cards, scenarios and second ally abilities.
STATE = _state(SMALL_TYPE_LIMIT, SMALL_SLOT_LIMIT)
LARGE_STATE = _state(TYPE_LIMIT, SLOT_LIMIT)


def pile_of(player, zone) -> np.ndarray:
    """Return the cards of a pile as a view, a deck's top card last. player: one record; uint8[count]."""
    deck, hand, discarded = (int(count) for count in player["count"])
    first, last = {
        Zone.DECK: (0, deck),
        Zone.HAND: (deck, deck + hand),
        Zone.DISCARD_PILE: (PILE_LIMIT - discarded, PILE_LIMIT),
    }[zone]
    return player["cards"][first:last]
