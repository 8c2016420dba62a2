"""What a seat sees, as one row of small whole numbers.

FIELDS is the layout: `observe` writes by it, `Game.observation_table()` and the docs list it. An observation holds
what lies open now and what the seat knows of its own cards, no history. Opponents are counted clockwise from the
observing seat; amounts are clipped to 0 … 255.
"""

from enum import IntEnum
from typing import NamedTuple

import numpy as np

from stardeck.kernels.actionset import ONE, lowest
from stardeck.kernels.jit import kernel
from stardeck.kernels.star_realms.abilities import ally_usable, factions_in_play, primary_usable
from stardeck.kernels.star_realms.decisions import top
from stardeck.kernels.star_realms.state import NO_CARD, Decision, Zone

HIGHEST = 255


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


class Row(NamedTuple):
    """One row of the layout."""

    field: Field
    per: str  # "", "card", "faction", "decision": how many numbers per seat
    seats: str  # "": no seat; "me"; "all": the observing seat, then its opponents clockwise
    scale: float  # what a value is multiplied by for float observations
    meaning: str


FIELDS = (
    Row(Field.ONE, "", "", 1.0, "always 1"),
    Row(Field.MY_TURN, "", "", 1.0, "1 on the observing seat's own turn"),
    Row(Field.DECISION, "decision", "", 1.0, "what is asked, one-hot; the first: nothing, it is the Main Phase"),
    Row(Field.CHOICES_LEFT, "", "", 0.1, "choices still to be made; for an amount: combat put together so far"),
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
    Row(Field.DECK, "card", "me", 0.2, "cards in the deck, in whatever order"),
    Row(Field.SHIPS_PLAYED, "card", "me", 1.0, "1 for ships played this turn"),
    Row(Field.PRIMARY_READY, "card", "me", 1.0, "bases whose primary ability has not been used this turn"),
    Row(Field.ALLY_READY, "card", "me", 1.0, "cards in play whose ally ability can be used"),
    Row(Field.IN_PLAY, "card", "all", 0.5, "cards in play"),
    Row(Field.COPIED, "card", "all", 1.0, "ships that a Stealth Needle in play copies"),
    Row(Field.DISCARD_PILE, "card", "all", 0.2, "cards in the discard pile"),
    Row(Field.KNOWN_ON_DECK, "card", "all", 1.0, "cards on top of the deck that everybody has seen"),
    Row(Field.NEXT_CARD, "card", "all", 1.0, "the first of them, one-hot"),
)


def lengths(row, types, factions, players):
    """How many numbers a seat takes in a field, and how many seats it has."""
    per = {"": 1, "card": types, "faction": factions, "decision": len(Decision)}[row.per]
    return per, players if row.seats == "all" else 1


@kernel
def clip(amount):
    """An amount as it stands in an observation."""
    return min(max(np.int64(amount), 0), HIGHEST)


@kernel
def count_pile(player, zone, first, last, observation, offset):
    """Count the cards [first, last) of a pile by name."""
    pile = player.cards[zone]
    counts = observation[offset:]
    for i in range(first, last):
        counts[pile[i]] += 1


@kernel
def observe_amounts(rules, player, place, observation):
    """Pools, pile sizes and counters of the player `place` seats clockwise of the observer."""
    offset = rules.offset
    observation[offset[Field.AUTHORITY] + place] = clip(player.authority)
    observation[offset[Field.TRADE] + place] = clip(player.trade)
    observation[offset[Field.COMBAT] + place] = clip(player.combat)
    observation[offset[Field.HAND_SIZE] + place] = clip(player.count[Zone.HAND])
    observation[offset[Field.DECK_SIZE] + place] = clip(player.count[Zone.DECK])
    observation[offset[Field.DISCARD_PILE_SIZE] + place] = clip(player.count[Zone.DISCARD_PILE])
    observation[offset[Field.NEXT_SHIP_ON_TOP] + place] = clip(player.next_ship_on_top)
    observation[offset[Field.DISCARDS_OWED] + place] = clip(player.discards_owed)
    for faction in range(rules.factions):
        observation[offset[Field.PLAYED] + place * rules.factions + faction] = player.played[faction]


@kernel
def observe_cards(rules, player, place, observation):
    """Open cards of a player: in play, discard pile, known cards on top of the deck."""
    offset = rules.offset
    shift = place * rules.types
    for i in range(player.in_play_count):
        entry = player.in_play[i]
        observation[offset[Field.IN_PLAY] + shift + entry.card] += 1
        if entry.copying != NO_CARD:
            observation[offset[Field.COPIED] + shift + entry.copying] += 1
    discarded = player.count[Zone.DISCARD_PILE]
    count_pile(player, Zone.DISCARD_PILE, 0, discarded, observation, offset[Field.DISCARD_PILE] + shift)
    if player.known_on_deck > 0:
        deck = player.count[Zone.DECK]
        known = deck - player.known_on_deck
        count_pile(player, Zone.DECK, known, deck, observation, offset[Field.KNOWN_ON_DECK] + shift)
        count_pile(player, Zone.DECK, deck - 1, deck, observation, offset[Field.NEXT_CARD] + shift)


@kernel
def observe_own_cards(rules, player, observation):
    """What only the observing seat knows of its own cards, and which of its abilities are ready."""
    offset = rules.offset
    count_pile(player, Zone.HAND, 0, player.count[Zone.HAND], observation, offset[Field.HAND])
    count_pile(player, Zone.DECK, 0, player.count[Zone.DECK], observation, offset[Field.DECK])
    for word in range(len(player.ships_played)):
        ships = player.ships_played[word]
        while ships != 0:
            observation[offset[Field.SHIPS_PLAYED] + 64 * word + lowest(ships)] = 1
            ships &= ships - ONE
    once, twice = factions_in_play(rules, player)
    for i in range(player.in_play_count):
        entry = player.in_play[i]
        if primary_usable(rules, entry):
            observation[offset[Field.PRIMARY_READY] + entry.card] += 1
        if ally_usable(rules, player, entry, once, twice):
            observation[offset[Field.ALLY_READY] + entry.card] += 1


@kernel
def observe_table(rules, state, seat, observation):
    """What belongs to no player."""
    offset = rules.offset
    observation[offset[Field.ONE]] = 1
    observation[offset[Field.MY_TURN]] = state.active == seat
    if state.stack_count == 0:
        observation[offset[Field.DECISION]] = 1
    else:
        frame = top(state)
        observation[offset[Field.DECISION] + frame.decision] = 1
        left = frame.done if frame.decision == Decision.AMOUNT else frame.left
        observation[offset[Field.CHOICES_LEFT]] = clip(left)
    observation[offset[Field.TURN]] = clip(state.turn)
    observation[offset[Field.EXPLORERS]] = clip(state.explorers)
    observation[offset[Field.TRADE_DECK_SIZE]] = clip(state.trade_deck_count)
    for place in range(len(state.trade_row)):
        if state.trade_row[place] != NO_CARD:
            observation[offset[Field.TRADE_ROW] + state.trade_row[place]] += 1
    scrap_heap = observation[offset[Field.SCRAP_HEAP] :]
    for card in range(rules.types):
        scrap_heap[card] = state.scrap_heap[card]


@kernel
def observe(rules, state, seat, observation):
    """Write what `seat` may know. observation: uint8[observation_size]."""
    for i in range(len(observation)):
        observation[i] = 0
    observe_table(rules, state, seat, observation)
    observe_own_cards(rules, state.players[seat], observation)
    for place in range(rules.players):
        player = state.players[(seat + place) % rules.players]
        observe_amounts(rules, player, place, observation)
        observe_cards(rules, player, place, observation)
