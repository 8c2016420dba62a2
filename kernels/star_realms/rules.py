"""The fixed part of a variant as one read-only record: card table, effects, switches, action numbers.

`Variant` (variant.py) fills it from a card table and a format. Kernels receive it as their first argument.
"""

from enum import IntEnum

import numpy as np

from stardeck.kernels.primitives.action_set import WORD_LIMIT
from stardeck.kernels.star_realms.state import (
    BOX_LIMIT,
    FACTION_LIMIT,
    GAMBIT_LIMIT,
    MAX_SEATS,
    OPTION_LIMIT,
    SCENARIOS,
    SLOT_LIMIT,
    STICKERS,
    TRADE_DECK_LIMIT,
    TYPE_LIMIT,
)

EFFECT_LIMIT = 2048
ACTION_LIMIT = 64 * WORD_LIMIT
CHOICE_LIMIT = 128
CARD_LIMIT = 512  # kinds of cards, and every card with every sticker that fits it
NO_SLOTS = 255  # the first number of upgraded cards in a set without them; no card has it
STARTING_DECK_LIMIT = 16
FIELD_LIMIT = 80
BOSS_EFFECT_LIMIT = 16
BOSS_ABILITY_LIMIT = 8  # factions that a challenge card names
NO_ACTION = -1


class Kind(IntEnum):
    """Types of cards (rulebook: Ships, Bases)."""

    SHIP = 0
    BASE = 1
    OUTPOST = 2


class Op(IntEnum):
    """Operations of an ability's effects. The words of a card table map to them (cards/vocabulary.py)."""

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
    NAME_FACTION = 14
    PUT_ON_DECK = 15
    ACQUIRE_UP_TO = 16
    WILD_GAMBIT = 17
    CHOOSE = 18  # one side of an "or"
    DRAW_THEN_DISCARD = 19
    COST_REDUCTION = 20
    ACQUIRE_SHIP_FROM_ROW = 21  # up to some cost, on top of the deck


class BossOp(IntEnum):
    """Operations of a Boss's effects, each on one player (cards/bosses.toml)."""

    DISCARD = 0  # the player discards
    DESTROY_BASE = 1  # of any player; if there is none, the Boss gains combat
    HAND_TO_DECK = 2  # a random card of the hand goes on top of the deck
    AUTHORITY = 3  # the Boss gains authority
    ATTACK_PER_COST = 4  # an attack of this amount for each trade that the revealed card costs
    ATTACK_PER_HIGHEST_COST = 5  # the same for the most expensive card in the trade row
    AUTHORITY_PER_COST = 6


class Act(IntEnum):
    """Blocks of the action space (actions.py). Blocks that name a card come first."""

    PLAY = 0
    USE = 1
    USE_ALLY = 2
    USE_SCRAP = 3
    BUY = 4
    BUY_TO_DECK = 5
    ATTACK_BASE = 6
    DESTROY_BASE = 7
    SCRAP_FROM_HAND = 8
    SCRAP_FROM_DISCARD = 9
    SCRAP_FROM_TRADE_ROW = 10
    DISCARD = 11
    ACQUIRE = 12
    ACQUIRE_TO_DECK = 13
    COPY = 14
    DAMAGE_BASE = 15
    PASS = 16
    LEAVE = 17
    PUT_ON_DECK = 18
    END_TURN = 19
    ATTACK_PLAYER = 20
    ATTACK_PART = 21
    CHOOSE = 22
    TARGET = 23
    ADD = 24
    DONE = 25
    DECLINE = 26
    ATTACK_BOSS = 27
    ATTACK_BOSS_PART = 28
    MULLIGAN = 29
    YIELD = 30
    GIVE_TRADE = 31
    GIVE_TRADE_PART = 32
    GIVE_COMBAT = 33
    GIVE_COMBAT_PART = 34
    REVEAL = 35
    USE_GAMBIT = 36
    PAY = 37
    KEEP = 38
    DRAW = 39
    UPGRADE = 40
    MODIFIER = 41
    FILL_UP = 42
    BID = 43


CARD_ACTS = Act.PUT_ON_DECK + 1  # the number of acts that name a card
GAMBIT_ACTS = Act.FILL_UP + 1  # the number of acts up to here; no later act names a gambit


class FirstTurn(IntEnum):
    """Ways to choose the first player: a given seat, the highest bidder, or a price that one player names for both."""

    AGREED = 0
    BID = 1
    PIE = 2


class Reach(IntEnum):
    """Players that a player may attack and target (rulebook: Formats)."""

    ANYONE = 0
    NEIGHBOURS = 1  # the player to the left, and the bases of both neighbours
    FACING = 2  # the player across, then the enemy leader; leaders: anyone


class Legacy(IntEnum):
    """Heirs to whom a defeated player may leave a card."""

    NOBODY = 0
    LEADER = 1
    TEAMMATES = 2


class ForcedDiscards(IntEnum):
    """Times of a forced discard: at once (printed rule), or at the start of the victim's turn (digital app)."""

    IMMEDIATE = 0
    NEXT_TURN = 1


class AllyLatch(IntEnum):
    """Triggers that last after the partner leaves play: the card's, its whole faction's, or none."""

    CARD = 0
    FACTION = 1
    NONE = 2


EFFECT = np.dtype(
    [
        ("amount", np.int16),  # trade, combat, authority or cards
        ("op", np.int16),
        ("optional", np.int16),  # 1: may be declined, or ended before the full amount
        ("then_draw", np.int16),  # cards drawn for each card chosen
        ("then_combat", np.int16),  # combat for each card chosen
        ("then_authority", np.int16),  # authority for each card chosen
        ("detail", np.int16),  # DRAW_PER_PLAYED: the faction; DRAW_THEN_DISCARD: cards; CHOOSE: the number of choices
        ("bases", np.int16),  # the effect needs this number of bases in play
    ],
    align=True,
)

CARD = np.dtype(
    [
        ("abilities", np.int16),  # bits of Ability
        ("ally_faction", np.int16, (BOX_LIMIT,)),  # bits of the factions that trigger each ally box
        ("cost", np.int16),
        ("defense", np.int16),
        ("kind", np.int16),
        ("options", np.int16),  # sides of the primary ability; 0: none
        ("primary", np.int16, (OPTION_LIMIT, 2)),  # effects [first, end) of each side of an "or"
        ("ally", np.int16, (BOX_LIMIT, 2)),
        ("scrap", np.int16, (2,)),
        ("acquired", np.int16, (2,)),  # when acquired
        ("action", np.int16, (CARD_ACTS,)),  # the number of "do this with this card", or NO_ACTION
        ("choice", np.int16),  # a ship's "or", one of rules.choices
        ("faction", np.int16),  # bits of the card's factions
        ("ally_for", np.int16),  # bits of the factions for which it is an ally (Mech World: all)
        ("ship_combat", np.int16),  # combat for each ship played while it is in play
        ("ship_combat_at_once", np.int16),  # 1: also for the ships in play when it arrives
        ("copies", np.int16),  # 1: its primary ability copies a ship
        ("names_faction", np.int16),  # 1: its owner names a faction for it
        ("in_trade_deck", np.int16),  # 1: belongs in the trade deck
        ("boss_abilities", np.int16),  # bits of what the Boss gains when it reveals the card; 0: the players choose
        ("padding", np.int16, (15,)),  # always 0; in rows of 128 bytes an index needs a shift, no multiplication
    ],
    align=True,
)

GAMBIT = np.dtype(
    [
        ("action", np.int16, (GAMBIT_ACTS,)),  # the number of "do this with this gambit", or NO_ACTION
        ("scrap", np.int16, (2,)),  # effects [first, end); empty: it has no scrap ability
        ("copies", np.int16),
        ("shield", np.int16),  # combat taken off every attack on its owner
        ("combat", np.int16),  # combat on each turn of its owner
    ],
    align=True,
)

CHOICE = np.dtype(
    [
        ("count", np.int16),  # sides
        ("sides", np.int16, (OPTION_LIMIT, 2)),  # effects [first, end) of each
        ("words", np.int16, (OPTION_LIMIT,)),  # the word that names each side, see rules.first[Act.CHOOSE]
    ],
    align=True,
)

# Changes that a scenario makes, by the choice of the first player or by the side of the first player.
SCENARIO = np.dtype(
    [
        ("asks", np.int16),  # 1: the first player chooses between two changes
        ("by_side", np.int16),  # 1: the change depends on the side of the first player
        ("authority", np.int16),  # at the start; 0: as in the format
        ("upgrade_cost", np.int16, (len(Kind),)),  # change of the trade that an upgrade costs, by type of card
        ("cost", np.int16, (len(Kind),)),  # change of the trade that a card of the trade row costs, by type of card
        ("defense", np.int16),  # change of the defense of bases
        ("bonus_card", np.int16),  # a card with a stronger primary ability, or NO_CARD
        ("bonus", np.int16, (2,)),  # effects [first, end) added to it
        ("turn_start", np.int16, (2,)),  # at the start of each turn
        ("turn_start_bases", np.int16),  # the effect needs this number of bases in play
        ("acquired", np.int16, (2,)),  # after acquiring a card with the opponent's faction
        ("scrapped", np.int16, (2,)),  # after scrapping a card of one's own
        ("destroyed", np.int16, (2,)),  # after destroying an opponent's base
        ("limit", np.int16),  # uses per turn of a lower cost or of the last three effects
        ("points", np.int16),  # victory points of the scenario
        ("sheet", np.int16),  # the sheet whose five stickers win at once; 0: none
    ],
    align=True,
)

BOSS_EFFECT = np.dtype(
    [
        ("op", np.int16),  # a BossOp
        ("amount", np.int16),
        ("else_combat", np.int16),  # combat that the Boss gains when there is no base to destroy
    ],
    align=True,
)

ACTION = np.dtype([("detail", np.int16), ("act", np.int16), ("card", np.int16)], align=True)

RULES = np.dtype(
    [
        # The fields that nearly every decision reads stand first, close together.
        ("num_actions", np.int32),
        ("types", np.int32),  # kinds of cards
        ("players", np.int32),
        ("base_kinds", np.int32),  # kinds of bases: the stride between two seats in the blocks of bases
        ("factions", np.int32),
        ("explorer", np.int32),  # the card number of the Explorer
        ("reach", np.int32),  # a Reach
        ("team_outposts", np.int32),  # 1: an outpost protects all players of its side
        ("challenge", np.int32),  # 1: the opponent is an automated Boss
        ("shared_turn", np.int32),  # 1: the players of a side take their turn together
        ("shared_authority", np.int32),  # 1: the players of a side share one score
        ("lasting_damage_seat", np.int32),  # the player on whose bases damage stays until that player's turn, or NOBODY
        ("more_to_do", np.int32),  # 1: the Main Phase has more actions than in the standard game
        ("more_to_see", np.int32),  # 1: observations have more fields than in the standard game
        ("gambit_kinds", np.int32),  # 0: the game is played without gambits
        ("max_turns", np.int32),
        ("forced_discards", np.int32),
        ("ally_latch", np.int32),
        ("side", np.int32, (MAX_SEATS,)),  # side of each seat; the seats of a team are consecutive
        ("hand_size", np.int32, (MAX_SEATS,)),  # cards drawn in the Draw Phase
        ("slots_from", np.int32),  # the number of the first upgraded card; NO_SLOTS: no card can be upgraded
        ("acquires_more", np.int32),  # 1: acquiring a card may have effects
        ("discounts", np.int32),  # 1: an effect can make cards of the trade row cost less
        ("costs_change", np.int32),  # 1: cards of the trade row may cost more or less than printed
        ("first", np.int16, (len(Act),)),  # the first action number of each block
        ("cards", CARD, (CARD_LIMIT,)),  # printed cards, then their forms with stickers
        ("effects", EFFECT, (EFFECT_LIMIT,)),
        ("actions", ACTION, (ACTION_LIMIT,)),
        ("choices", CHOICE, (CHOICE_LIMIT,)),
        ("scenarios", SCENARIO, (SCENARIOS + 1, 2)),  # row 0: no scenario
        ("form", np.int16, (SLOT_LIMIT, TYPE_LIMIT)),  # the row of `cards` for a card with a sticker
        ("fill_up", np.int16, (TYPE_LIMIT, STICKERS)),  # the number of "upgrade this card with this sticker"
        ("upgrade_cost", np.int16, (len(Kind),)),  # trade
        ("seat_side", np.int16, (MAX_SEATS,)),  # the side of a seat in a campaign; NOBODY: none
        ("side_faction", np.int16, (2,)),  # bits of the faction of each side
        ("gambits", GAMBIT, (GAMBIT_LIMIT,)),
        ("boss_effects", BOSS_EFFECT, (BOSS_EFFECT_LIMIT,)),
        ("boss_abilities", np.int16, (BOSS_ABILITY_LIMIT, 2)),  # effects [first, end) of each
        ("boss_words", np.int16, (BOSS_ABILITY_LIMIT,)),  # the word that names each, see rules.first[Act.CHOOSE]
        ("faction_words", np.int16, (FACTION_LIMIT,)),  # the word that names each faction
        ("mate_place", np.int16, (MAX_SEATS,)),  # offset in a block of the teammate at each distance
        ("offset", np.uint16, (FIELD_LIMIT,)),  # index of each field's first entry in an observation
        ("padding", np.int16),  # always 0
        ("padding_later", np.int16),  # always 0; a later block of actions added it
        ("names_factions", np.int32),  # 1: the set has ships for which a faction is named
        ("explorers", np.int32),  # Explorers in the pile at the start
        ("trade_deck_count", np.int32),
        ("starting_deck_count", np.int32, (MAX_SEATS,)),
        ("scenario", np.int32),  # the one scenario played, or the first of a campaign; 0: neither
        ("campaign", np.int32),  # 1: all scenarios in a row; the trade deck keeps its stickers
        ("upgrades_in_all", np.int32),  # upgrades that each side has after a campaign
        ("sides", np.int32),
        ("leader", np.int32, (MAX_SEATS,)),  # 1: the side loses with this player (Emperor, Boss of a Raid)
        ("has_leaders", np.int32),
        ("authority", np.int32, (MAX_SEATS,)),  # at the start
        ("opening_hands", np.int32, (MAX_SEATS,)),  # in turn order
        ("first_blood", np.int32),  # 1: the first defeat ends the game, and the player to the right wins
        ("legacy", np.int32),  # a Legacy
        ("pass_card_cost", np.int32),  # trade to pass a discarded card to a neighbouring teammate; 0: not allowed
        ("open_hands", np.int32),  # 1: teammates see each other's hands
        ("gambits_each", np.int32),  # dealt to each player
        ("gambit_round", np.int32),  # 1: players may reveal gambits before the first turn
        ("boss_authority", np.int32),  # at the start
        ("boss_waits", np.int32),  # player turns before the Boss's first; -1: the Boss goes first
        ("boss_gathers", np.int32),  # 1: cards of the trade row go face down before the Boss and give it combat
        ("boss_face_down", np.int32),  # face-down cards at the start
        ("boss_reveals_for_each", np.int32),  # 1: one card is revealed for each player; 0: one for all
        ("boss_abilities_count", np.int32),
        ("boss_strikes_together", np.int32),  # 1: the combat of all revealed cards is one series of attacks
        ("base_combat", np.int32),  # combat instead of destroying a base: the Boss has none
        ("needle_counts_for_blob_world", np.int32),
        ("copy_gone_ships", np.int32),
        ("first_turn_trade", np.int32, (MAX_SEATS,)),  # trade in the pools at the start
        ("first_player", np.int32),  # the seat that has the first turn
        ("first_turn", np.int32),  # a FirstTurn
        ("most_bid", np.int32),  # the highest bid for the first turn, in authority
        ("blob_authority", np.int32),  # start of the automated Blob of the last scenario; 0: there is no Blob
        ("blob_per_turn", np.int32),  # combat of the Blob for each of its turns so far
        ("blob_per_cost", np.int32),  # and for each trade that the most expensive card of the trade row costs
        ("row_replaced", np.int32),  # 1: every turn but the first begins with a new trade row
        ("trade_deck", np.uint8, (TRADE_DECK_LIMIT,)),
        ("starting_deck", np.uint8, (MAX_SEATS, STARTING_DECK_LIMIT)),
        ("rows_used", np.uint32, (2,)),  # at the start: by side, bits of the used rows
        ("upgraded", np.uint8, (SLOT_LIMIT,)),  # at the start: the card that has the sticker of each slot, or NO_CARD
        ("variant", np.uint32),  # tag of the variant's states, computed from all fields above
    ],
    align=True,
)

assert FACTION_LIMIT <= 7, "the faction named for a card takes three bits of a byte"
