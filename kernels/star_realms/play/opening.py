"""Setup of the table: trade deck, starting decks, opening hands (rulebook: Setup, Formats, Campaign Setup)."""

import numpy as np

from stardeck.kernels.compile.jit import kernel
from stardeck.kernels.primitives.random import shuffle
from stardeck.kernels.star_realms.play.board.decisions import pop, top
from stardeck.kernels.star_realms.play.board.faces import is_large
from stardeck.kernels.star_realms.play.board.scenes import against_blob, scene
from stardeck.kernels.star_realms.play.board.trade_row import clear_trade_row, refill
from stardeck.kernels.star_realms.play.board.zones import draw_cards
from stardeck.kernels.star_realms.play.effects.first_turn import ask_for_bids, bid_goes_on, least_bid, most_bid
from stardeck.kernels.star_realms.play.effects.gambits import ask_to_reveal
from stardeck.kernels.star_realms.play.effects.scenarios import ask_for_modifier
from stardeck.kernels.star_realms.rules import NO_SLOTS, FirstTurn
from stardeck.kernels.star_realms.state import NO_CARD, SLOT_LIMIT, Zone


@kernel
def shuffle_starting_deck(rules, state, seat):
    """Shuffle the starting deck of a seat."""
    player = state.players[seat]
    count = np.int64(rules.starting_deck_count[seat])
    for i in range(count):
        player.cards[i] = rules.starting_deck[seat, i]
    player.count[Zone.DECK] = count
    shuffle(state, player.cards, count)


@kernel
def shuffle_trade_deck(rules, state):
    """Shuffle the trade deck, in which upgraded cards replace their plain copies."""
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
def draw_opening_hands(rules, state):
    """Draw opening hands, whose sizes depend on the turn order."""
    for seat in range(rules.players):
        place = seat - state.first if seat >= state.first else seat - state.first + rules.players
        draw_cards(state, state.players[seat], rules.opening_hands[place])


@kernel
def answer_bid(rules, state, amount):
    """Bid authority for the first turn, or pass (-1).

    After the last bid the first player pays, and the players draw their hands.
    """
    if bid_goes_on(rules, state, amount):
        return
    frame = top(state)
    state.first = frame.owner
    state.active = frame.owner
    state.players[frame.owner].authority -= frame.done
    pop(state)
    draw_opening_hands(rules, state)
    if rules.gambit_round:
        ask_to_reveal(rules, state, np.int64(state.first), 0)


@kernel
def lay_out(rules, state):
    """Lay out the trade row, set a scenario's authority, and draw opening hands once the first player is known."""
    for place in range(len(state.trade_row)):
        refill(rules, state, place)
    if is_large(state) and scene(rules, state).authority > 0:
        for seat in range(rules.players):
            state.players[seat].authority = scene(rules, state).authority
    if rules.first_turn == FirstTurn.AGREED:
        draw_opening_hands(rules, state)
    else:
        ask_for_bids(rules, state)
        if least_bid(rules, state, top(state)) > most_bid(rules, state, top(state)):  # with 1 authority
            answer_bid(rules, state, -1)


@kernel
def deal_game(rules, state):
    """Set up a game, up to a choice of the first player before any card is drawn (ruling: scenario_choice_time).

    Trade for the first turn waits in the pool, which only its owner's Discard Phase empties. If it is negative, the
    first trade that the player gains offsets it.
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
