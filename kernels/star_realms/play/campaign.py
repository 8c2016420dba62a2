"""A campaign of twelve scenarios whose trade deck keeps its stickers.

(Rise of Empire rulebook: Between Games, Winning & Victory Points, After the Campaign)

Each seat is one side here: the Star Empire has seat 0 in every game, whichever side has the first turn.
"""

import numpy as np

from stardeck.kernels.compile.jit import entry, kernel
from stardeck.kernels.star_realms.play.board.decisions import pop, push, top
from stardeck.kernels.star_realms.play.board.faces import is_large
from stardeck.kernels.star_realms.play.board.scenes import against_blob, scene
from stardeck.kernels.star_realms.play.board.teams import clockwise
from stardeck.kernels.star_realms.play.board.trade_row import clear_trade_row
from stardeck.kernels.star_realms.play.board.upgrades import has_plain_copy, has_sticker_for, put_sticker
from stardeck.kernels.star_realms.play.board.zones import forget_the_turn
from stardeck.kernels.star_realms.play.opening import deal_game
from stardeck.kernels.star_realms.state import NO_CARD, NOBODY, SCENARIOS, STICKERS, Decision


@kernel
def clear_table(rules, state):
    """Return all cards to their piles; keep stickers and victory points (rulebook: Between Games)."""
    for seat in range(rules.players):
        player = state.players[seat]
        player.authority = 0
        player.trade = 0
        player.combat = 0
        player.discards_owed = 0
        player.known_on_deck = 0
        player.known_in_hand = 0
        player.in_play_count = 0
        for zone in range(len(player.count)):
            player.count[zone] = 0
        forget_the_turn(player)
        state.placement[seat] = 0
    for card in range(len(state.scrap_heap)):
        state.scrap_heap[card] = 0
    clear_trade_row(state)
    state.trade_deck_count = 0
    state.explorers = 0
    state.stack_count = 0
    state.boss_authority = 0
    state.modifier = 0
    state.limit_used = 0
    state.turns_before += state.turn
    state.turn = 0


@kernel
def upgrades_of(state, side):
    """Count the cards that a side has upgraded."""
    count = 0
    for sticker in range(STICKERS):
        count += state.upgraded[side * STICKERS + sticker] != NO_CARD
    return count


@kernel
def can_fill_up(rules, state, side):
    """Return whether a side with upgrades left has a card for one."""
    if upgrades_of(state, side) >= rules.upgrades_in_all:
        return False
    for card in range(rules.slots_from):
        if has_plain_copy(rules, state, card) and has_sticker_for(rules, state, side, STICKERS, card):
            return True
    return False


@kernel
def ask_to_fill_up(rules, state, seat):
    """Ask a side, or otherwise the other, for its next upgrade; the campaign ends when neither can make one.

    (Rulebook: After the Campaign)
    """
    for distance in range(rules.players):
        other = clockwise(rules, seat, distance)
        if can_fill_up(rules, state, other):
            state.active = other
            push(state, Decision.FILL_UP, other, other, 0, 0)
            return
    end_campaign(rules, state)


@kernel
def answer_fill_up(rules, state, card, sticker):
    """Upgrade a card of the trade deck for free, then ask the other side."""
    seat = np.int64(top(state).seat)
    pop(state)
    put_sticker(state, seat, sticker, card)
    ask_to_fill_up(rules, state, clockwise(rules, seat, 1))


@kernel
def end_campaign(rules, state):
    """End the campaign: more victory points win, equal points are a draw (rulebook: Winning & Victory Points)."""
    own = state.victory_points[0]
    other = state.victory_points[1]
    state.placement[0] = 2 if own < other else 1
    state.placement[1] = 2 if other < own else 1
    state.turn = state.turns_before
    state.to_act = NOBODY


@kernel
def score(rules, state):
    """Record the result of a game, award its points, and return the winner.

    Both players receive the Blob's points when they have beaten it. With equal authority neither player wins that
    scenario, and the first player stays. (Ruling: scenario 12)
    """
    points = scene(rules, state).points
    if against_blob(rules, state) and state.boss_authority <= 0:
        state.victory_points[0] += points
        state.victory_points[1] += points
        if state.placement[0] == state.placement[1]:
            return np.int64(state.first)
    winner = 0 if state.placement[0] == 1 else 1
    state.won_by[state.scenario - 1] = winner + 1
    if not against_blob(rules, state) or state.boss_authority > 0:
        state.victory_points[winner] += points
    return winner


@kernel
def go_on(rules, state):
    """Score a finished game of the campaign; its winner has the first turn of the next game."""
    winner = score(rules, state)
    state.first = winner
    clear_table(rules, state)
    state.active = winner
    state.to_act = winner
    if state.scenario < SCENARIOS:
        state.scenario += 1
        deal_game(rules, state)
    else:
        state.scenario = 0
        ask_to_fill_up(rules, state, winner)


@kernel
def is_between_games(rules, state):
    """Return whether a game of a campaign has just ended while the campaign goes on."""
    return (
        is_large(state)
        and rules.campaign != 0
        and state.to_act == NOBODY
        and state.scenario > 0
        and state.truncated == 0
    )


@entry
def begin_game(rules, states, seed):
    """Deal the game of a campaign's current scenario onto a clear table."""
    state = states[0]
    state.random = np.uint64(seed)
    state.active = state.first
    state.to_act = state.first
    deal_game(rules[0], state)


@entry
def go_on_filling_up(rules, states):
    """Ask the active side, or otherwise the other, for an upgrade after the last scenario."""
    ask_to_fill_up(rules[0], states[0], np.int64(states[0].active))
