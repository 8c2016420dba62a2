"""Setting up the table: trade deck, starting decks, opening hands (rulebook: Setup, Formats, Campaign Setup)."""

import numpy as np

from stardeck.kernels.jit import kernel
from stardeck.kernels.random import shuffle
from stardeck.kernels.star_realms.play.faces import is_large
from stardeck.kernels.star_realms.play.scenarios import ask_for_modifier
from stardeck.kernels.star_realms.play.scenes import against_blob, scene
from stardeck.kernels.star_realms.play.trade_row import clear_trade_row, refill
from stardeck.kernels.star_realms.play.zones import draw_cards
from stardeck.kernels.star_realms.rules import NO_SLOTS
from stardeck.kernels.star_realms.state import NO_CARD, SLOT_LIMIT, Zone


@kernel
def shuffle_starting_deck(rules, state, seat):
    """The shuffled starting deck of a seat."""
    player = state.players[seat]
    count = np.int64(rules.starting_deck_count[seat])
    for i in range(count):
        player.cards[i] = rules.starting_deck[seat, i]
    player.count[Zone.DECK] = count
    shuffle(state, player.cards, count)


@kernel
def shuffle_trade_deck(rules, state):
    """The shuffled trade deck, in which upgraded cards stand for their plain copies."""
    count = np.int64(rules.trade_deck_count)
    for i in range(count):
        state.trade_deck[i] = rules.trade_deck[i]
    if is_large(state) and rules.slots_from != NO_SLOTS:
        for slot in range(SLOT_LIMIT):
            if state.upgraded[slot] != NO_CARD:
                place = 0
                while state.trade_deck[place] != state.upgraded[slot]:
                    place += 1
                state.trade_deck[place] = rules.slots_from + slot
    state.trade_deck_count = count
    shuffle(state, state.trade_deck, count)


@kernel
def lay_out(rules, state):
    """The trade row, opening hands, which go by the order of the first turns, the authority that a scenario gives."""
    for place in range(len(state.trade_row)):
        refill(rules, state, place)
    for seat in range(rules.players):
        place = seat - state.first if seat >= state.first else seat - state.first + rules.players
        if is_large(state) and scene(rules, state).authority > 0:
            state.players[seat].authority = scene(rules, state).authority
        draw_cards(state, state.players[seat], rules.opening_hands[place])


@kernel
def deal_game(rules, state):
    """Set up a game, as far as a choice of the first player before any card is drawn. (Ruling: scenario_choice_time)

    Trade for the first turn waits in the pool, which only the Discard Phase of its owner empties; below 0, the first
    trade that the player gains fills it up.
    """
    shuffle_trade_deck(rules, state)
    state.explorers = rules.explorers
    if against_blob(rules, state):
        state.boss_authority = rules.blob_authority
    for seat in range(rules.players):
        shuffle_starting_deck(rules, state, seat)
        state.players[seat].authority = rules.authority[seat]
        state.players[seat].trade = rules.first_turn_trade[seat]
    if is_large(state) and ask_for_modifier(rules, state):
        clear_trade_row(state)
    else:
        lay_out(rules, state)
