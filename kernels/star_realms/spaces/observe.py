"""The observation of a seat, as one row of small integers.

FIELDS is the layout: `observe` writes by it, and `Game.observation_table()` and the docs list it. An observation holds
face-up cards and open values, what the seat knows of its own cards, and common knowledge of hidden cards. It holds no
history of moves. Fields of later versions of the environments follow the others, and are written only if the rules have
an offset for them. Opponents are counted clockwise from the observing seat. Amounts are clipped to 0 … 255.
"""

from enum import IntEnum

import numpy as np

from stardeck.kernels.compile.jit import kernel, long_kernel
from stardeck.kernels.contract.variant import HIGHEST, Row
from stardeck.kernels.primitives.action_set import ONE, lowest
from stardeck.kernels.star_realms.play.board.decisions import top
from stardeck.kernels.star_realms.play.board.faces import is_large
from stardeck.kernels.star_realms.play.board.teams import clockwise, is_teammate
from stardeck.kernels.star_realms.play.board.zones import first_of, size_of
from stardeck.kernels.star_realms.play.effects.abilities import factions_in_play, usable_abilities
from stardeck.kernels.star_realms.rules import NO_SLOTS, Op
from stardeck.kernels.star_realms.state import (
    NAMED_SHIFT,
    NO_CARD,
    ROW_SIZE,
    SCENARIOS,
    SLOT_LIMIT,
    STICKERS,
    Ability,
    Decision,
    Face,
    Purpose,
    Zone,
)


class Field(IntEnum):
    """Fields of an observation, in order."""

    ONE = 0
    MY_TURN = 1
    DECISION = 2
    CHOICES_LEFT = 3
    TURN = 4
    EXPLORERS = 5
    TRADE_DECK_SIZE = 6
    AUTHORITY = 7
    TRADE = 8
    COMBAT = 9
    HAND_SIZE = 10
    DECK_SIZE = 11
    DISCARD_PILE_SIZE = 12
    NEXT_SHIP_ON_TOP = 13
    DISCARDS_OWED = 14
    PLAYED = 15
    TRADE_ROW = 16
    SCRAP_HEAP = 17
    HAND = 18
    DECK = 19
    SHIPS_PLAYED = 20
    PRIMARY_READY = 21
    ALLY_READY = 22
    IN_PLAY = 23
    COPIED = 24
    DISCARD_PILE = 25
    KNOWN_ON_DECK = 26
    NEXT_CARD = 27
    TEAMMATE = 28
    LEADER = 29
    FINISHED = 30
    TEAM_HANDS = 31
    NAMED_FACTION = 32
    PURPOSE = 33
    ABOUT_SEAT = 34
    ABOUT_CARD = 35
    DAMAGE = 36
    BOSS_AUTHORITY = 37
    BOSS_WAITS = 38
    FACE_DOWN = 39
    MULLIGAN_USED = 40
    ROW_ORDER = 41
    HIDDEN_GAMBITS = 42
    REVEALED_GAMBITS = 43
    HIDDEN_GAMBITS_SIZE = 44
    UNCLAIMED_GAMBITS_SIZE = 45
    LOOKED_AT = 46
    BOSS_TURN = 47
    BOSS_COMBAT = 48
    DISCOUNT = 49
    SECOND_ALLY_READY = 50
    SIDE = 51
    SCENARIO = 52
    MODIFIER = 53
    LIMIT_USED = 54
    ROWS_USED = 55
    UPGRADED = 56
    VICTORY_POINTS = 57
    UNSEEN = 58
    KNOWN_IN_HAND = 59
    KNOWN_FACE_DOWN = 60
    UNSEEN_GAMBITS = 61
    WON = 62
    LOST = 63
    FIRST = 64
    MISSING_TRADE = 65
    BLOB_AUTHORITY = 66
    HIGHEST_BIDDER = 67
    MAY_BID = 68


FIELDS = (
    Row(Field.ONE, "", "", 1.0, "always 1"),
    Row(Field.MY_TURN, "", "", 1.0, "1 on the observing seat's own turn; in a shared turn, while it has the move"),
    Row(Field.DECISION, "decision", "", 1.0, "pending decision, one-hot; the first: none (Main Phase)"),
    Row(Field.CHOICES_LEFT, "", "", 0.1, "choices still to make; for an amount: the sum so far; for the first turn: "
        "the highest bid"),
    Row(Field.TURN, "", "", 0.02, "turns begun"),
    Row(Field.EXPLORERS, "", "", 0.1, "Explorers in their pile"),
    Row(Field.TRADE_DECK_SIZE, "", "", 0.0125, "cards in the trade deck"),
    Row(Field.AUTHORITY, "", "all", 0.02, "authority"),
    Row(Field.TRADE, "", "all", 0.1, "trade pool"),
    Row(Field.COMBAT, "", "all", 0.05, "combat pool"),
    Row(Field.HAND_SIZE, "", "all", 0.1, "cards in hand"),
    Row(Field.DECK_SIZE, "", "all", 0.05, "cards in the deck"),
    Row(Field.DISCARD_PILE_SIZE, "", "all", 0.05, "cards in the discard pile"),
    Row(Field.NEXT_SHIP_ON_TOP, "", "all", 1.0, "ships that may still go on top of the deck this turn"),
    Row(Field.DISCARDS_OWED, "", "all", 0.5, "discards put off to the next turn"),
    Row(Field.PLAYED, "faction", "all", 0.2, "cards of each faction played this turn"),
    Row(Field.TRADE_ROW, "card", "", 1.0, "cards in the trade row"),
    Row(Field.SCRAP_HEAP, "card", "", 0.2, "cards in the Scrap Heap"),
    Row(Field.HAND, "card", "me", 0.2, "cards in hand"),
    Row(Field.DECK, "card", "me", 0.2, "cards in the deck, without their order"),
    Row(Field.SHIPS_PLAYED, "card", "me", 1.0, "1 for ships played this turn"),
    Row(Field.PRIMARY_READY, "card", "me", 1.0, "bases whose primary ability has not been used this turn"),
    Row(Field.ALLY_READY, "card", "me", 1.0, "cards in play whose ally ability can be used"),
    Row(Field.IN_PLAY, "card", "all", 0.5, "cards in play"),
    Row(Field.COPIED, "card", "all", 1.0, "ships that a Stealth Needle in play copies"),
    Row(Field.DISCARD_PILE, "card", "all", 0.2, "cards in the discard pile"),
    Row(Field.KNOWN_ON_DECK, "card", "all", 1.0, "cards on top of the deck that all players have seen"),
    Row(Field.NEXT_CARD, "card", "all", 1.0, "the first of them, one-hot"),
    Row(Field.TEAMMATE, "", "all", 1.0, "1 for teammates still in the game", "teams"),
    Row(Field.LEADER, "", "all", 1.0, "1 for the Emperors, or the Boss of a Raid", "leaders"),
    Row(Field.FINISHED, "", "all", 1.0, "1: has finished the shared turn; 2: has handed over the move, and the team "
        "has done nothing since", "shared turn"),
    Row(Field.TEAM_HANDS, "card", "all", 0.2, "cards in the hands of teammates", "open hands"),
    Row(Field.NAMED_FACTION, "faction", "all", 1.0, "ships in play by their named faction", "named factions"),
    Row(Field.PURPOSE, "purpose", "", 1.0, "the purpose of an amount, one-hot: attack a player, attack the Boss, give "
        "trade, give combat, damage a base", "amounts"),
    Row(Field.ABOUT_SEAT, "", "all", 1.0, "one-hot: the seat that receives an amount or a left card", "amounts"),
    Row(Field.ABOUT_CARD, "card", "", 1.0, "one-hot: the base that is being damaged, the card that the Boss "
        "revealed, the card to be upgraded", "about cards"),
    Row(Field.DAMAGE, "card", "", 0.2, "damage on the Boss's bases", "lasting damage"),
    Row(Field.BOSS_AUTHORITY, "", "", 0.01, "the Boss's authority", "challenge"),
    Row(Field.BOSS_TURN, "", "", 1.0, "1 while the Boss's turn is going on", "challenge"),
    Row(Field.BOSS_COMBAT, "", "", 0.05, "the Boss's combat so far on its turn", "challenge"),
    Row(Field.BOSS_WAITS, "", "", 1.0, "player turns after this one before the Boss's first", "challenge"),
    Row(Field.FACE_DOWN, "", "", 0.1, "cards face down before the Boss", "challenge"),
    Row(Field.MULLIGAN_USED, "", "", 1.0, "1: the trade row has been mulliganed", "challenge"),
    Row(Field.ROW_ORDER, "place and card", "", 1.0, "the trade row place by place, each one-hot, the place furthest "
        "from the trade deck first", "challenge"),
    Row(Field.HIDDEN_GAMBITS, "gambit", "me", 1.0, "own gambits face down", "gambits"),
    Row(Field.REVEALED_GAMBITS, "gambit", "all", 1.0, "gambits face up", "gambits"),
    Row(Field.HIDDEN_GAMBITS_SIZE, "", "all", 0.5, "gambits face down", "gambits"),
    Row(Field.UNCLAIMED_GAMBITS_SIZE, "", "", 0.1, "gambits that no player was dealt", "gambits"),
    Row(Field.LOOKED_AT, "gambit", "me", 1.0, "gambits looked at, one of which may be kept", "gambits"),
    Row(Field.DISCOUNT, "", "all", 0.5, "trade off the cost of each card of the trade row", "discounts"),
    Row(Field.SECOND_ALLY_READY, "card", "me", 1.0, "upgraded cards in play whose second ally ability can be used",
        "campaign"),
    Row(Field.SIDE, "side", "me", 1.0, "one-hot: the side of the observing seat", "campaign"),
    Row(Field.SCENARIO, "scenario", "", 1.0, "one-hot: the scenario", "campaign"),
    Row(Field.MODIFIER, "modifier", "", 1.0, "one-hot: the scenario's change, by the first player's choice or by the "
        "first player's side", "campaign"),
    Row(Field.LIMIT_USED, "", "", 1.0, "uses of the scenario's limited effect this turn", "campaign"),
    Row(Field.ROWS_USED, "sticker", "all", 1.0, "1 for used rows of the sticker sheets", "campaign"),
    Row(Field.UPGRADED, "form", "", 1.0, "1 for upgraded cards: each sticker with each card that it fits", "campaign"),
    Row(Field.VICTORY_POINTS, "", "all", 0.1, "victory points of the campaign", "campaign"),
    Row(Field.UNSEEN, "card", "others", 0.2, "cards of deck and hand together, except those in another field",
        since=1),
    Row(Field.KNOWN_IN_HAND, "card", "all", 1.0, "cards in hand that all players can name", since=1),
    Row(Field.KNOWN_FACE_DOWN, "card", "", 0.2, "cards face down before the Boss that all players have "
        "seen", "challenge", since=1),
    Row(Field.UNSEEN_GAMBITS, "gambit", "", 0.5, "gambits that the seat has not seen: face-down gambits of others and "
        "undealt ones together", "gambits", since=1),
    Row(Field.WON, "scenario", "", 1.0, "1: scenario of the campaign won by the own side", "campaign", since=1),
    Row(Field.LOST, "scenario", "", 1.0, "1: scenario of the campaign won by the other side", "campaign", since=1),
    Row(Field.FIRST, "", "all", 1.0, "one-hot: the seat with the first turn of the game", "campaign", since=1),
    Row(Field.MISSING_TRADE, "", "all", 0.1, "amount by which the trade pool is below 0", "missing trade", since=1),
    Row(Field.BLOB_AUTHORITY, "", "", 0.01, "authority of the Blob in scenario 12; 0 in others", "blob", since=1),
    Row(Field.HIGHEST_BIDDER, "", "all", 1.0, "one-hot: the seat with the first turn, or with the highest bid", "bids",
        since=1),
    Row(Field.MAY_BID, "", "all", 1.0, "1: the seat may still bid for the first turn", "bids", since=1),
)  # fmt: skip


def switches(card_set, settled) -> dict[str, bool]:
    """Return for each optional group of fields whether a set and format have it."""
    return {
        "teams": settled.has_teams,
        "leaders": bool(settled.leaders),
        "shared turn": settled.shared_turn and settled.has_teams,
        "open hands": settled.open_hands,
        "named factions": card_set.has(Op.NAME_FACTION),
        "amounts": settled.players > 2 or settled.boss is not None,
        "about cards": settled.lasting_damage_seat >= 0 or settled.boss is not None or bool(card_set.slots),
        "lasting damage": settled.lasting_damage_seat >= 0,
        "challenge": settled.boss is not None,
        "gambits": bool(settled.gambits),
        "discounts": card_set.has(Op.COST_REDUCTION),
        "campaign": bool(card_set.slots),
    }


def sizes(card_set, settled, bids=False) -> dict[str, int]:
    """Return the number of entries per seat for each kind of field."""
    types = len(card_set.names)
    return {
        "": 1,
        "card": types,
        "place and card": ROW_SIZE * types,
        "faction": len(card_set.factions),
        "decision": _decisions(card_set, bids),
        "purpose": len(Purpose),
        "gambit": len(settled.gambits),
        "side": 2,
        "scenario": SCENARIOS,
        "modifier": 2,
        "sticker": STICKERS,
        "form": sum(len(slot.forms) for slot in card_set.slots),
    }


def _decisions(card_set, bids):
    """Return the number of decision kinds of a set; those after the gambits came with "when acquired" abilities."""
    more = card_set.slots or any(card.acquired for card in card_set.cards) or card_set.asks_to_draw
    more = more or card_set.has(Op.DRAW_THEN_DISCARD, Op.ACQUIRE_SHIP_FROM_ROW)
    if bids:
        return len(Decision)
    return Decision.ACQUIRE_FROM_ROW + 1 if more else Decision.KEEP + 1


@kernel
def clip(amount):
    """Clip an amount to the range of an observation."""
    return min(max(np.int64(amount), 0), HIGHEST)


@kernel
def count_cards(player, first, last, observation, offset):
    """Count the cards at places [first, last) of a player's buffer by name."""
    counts = observation[offset:]
    for i in range(first, last):
        counts[player.cards[i]] += 1


@kernel
def count_pile(player, zone, observation, offset):
    """Count the cards of a pile by name."""
    first = first_of(player, zone)
    count_cards(player, first, first + size_of(player, zone), observation, offset)


@kernel
def observe_amounts(rules, player, place, observation):
    """Write pools, pile sizes and counters of the player `place` seats clockwise of the observer."""
    offset = rules.offset
    observation[offset[Field.AUTHORITY] + place] = clip(player.authority)
    observation[offset[Field.TRADE] + place] = clip(player.trade)
    observation[offset[Field.COMBAT] + place] = clip(player.combat)
    observation[offset[Field.HAND_SIZE] + place] = player.count[Zone.HAND]
    observation[offset[Field.DECK_SIZE] + place] = player.count[Zone.DECK]
    observation[offset[Field.DISCARD_PILE_SIZE] + place] = player.count[Zone.DISCARD_PILE]
    observation[offset[Field.NEXT_SHIP_ON_TOP] + place] = clip(player.next_ship_on_top)
    observation[offset[Field.DISCARDS_OWED] + place] = clip(player.discards_owed)
    factions = np.int64(rules.factions)
    played = observation[offset[Field.PLAYED] + place * factions :]
    for faction in range(factions):
        played[faction] = player.played[faction]


@kernel
def observe_cards(rules, player, place, observation):
    """Write the face-up cards of a player: in play, discard pile, known cards of hand and deck."""
    offset = rules.offset
    shift = place * rules.types
    for i in range(player.in_play_count):
        entry = player.in_play[i]
        observation[offset[Field.IN_PLAY] + shift + entry.card] += 1
        if entry.copying != NO_CARD:
            observation[offset[Field.COPIED] + shift + entry.copying] += 1
    count_pile(player, Zone.DISCARD_PILE, observation, offset[Field.DISCARD_PILE] + shift)
    deck = size_of(player, Zone.DECK)
    if player.known_in_hand > 0 and offset[Field.KNOWN_IN_HAND]:
        count_cards(player, deck, deck + player.known_in_hand, observation, offset[Field.KNOWN_IN_HAND] + shift)
    if player.known_on_deck > 0:
        known = deck - player.known_on_deck
        count_cards(player, known, deck, observation, offset[Field.KNOWN_ON_DECK] + shift)
        count_cards(player, deck - 1, deck, observation, offset[Field.NEXT_CARD] + shift)


@kernel
def sees_hand(rules, state, seat, other):
    """Return whether a seat sees the whole hand of another seat, or its own."""
    return other == seat or (rules.open_hands != 0 and is_teammate(rules, state, seat, other))


@kernel
def observe_unseen(rules, state, seat, observation):
    """Write the cards that each opponent owns and may hold; all players saw which cards entered each deck.

    Deck and hand are adjacent in the buffer. The cards that all players can name lie between the unknown ones: on top
    of the deck, and at the front of the hand.
    """
    for place in range(1, rules.players):
        other = clockwise(rules, seat, place)
        player = state.players[other]
        offset = rules.offset[Field.UNSEEN] + (place - 1) * np.int64(rules.types)
        deck = size_of(player, Zone.DECK)
        last = deck if sees_hand(rules, state, seat, other) else deck + size_of(player, Zone.HAND)
        count_cards(player, 0, deck - player.known_on_deck, observation, offset)
        count_cards(player, deck + player.known_in_hand, last, observation, offset)


@kernel
def observe_own_cards(rules, state, player, observation):
    """Write what only the observing seat knows of its own cards, and which of its abilities are ready."""
    offset = rules.offset
    count_pile(player, Zone.HAND, observation, offset[Field.HAND])
    count_pile(player, Zone.DECK, observation, offset[Field.DECK])
    for word in range(len(player.ships_played)):
        ships = player.ships_played[word]
        while ships != 0:
            observation[offset[Field.SHIPS_PLAYED] + 64 * word + lowest(ships)] = 1
            ships &= ships - ONE
    once, twice = factions_in_play(player)
    for i in range(player.in_play_count):
        entry = player.in_play[i]
        usable = usable_abilities(rules, state, player, entry, once, twice)
        observation[offset[Field.PRIMARY_READY] + entry.card] += usable & Ability.PRIMARY != 0
        observation[offset[Field.ALLY_READY] + entry.card] += usable & Ability.ALLY != 0
        if is_large(state) and usable & Ability.SECOND_ALLY:
            observation[offset[Field.SECOND_ALLY_READY] + entry.card] += 1


@long_kernel
def observe_scrap_heap(rules, state, observation):
    """Write the number of each card in the Scrap Heap."""
    scrap_heap = observation[rules.offset[Field.SCRAP_HEAP] :]
    for card in range(np.int64(rules.types)):
        scrap_heap[card] = state.scrap_heap[card]


@kernel
def observe_table(rules, state, seat, observation):
    """Write what belongs to no player."""
    offset = rules.offset
    observation[offset[Field.ONE]] = 1
    observation[offset[Field.MY_TURN]] = (state.active == seat) & (state.boss_turn == 0)
    if state.stack_count == 0:
        observation[offset[Field.DECISION]] = 1
    else:
        frame = top(state)
        observation[offset[Field.DECISION] + frame.decision] = 1
        sums = frame.decision == Decision.AMOUNT or frame.decision == Decision.BID
        left = frame.done if sums else frame.left
        observation[offset[Field.CHOICES_LEFT]] = clip(left)
    observation[offset[Field.TURN]] = clip(state.turn)
    observation[offset[Field.EXPLORERS]] = clip(state.explorers)
    observation[offset[Field.TRADE_DECK_SIZE]] = clip(state.trade_deck_count)
    for place in range(len(state.trade_row)):
        if state.trade_row[place] != NO_CARD:
            observation[offset[Field.TRADE_ROW] + state.trade_row[place]] += 1
    observe_scrap_heap(rules, state, observation)


@kernel
def observe_teams(rules, state, seat, observation):
    """Write team membership, finished turns, and the hands that teammates show each other."""
    offset = rules.offset
    for place in range(rules.players):
        other = clockwise(rules, seat, place)
        player = state.players[other]
        mate = is_teammate(rules, state, seat, other)
        if rules.sides < rules.players:
            observation[offset[Field.TEAMMATE] + place] = mate
            if rules.shared_turn:
                observation[offset[Field.FINISHED] + place] = player.finished
        if rules.has_leaders:
            observation[offset[Field.LEADER] + place] = rules.leader[other]
        if rules.open_hands and mate:
            count_pile(player, Zone.HAND, observation, offset[Field.TEAM_HANDS] + place * rules.types)


@kernel
def observe_named_factions(rules, player, place, observation):
    """Count Merc Cruisers, and Stealth Needles that copy one, by their named faction."""
    shift = rules.offset[Field.NAMED_FACTION] + place * rules.factions - 1
    for i in range(player.in_play_count):
        named = player.in_play[i].used >> NAMED_SHIFT
        if named > 0:
            observation[shift + named] += 1


@kernel
def observe_amount(rules, state, seat, observation):
    """Write the subject of the decision on top, if more than one is possible."""
    offset = rules.offset
    if state.stack_count == 0:
        return
    frame = top(state)
    detail = np.int64(frame.detail)
    if frame.decision == Decision.AMOUNT:
        observation[offset[Field.PURPOSE] + frame.purpose] = 1
        if frame.purpose == Purpose.DAMAGE_BASE:
            observation[offset[Field.ABOUT_CARD] + detail] = 1
        elif frame.purpose != Purpose.ATTACK_BOSS:
            observation[offset[Field.ABOUT_SEAT] + clockwise(rules, detail, rules.players - seat)] = 1
    elif frame.decision == Decision.LEAVE:
        observation[offset[Field.ABOUT_SEAT] + clockwise(rules, detail, rules.players - seat)] = 1
    elif frame.decision == Decision.BOSS_FACTION:
        observation[offset[Field.ABOUT_CARD] + state.trade_row[state.boss_place]] = 1


@kernel
def observe_damage(rules, state, observation):
    """Write the damage on the bases of the Boss of a Raid."""
    boss = state.players[rules.lasting_damage_seat]
    for i in range(boss.in_play_count):
        observation[rules.offset[Field.DAMAGE] + boss.in_play[i].card] += boss.in_play[i].damage


@kernel
def observe_challenge(rules, state, observation):
    """Write the automated Boss, and the order of the trade row, on which its next turn depends."""
    offset = rules.offset
    observation[offset[Field.BOSS_AUTHORITY]] = clip(state.boss_authority)
    observation[offset[Field.BOSS_TURN]] = state.boss_turn
    observation[offset[Field.BOSS_COMBAT]] = clip(state.boss_combat)
    observation[offset[Field.BOSS_WAITS]] = clip(state.boss_waits)
    observation[offset[Field.FACE_DOWN]] = state.face_down_count
    observation[offset[Field.MULLIGAN_USED]] = state.mulligan_used
    if offset[Field.KNOWN_FACE_DOWN]:
        known = observation[offset[Field.KNOWN_FACE_DOWN] :]
        for i in range(state.face_down_unseen, state.face_down_count):
            known[state.face_down[i]] += 1
    for place in range(len(state.trade_row)):
        if state.trade_row[place] != NO_CARD:
            observation[offset[Field.ROW_ORDER] + place * rules.types + state.trade_row[place]] = 1


@kernel
def observe_gambits(rules, state, seat, observation):
    """Write revealed gambits, the seat's own gambits, and the numbers of all others."""
    offset = rules.offset
    looking = state.stack_count > 0 and top(state).decision == Decision.KEEP and top(state).seat == seat
    for kind in range(rules.gambit_kinds):
        observation[offset[Field.HIDDEN_GAMBITS] + kind] = state.players[seat].gambits[Face.HIDDEN, kind]
        observation[offset[Field.UNCLAIMED_GAMBITS_SIZE]] += state.unclaimed_gambits[kind]
        if looking:
            observation[offset[Field.LOOKED_AT] + kind] = state.looked_at[kind]
        for place in range(rules.players):
            player = state.players[clockwise(rules, seat, place)]
            shown = offset[Field.REVEALED_GAMBITS] + place * rules.gambit_kinds + kind
            observation[shown] = player.gambits[Face.REVEALED, kind]
            observation[offset[Field.HIDDEN_GAMBITS_SIZE] + place] += player.gambits[Face.HIDDEN, kind]
            if place > 0 and offset[Field.UNSEEN_GAMBITS]:
                observation[offset[Field.UNSEEN_GAMBITS] + kind] += player.gambits[Face.HIDDEN, kind]
        if offset[Field.UNSEEN_GAMBITS]:
            observation[offset[Field.UNSEEN_GAMBITS] + kind] += state.unclaimed_gambits[kind]
            if not looking:
                observation[offset[Field.UNSEEN_GAMBITS] + kind] += state.looked_at[kind]


@kernel
def observe_campaign(rules, state, seat, observation):
    """Write the scenario, the sticker sheets, and the upgraded cards."""
    offset = rules.offset
    side = np.int64(rules.seat_side[seat])
    observation[offset[Field.SIDE] + side] = 1
    if state.scenario > 0:
        observation[offset[Field.SCENARIO] + state.scenario - 1] = 1
    if state.modifier > 0:
        observation[offset[Field.MODIFIER] + state.modifier - 1] = 1
    elif rules.scenarios[state.scenario, 0].by_side:
        observation[offset[Field.MODIFIER] + rules.seat_side[state.first]] = 1
    observation[offset[Field.LIMIT_USED]] = clip(state.limit_used)
    for place in range(rules.players):
        used = state.rows_used[rules.seat_side[clockwise(rules, seat, place)]]
        for sticker in range(STICKERS):
            row = offset[Field.ROWS_USED] + place * STICKERS + sticker
            observation[row] = (used >> np.uint32(sticker)) & np.uint32(1)
    for slot in range(SLOT_LIMIT):
        if state.upgraded[slot] != NO_CARD:
            form = np.int64(rules.form[slot, state.upgraded[slot]]) - rules.slots_from
            observation[offset[Field.UPGRADED] + form] = 1
    for place in range(2):
        points = state.victory_points[side if place == 0 else 1 - side]
        observation[offset[Field.VICTORY_POINTS] + place] = clip(points)
    if offset[Field.WON]:
        observation[offset[Field.FIRST] + clockwise(rules, np.int64(state.first), rules.players - seat)] = 1
        for scenario in range(SCENARIOS):
            won_by = np.int64(state.won_by[scenario])
            observation[offset[Field.WON] + scenario] = won_by == side + 1
            observation[offset[Field.LOST] + scenario] = won_by == 2 - side
    if state.stack_count > 0 and top(state).decision == Decision.UPGRADE:
        observation[offset[Field.ABOUT_CARD] + top(state).detail] = 1


@kernel
def observe_bids(rules, state, seat, observation):
    """Write the seat that has the first turn as bids stand, and the seats that may still bid."""
    bidding = state.stack_count > 0 and top(state).decision == Decision.BID
    highest = np.int64(top(state).owner) if bidding else np.int64(state.first)
    observation[rules.offset[Field.HIGHEST_BIDDER] + clockwise(rules, highest, rules.players - seat)] = 1
    if bidding:
        for place in range(rules.players):
            may_bid = (top(state).left >> clockwise(rules, seat, place)) & 1
            observation[rules.offset[Field.MAY_BID] + place] = may_bid


@kernel
def observe_all_named_factions(rules, state, seat, observation):
    """Write the factions that cards in play have been named, by player."""
    for place in range(rules.players):
        observe_named_factions(rules, state.players[clockwise(rules, seat, place)], place, observation)


@kernel
def observe_discounts(rules, state, seat, observation):
    """Write each player's trade off the cost of cards."""
    for place in range(rules.players):
        discount = state.players[clockwise(rules, seat, place)].discount
        observation[rules.offset[Field.DISCOUNT] + place] = clip(discount)


@kernel
def observe_missing_trade(rules, state, seat, observation):
    """Write the amount by which each player's trade pool is below 0."""
    for place in range(rules.players):
        missing = -state.players[clockwise(rules, seat, place)].trade
        observation[rules.offset[Field.MISSING_TRADE] + place] = clip(missing)


@kernel
def observe_more(rules, state, seat, observation):
    """Write the fields that only some sets and formats have."""
    if rules.names_factions:
        observe_all_named_factions(rules, state, seat, observation)
    if rules.sides < rules.players or rules.has_leaders:
        observe_teams(rules, state, seat, observation)
    if rules.players > 2 or rules.challenge:
        observe_amount(rules, state, seat, observation)
    if rules.lasting_damage_seat >= 0:
        observe_damage(rules, state, observation)
    if rules.challenge:
        observe_challenge(rules, state, observation)
    if rules.gambit_kinds:
        observe_gambits(rules, state, seat, observation)
    if rules.discounts:
        observe_discounts(rules, state, seat, observation)
    if is_large(state) and rules.slots_from != NO_SLOTS:
        observe_campaign(rules, state, seat, observation)
    if rules.offset[Field.BLOB_AUTHORITY]:
        observation[rules.offset[Field.BLOB_AUTHORITY]] = clip(state.boss_authority)
    if rules.offset[Field.HIGHEST_BIDDER]:
        observe_bids(rules, state, seat, observation)
    if rules.offset[Field.MISSING_TRADE]:
        observe_missing_trade(rules, state, seat, observation)


@kernel
def observe(rules, state, seat, observation):
    """Write what `seat` may know. observation: uint8[observation_size]."""
    for i in range(len(observation)):
        observation[i] = 0
    observe_table(rules, state, seat, observation)
    observe_own_cards(rules, state, state.players[seat], observation)
    for place in range(rules.players):
        player = state.players[clockwise(rules, seat, place)]
        observe_amounts(rules, player, place, observation)
        observe_cards(rules, player, place, observation)
    if rules.offset[Field.UNSEEN]:
        observe_unseen(rules, state, seat, observation)
    if rules.more_to_see:
        observe_more(rules, state, seat, observation)
