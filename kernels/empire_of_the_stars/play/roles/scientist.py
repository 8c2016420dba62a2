"""SCIENTIST: technologies are drawn, bought and discarded (rulebook: Scientist)."""

import numpy as np

from stardeck.kernels.actionset import ONE, lowest, population
from stardeck.kernels.empire_of_the_stars.play.effects import react, summed
from stardeck.kernels.empire_of_the_stars.play.galaxy import NONE, bit
from stardeck.kernels.empire_of_the_stars.play.questions import begin_step, next_round_table, put_question
from stardeck.kernels.empire_of_the_stars.play.windows import pass_point
from stardeck.kernels.empire_of_the_stars.rules import Event, Op, Point
from stardeck.kernels.empire_of_the_stars.state import COSTS, Ask, Stage, Step
from stardeck.kernels.jit import kernel
from stardeck.kernels.random import shuffle

DRAW, HAND, DISCOUNT, BUYS = range(4)  # columns of a TECH effect
HAND_LIMIT = 3  # rulebook: Scientist 3


@kernel
def begin_scientist(state):
    """The chooser has the first turn."""
    begin_step(state, Step.DRAW, np.int64(state.scepter))


# Decks and piles; a cost is counted from 0


@kernel
def can_draw_from_deck(state, cost):
    """Whether a card can come from a deck. (Ruling: SCIENTIST: empty decks and piles)"""
    return state.deck_count[cost] > 0 or state.discard_count[cost] > 1


@kernel
def reshuffle(state, cost):
    """The discard pile but its top card becomes a new deck."""
    top = state.discards[cost, state.discard_count[cost] - 1]
    count = np.int64(state.discard_count[cost]) - 1
    for place in range(count):
        state.decks[cost, place] = state.discards[cost, place]
    for place in range(state.discard_count[cost]):
        state.discards[cost, place] = 0
    shuffle(state, state.decks[cost], count)
    state.deck_count[cost] = count
    state.discards[cost, 0] = top
    state.discard_count[cost] = 1


@kernel
def draw_from_deck(state, cost):
    """The top card of a deck."""
    if state.deck_count[cost] == 0:
        reshuffle(state, cost)
    state.deck_count[cost] -= 1
    card = np.int64(state.decks[cost, state.deck_count[cost]])
    state.decks[cost, state.deck_count[cost]] = 0
    return card


@kernel
def draw_from_discards(state, cost):
    """The top card of a discard pile; one that is emptied is refilled at once."""
    state.discard_count[cost] -= 1
    card = np.int64(state.discards[cost, state.discard_count[cost]])
    state.discards[cost, state.discard_count[cost]] = 0
    if state.discard_count[cost] == 0 and state.deck_count[cost] > 0:
        put_on_discards(state, cost, draw_from_deck(state, cost))
    return card


@kernel
def put_on_discards(state, cost, card):
    """Lay a card face up on the pile of its cost."""
    state.discards[cost, state.discard_count[cost]] = card
    state.discard_count[cost] += 1


@kernel
def hand_size(player):
    """Technology cards in hand."""
    return population(player.hand[0]) + population(player.hand[1])


@kernel
def take_card(player, card):
    """A card comes into the hand."""
    player.hand[card >> 6] |= bit(card & 63)


@kernel
def lose_card(player, card):
    """A card leaves the hand."""
    player.hand[card >> 6] &= ~bit(card & 63)


# The turn


@kernel
def advance_draw(rules, state):
    """Draw a card, or more by effects. (Rulebook: Scientist 1)"""
    seat = np.int64(state.active)
    if state.stage != Stage.OWN and not pass_point(rules, state, seat, Point.SCIENTIST_TURN):
        return
    if state.drawn < 1 + summed(rules, state.players[seat], Op.TECH, DRAW):
        for cost in range(COSTS):
            if can_draw_from_deck(state, cost) or state.discard_count[cost] > 0:
                put_question(state, seat, Ask.STEP)
                return
    state.step = Step.BUY


@kernel
def draw_card(state, cost, from_deck):
    """Draw into the hand."""
    card = draw_from_deck(state, cost) if from_deck else draw_from_discards(state, cost)
    take_card(state.players[state.active], card)
    state.drawn += 1


@kernel
def owned_of_type(rules, player, kind):
    """Technologies of a type that a player has bought."""
    return population(player.technologies[0] & rules.of_type[kind, 0]) + population(
        player.technologies[1] & rules.of_type[kind, 1]
    )


@kernel
def discount_of(rules, state, seat):
    """What a player saves on any technology."""
    return np.int64(seat == state.scepter) + summed(rules, state.players[seat], Op.TECH, DISCOUNT)


@kernel
def price_of(rules, player, card, discount):
    """What a technology costs. (Rulebook: Scientist 2)"""
    technology = rules.technologies[card]
    return max(0, technology.cost - discount - owned_of_type(rules, player, technology.type))


@kernel
def affordable(rules, state, seat, word):
    """The cards of the hand that can be paid for, as a word of bits."""
    player = state.players[seat]
    discount = discount_of(rules, state, seat)
    cards = player.hand[word]
    result = NONE
    while cards != NONE:
        card = 64 * word + lowest(cards)
        if player.resources[rules.technologies[card].type] >= price_of(rules, player, card, discount):
            result |= bit(card & 63)
        cards &= cards - ONE
    return result


@kernel
def advance_buy(rules, state):
    """Buy a technology, or more by effects."""
    seat = np.int64(state.active)
    if state.purchases < 1 + summed(rules, state.players[seat], Op.TECH, BUYS):
        if affordable(rules, state, seat, 0) | affordable(rules, state, seat, 1) != NONE:
            put_question(state, seat, Ask.STEP)
            return
    state.step = Step.DISCARD


@kernel
def buy_card(rules, state, card):
    """Pay and lay the card down; it does not react to its own purchase."""
    seat = np.int64(state.active)
    player = state.players[seat]
    price = price_of(rules, player, card, discount_of(rules, state, seat))
    player.resources[rules.technologies[card].type] -= price
    lose_card(player, card)
    player.technologies[card >> 6] |= bit(card & 63)
    player.buyer = 1
    state.purchases += 1
    react(rules, state, seat, Event.TECH_BOUGHT, 1, card, card)


@kernel
def advance_discard(rules, state):
    """Discard down to three cards, or more by effects; then the next player. (Rulebook: Scientist 3)"""
    seat = np.int64(state.active)
    player = state.players[seat]
    if hand_size(player) > HAND_LIMIT + summed(rules, player, Op.TECH, HAND):
        put_question(state, seat, Ask.STEP)
        return
    state.drawn = 0
    state.purchases = 0
    following = next_round_table(rules, seat, np.int64(state.scepter))
    if following >= 0:
        begin_step(state, Step.DRAW, following)
    else:
        begin_step(state, Step.AFTER, np.int64(state.order[0]))


@kernel
def discard_card(rules, state, card):
    """Discard a card of the hand."""
    lose_card(state.players[state.active], card)
    put_on_discards(state, rules.technologies[card].cost - 1, card)
