"""Setting up a game (rulebook: Setup)."""

import numpy as np

from stardeck.kernels.jit import kernel
from stardeck.kernels.random import shuffle
from stardeck.kernels.star_realms.state import Zone
from stardeck.kernels.star_realms.trade_row import refill
from stardeck.kernels.star_realms.turn import begin_turn
from stardeck.kernels.star_realms.zones import draw_cards


@kernel
def deal_player(rules, state, seat):
    """Starting authority, a shuffled starting deck and the opening hand of a seat."""
    player = state.players[seat]
    player.authority = rules.authority
    for i in range(rules.starting_deck_count):
        player.cards[Zone.DECK, i] = rules.starting_deck[i]
    player.count[Zone.DECK] = rules.starting_deck_count
    shuffle(state, player.cards[Zone.DECK], np.int64(rules.starting_deck_count))
    draw_cards(state, player, rules.opening_hands[seat])


@kernel
def deal(rules, state, seed):
    """Deal a new game into a blank record; the seat with the first turn is 0."""
    state.random = np.uint64(seed)
    for i in range(rules.trade_deck_count):
        state.trade_deck[i] = rules.trade_deck[i]
    state.trade_deck_count = rules.trade_deck_count
    shuffle(state, state.trade_deck, np.int64(rules.trade_deck_count))
    for place in range(len(state.trade_row)):
        refill(state, place)
    state.explorers = rules.explorers
    for seat in range(rules.players):
        deal_player(rules, state, seat)
    begin_turn(rules, state, 0)
