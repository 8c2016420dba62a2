"""SCIENTIST: players draw, buy and discard technologies (rulebook: Scientist)."""

import numpy as np

from stardeck.kernels.compile.jit import kernel
from stardeck.kernels.empire_of_the_stars.operations import Event, Op, Tech
from stardeck.kernels.empire_of_the_stars.play.answers import mark, mark_cards
from stardeck.kernels.empire_of_the_stars.play.effects import react, summed
from stardeck.kernels.empire_of_the_stars.play.galaxy import NONE, bit
from stardeck.kernels.empire_of_the_stars.play.questions import begin_by_power, begin_step, pass_left, put_question
from stardeck.kernels.empire_of_the_stars.play.technologies import (
    can_draw_from_deck,
    draw_from_deck,
    draw_from_discards,
    hand_size,
    lose_card,
    put_on_discards,
    take_card,
)
from stardeck.kernels.empire_of_the_stars.play.windows import pass_point
from stardeck.kernels.empire_of_the_stars.rules import Act, Point
from stardeck.kernels.empire_of_the_stars.state import COSTS, Ask, Stage, Step
from stardeck.kernels.primitives.action_set import ONE, lowest, population

HAND_LIMIT = 3  # rulebook: Scientist 3


@kernel
def begin(state):
    """Begin with the chooser's turn."""
    begin_step(state, Step.DRAW, np.int64(state.scepter))


@kernel
def advance_draw(rules, state):
    """Let a player draw a card, or more by effects (rulebook: Scientist 1)."""
    seat = np.int64(state.active)
    if state.stage != Stage.OWN and not pass_point(rules, state, seat, Point.SCIENTIST_TURN):
        return
    if state.drawn < 1 + summed(rules, state.players[seat], Op.TECH, Tech.DRAW):
        for cost in range(COSTS):
            if can_draw_from_deck(state, cost) or state.discard_count[cost] > 0:
                put_question(state, seat, Ask.STEP)
                return
    state.step = Step.BUY


@kernel
def draw_card(state, cost, from_deck):
    """Draw a card into the hand."""
    card = draw_from_deck(state, cost) if from_deck else draw_from_discards(state, cost)
    take_card(state.players[state.active], card)
    state.drawn += 1


@kernel
def owned_of_type(rules, player, kind):
    """Return the number of technologies of a type that a player has bought."""
    return population(player.technologies[0] & rules.of_type[kind, 0]) + population(
        player.technologies[1] & rules.of_type[kind, 1]
    )


@kernel
def discount_of(rules, state, seat):
    """Return the discount of a player on any technology."""
    return np.int64(seat == state.scepter) + summed(rules, state.players[seat], Op.TECH, Tech.DISCOUNT)


@kernel
def price_of(rules, player, card, discount):
    """Return the price of a technology (rulebook: Scientist 2)."""
    technology = rules.technologies[card]
    return max(0, technology.cost - discount - owned_of_type(rules, player, technology.type))


@kernel
def affordable(rules, state, seat, word):
    """Return the cards of the hand that the player can pay for, as a word of bits."""
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
    """Let a player buy a technology, or more by effects."""
    seat = np.int64(state.active)
    if state.purchases < 1 + summed(rules, state.players[seat], Op.TECH, Tech.BUYS):
        if affordable(rules, state, seat, 0) | affordable(rules, state, seat, 1) != NONE:
            put_question(state, seat, Ask.STEP)
            return
    state.step = Step.DISCARD


@kernel
def buy_card(rules, state, card):
    """Pay for a card and lay it down; it does not react to its own purchase."""
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
    """Let a player discard down to three cards, or more by effects; then the next one (rulebook: Scientist 3)."""
    seat = np.int64(state.active)
    player = state.players[seat]
    if hand_size(player) > HAND_LIMIT + summed(rules, player, Op.TECH, Tech.HAND):
        put_question(state, seat, Ask.STEP)
        return
    state.drawn = 0
    state.purchases = 0
    if not pass_left(rules, state, Step.DRAW, np.int64(state.scepter)):
        begin_by_power(state, Step.AFTER)


@kernel
def discard_card(rules, state, card):
    """Discard a card from the hand."""
    lose_card(state.players[state.active], card)
    put_on_discards(state, rules.technologies[card].cost - 1, card)


@kernel
def advance(rules, state):
    """Advance within the role."""
    step = state.step
    if step == Step.DRAW:
        advance_draw(rules, state)
    elif step == Step.BUY:
        advance_buy(rules, state)
    else:
        advance_discard(rules, state)


@kernel
def mark_answers(rules, state, seat, legal):
    """Mark decks and piles to draw from, or cards of the hand to buy or to discard."""
    if state.step == Step.DISCARD:
        mark_cards(rules, legal, state.players[seat].hand[0], state.players[seat].hand[1])
        return
    mark(rules, legal, Act.PASS, 0)
    if state.step == Step.BUY:
        mark_cards(rules, legal, affordable(rules, state, seat, 0), affordable(rules, state, seat, 1))
        return
    for cost in range(COSTS):
        if can_draw_from_deck(state, cost):
            mark(rules, legal, Act.DRAW_DECK, cost)
        if state.discard_count[cost] > 0:
            mark(rules, legal, Act.DRAW_DISCARD, cost)


@kernel
def answer(rules, state, seat, row):
    """Draw, buy or discard a card, or stop."""
    act = row.act
    what = np.int64(row.what)
    if act == Act.DRAW_DECK or act == Act.DRAW_DISCARD:
        draw_card(state, what, act == Act.DRAW_DECK)
    elif act == Act.PASS:
        state.step = Step.BUY if state.step == Step.DRAW else Step.DISCARD
    elif state.step == Step.BUY:
        buy_card(rules, state, what - rules.names_from)
    else:
        discard_card(rules, state, what - rules.names_from)
