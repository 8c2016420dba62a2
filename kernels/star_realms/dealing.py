"""Setting up a game (rulebook: Setup, Formats, Challenge Setup, Gambits)."""

import numpy as np

from stardeck.kernels.jit import kernel
from stardeck.kernels.random import shuffle
from stardeck.kernels.star_realms.bosses import deal_face_down
from stardeck.kernels.star_realms.gambits import ask_to_reveal, deal_gambits
from stardeck.kernels.star_realms.state import Zone
from stardeck.kernels.star_realms.trade_row import refill
from stardeck.kernels.star_realms.turn import settle
from stardeck.kernels.star_realms.zones import draw_cards


@kernel
def deal_player(rules, state, seat):
    """Starting authority, a shuffled starting deck and the opening hand of a seat."""
    player = state.players[seat]
    player.authority = rules.authority[seat]
    for i in range(rules.starting_deck_count):
        player.cards[i] = rules.starting_deck[i]
    player.count[Zone.DECK] = rules.starting_deck_count
    shuffle(state, player.cards, np.int64(rules.starting_deck_count))
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
        refill(rules, state, place)
    state.explorers = rules.explorers
    for seat in range(rules.players):
        deal_player(rules, state, seat)
    state.boss_authority = rules.boss_authority
    state.boss_waits = rules.boss_waits
    deal_face_down(rules, state)
    deal_gambits(rules, state)
    if rules.gambit_round:
        ask_to_reveal(rules, state, 0)
    settle(rules, state)
