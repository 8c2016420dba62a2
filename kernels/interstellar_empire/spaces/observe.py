"""The observation of a seat, as one row of small whole numbers.

FIELDS is the layout: `observe` writes it, `Game.observation_table()` and the docs list it. An observation holds the
open cards, the contents of the discard pile, which all players have seen, and the seat's own cards. It holds no history
of moves. Fields added in a later version of the environments follow the others. Opponents are counted clockwise from
the observing seat; amounts are clipped to 0 … 255.
"""

from enum import IntEnum

import numpy as np

from stardeck.kernels.compile.jit import kernel, long_kernel
from stardeck.kernels.contract.variant import HIGHEST, Row
from stardeck.kernels.interstellar_empire.play.asking import op_asked
from stardeck.kernels.interstellar_empire.play.war import ATTACKER, DEFENDER
from stardeck.kernels.interstellar_empire.play.zones import clockwise, total
from stardeck.kernels.interstellar_empire.rules import Op
from stardeck.kernels.interstellar_empire.state import NO_CARD, Ask, Government, How, Phase

GOVERNMENTS = len(Government)


class Field(IntEnum):
    """Fields of an observation, in order."""

    ONE = 0
    TURN = 1
    TO_ACT = 2
    ASK = 3
    PHASE = 4
    EXTRA_DRAWS = 5
    TURN_NUMBER = 6
    DECK_SIZE = 7
    DISCARD_PILE_SIZE = 8
    TOP_DISCARD = 9
    HAND_SIZE = 10
    HAND = 11
    UNTAPPED = 12
    TAPPED = 13
    EMPIRE = 14
    SUBJECT = 15
    PAID = 16
    HOW = 17
    DEFENDER = 18
    ATTACKERS = 19
    DEFENDERS = 20
    DEFENDERS_TAPPED = 21
    BONUS = 22
    ATTACK_SCORE = 23
    LOOKED_AT = 24
    PICKS = 25
    GOVERNMENT = 26
    OUT = 27
    BID = 28
    HAS_BID = 29
    DISCARD_PILE = 30


FIELDS = (
    Row(Field.ONE, "", "", 1.0, "always 1"),
    Row(Field.TURN, "", "all", 1.0, "one-hot: the active player"),
    Row(Field.TO_ACT, "", "all", 1.0, "one-hot: the seat to act"),
    Row(Field.ASK, "question", "", 1.0, "one-hot: the question; the first: a move of the turn"),
    Row(Field.PHASE, "phase", "", 1.0, "one-hot: the earliest phase still open"),
    Row(Field.EXTRA_DRAWS, "", "", 0.5, "optional cards that may still be drawn"),
    Row(Field.TURN_NUMBER, "", "", 0.05, "turns begun"),
    Row(Field.DECK_SIZE, "", "", 0.02, "cards in the deck"),
    Row(Field.DISCARD_PILE_SIZE, "", "", 0.02, "cards in the discard pile"),
    Row(Field.TOP_DISCARD, "card", "", 1.0, "one-hot: the top card of the discard pile"),
    Row(Field.HAND_SIZE, "", "all", 0.1, "cards in hand"),
    Row(Field.HAND, "card", "me", 0.5, "cards in hand"),
    Row(Field.UNTAPPED, "card", "all", 0.5, "untapped ships of the fleet"),
    Row(Field.TAPPED, "card", "all", 0.5, "tapped ships of the fleet"),
    Row(Field.EMPIRE, "card", "all", 0.5, "planets of the empire"),
    Row(Field.SUBJECT, "card", "", 1.0, "one-hot: the card being paid for, fought over, just gained or just built"),
    Row(Field.PAID, "", "", 0.2, "paid so far"),
    Row(Field.HOW, "", "", 1.0, "1: the planet in question was conquered"),
    Row(Field.DEFENDER, "", "all", 1.0, "one-hot: the defender in a war"),
    Row(Field.ATTACKERS, "card", "", 0.5, "ships of the attacker in a war"),
    Row(Field.DEFENDERS, "card", "", 0.5, "untapped ships of the defender"),
    Row(Field.DEFENDERS_TAPPED, "card", "", 0.5, "tapped ships of the defender"),
    Row(Field.BONUS, "side", "", 0.2, "bonus from specials: attacker, defender"),
    Row(Field.ATTACK_SCORE, "", "", 0.1, "the attacker's score, after the number is drawn"),
    Row(Field.LOOKED_AT, "card", "me", 1.0, "the two cards in question, if the seat sees them"),
    Row(Field.PICKS, "", "all", 0.5, "picks still to come"),
    Row(Field.GOVERNMENT, "government", "all", 1.0, "one-hot: the government; the first: not declared",
        "governments"),
    Row(Field.OUT, "", "all", 1.0, "1: has conceded", "concede"),
    Row(Field.BID, "card", "me", 1.0, "one-hot: the card laid down for the first turn", "bid"),
    Row(Field.HAS_BID, "", "all", 1.0, "1: has bid", "bid"),
    Row(Field.DISCARD_PILE, "card", "", 0.2, "cards of the discard pile: numbers and specials played, ships lost",
        since=1),
)  # fmt: skip


def switches(settings) -> dict[str, bool]:
    """Return the optional groups of fields that a variant has."""
    return {
        "governments": settings["governments"],
        "concede": settings["concede"],
        "bid": settings["first_player"] == "bid",
    }


def sizes(card_set) -> dict[str, int]:
    """Return the length of a field per seat, by the unit that the field counts."""
    return {
        "": 1,
        "card": len(card_set.cards),
        "question": len(Ask),
        "phase": len(Phase),
        "side": 2,
        "government": GOVERNMENTS,
    }


@kernel
def clip(amount):
    """Clip an amount to the range of an observation."""
    return min(max(np.int64(amount), 0), HIGHEST)


@long_kernel
def observe_counts(rules, counts, observation, first):
    """Write the number of cards of each kind."""
    for kind in range(rules.kinds):
        observation[first + kind] = counts[kind]


@kernel
def observe_player(rules, player, place, observation):
    """Write the open cards of the player `place` seats clockwise of the observer."""
    offset = rules.offset
    shift = place * rules.kinds
    observation[offset[Field.HAND_SIZE] + place] = clip(total(player.hand))
    observe_counts(rules, player.untapped, observation, offset[Field.UNTAPPED] + shift)
    observe_counts(rules, player.tapped, observation, offset[Field.TAPPED] + shift)
    observe_counts(rules, player.empire, observation, offset[Field.EMPIRE] + shift)
    if rules.governments:
        observation[offset[Field.GOVERNMENT] + place * GOVERNMENTS + player.government] = 1
    if rules.concede:
        observation[offset[Field.OUT] + place] = player.out
    if rules.bid:
        observation[offset[Field.HAS_BID] + place] = player.bid != NO_CARD


@kernel
def observe_war(rules, state, seat, observation):
    """Write the war in progress."""
    offset = rules.offset
    observation[offset[Field.DEFENDER] + clockwise(rules, np.int64(state.defender), rules.players - seat)] = 1
    observe_counts(rules, state.attackers, observation, offset[Field.ATTACKERS])
    for i in range(state.sent_count):
        ship = state.defenders[i]
        field = Field.DEFENDERS_TAPPED if ship.tapped else Field.DEFENDERS
        observation[offset[field] + ship.card] += 1
    observation[offset[Field.BONUS] + ATTACKER] = clip(state.bonus[ATTACKER])
    observation[offset[Field.BONUS] + DEFENDER] = clip(state.bonus[DEFENDER])
    observation[offset[Field.ATTACK_SCORE]] = clip(state.attack_score)


@kernel
def is_war(ask):
    """Return True if the question belongs to an undecided war, or to the jungle at its end."""
    return Ask.ATTACKERS <= ask <= Ask.JUNGLE


@kernel
def sees_cards(state, seat):
    """Return True if a seat sees the two cards in question: all see shown cards, only the picker sees a pick."""
    return state.ask == Ask.ARTIFACT or state.to_act == seat


@kernel
def observe_question(rules, state, seat, observation):
    """Write the details of the question."""
    offset = rules.offset
    ask = state.ask
    if ask == Ask.SHIP or ask == Ask.PAY or is_war(ask) or ask >= Ask.RESISTANCE:
        if ask != Ask.KEEP and ask != Ask.ARTIFACT:
            observation[offset[Field.SUBJECT] + state.subject] = 1
    if ask == Ask.PAY:
        observation[offset[Field.PAID]] = clip(state.paid)
    if is_war(ask):
        observe_war(rules, state, seat, observation)
    if op_asked(ask) == Op.TAX_NEW_PLANET or op_asked(ask) == Op.PICK or ask == Ask.RESISTANCE_ANSWER:
        observation[offset[Field.HOW]] = state.how == How.CONQUERED
    if state.looked_at[0] != NO_CARD and sees_cards(state, seat):
        observation[offset[Field.LOOKED_AT] + state.looked_at[0]] += 1
        observation[offset[Field.LOOKED_AT] + state.looked_at[1]] += 1
    for i in range(state.picks_count):
        observation[offset[Field.PICKS] + clockwise(rules, np.int64(state.picks[i]), rules.players - seat)] += 1


@kernel
def observe(rules, state, seat, observation):
    """Write the observation of `seat`: all that it may know. observation: uint8[observation_size]."""
    for i in range(len(observation)):
        observation[i] = 0
    offset = rules.offset
    observation[offset[Field.ONE]] = 1
    observation[offset[Field.TURN] + clockwise(rules, np.int64(state.active), rules.players - seat)] = 1
    if state.to_act >= 0:
        observation[offset[Field.TO_ACT] + clockwise(rules, np.int64(state.to_act), rules.players - seat)] = 1
    observation[offset[Field.ASK] + state.ask] = 1
    observation[offset[Field.PHASE] + state.phase] = 1
    observation[offset[Field.EXTRA_DRAWS]] = clip(state.extra_draws)
    observation[offset[Field.TURN_NUMBER]] = clip(state.turn)
    observation[offset[Field.DECK_SIZE]] = clip(state.deck_count)
    observation[offset[Field.DISCARD_PILE_SIZE]] = clip(state.discard_count)
    if state.discard_count > 0:
        observation[offset[Field.TOP_DISCARD] + state.discard_pile[state.discard_count - 1]] = 1
    if offset[Field.DISCARD_PILE]:
        discarded = observation[offset[Field.DISCARD_PILE] :]
        for i in range(state.discard_count):
            discarded[state.discard_pile[i]] += 1
    own = state.players[seat]
    observe_counts(rules, own.hand, observation, offset[Field.HAND])
    if rules.bid and own.bid != NO_CARD:
        observation[offset[Field.BID] + own.bid] = 1
    for place in range(rules.players):
        observe_player(rules, state.players[clockwise(rules, seat, place)], place, observation)
    observe_question(rules, state, seat, observation)
