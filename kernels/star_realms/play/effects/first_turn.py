"""The choice of the first player: bids of authority, or a price that one player names for both (setting `first_turn`).

Players bid after the trade row is laid out and before they draw. The frame holds the highest bid in `done` and the seat
that would have the first turn in `owner`. Bits in `left` mark the seats that may still bid. The seat that gets the
first turn pays once, before opening hands are drawn.
"""

import numpy as np

from stardeck.kernels.compile.jit import kernel
from stardeck.kernels.star_realms.play.board.decisions import push, top
from stardeck.kernels.star_realms.play.board.teams import clockwise
from stardeck.kernels.star_realms.rules import FirstTurn
from stardeck.kernels.star_realms.state import Decision


@kernel
def ask_for_bids(rules, state):
    """Ask the seat that would begin without a bid; a player who names a price for both cannot decline."""
    seat = np.int64(state.first)
    frame = push(state, Decision.BID, seat, seat, 0, 0)
    frame.optional = rules.first_turn == FirstTurn.BID
    frame.left = (1 << rules.players) - 1


@kernel
def lowest_bid(rules):
    """Return the lowest bid of the format; a price for both may be 0."""
    return 1 if rules.first_turn == FirstTurn.BID else 0


@kernel
def least_bid(rules, state, frame):
    """Return the lowest bid allowed now: above the highest bid, or the price already named."""
    return np.int64(frame.done) + (1 if rules.first_turn == FirstTurn.BID else 0)


@kernel
def most_bid(rules, state, frame):
    """Return the highest bid allowed now: some authority must remain, and a price already named stays."""
    most = min(np.int64(rules.most_bid), np.int64(state.players[frame.seat].authority) - 1)
    if rules.first_turn == FirstTurn.PIE and frame.seat != state.first:
        return min(most, np.int64(frame.done))
    return most


@kernel
def bid_goes_on(rules, state, amount):
    """Record a bid, or a pass (-1), and return whether another seat must decide."""
    frame = top(state)
    seat = np.int64(frame.seat)
    if amount >= 0:
        frame.owner = seat
        frame.done = amount
    if amount < 0 or rules.first_turn == FirstTurn.PIE:
        frame.left &= ~(1 << seat)
    for distance in range(1, rules.players):
        other = clockwise(rules, seat, distance)
        if other != frame.owner and (frame.left >> other) & 1:
            frame.seat = other
            frame.optional = 1
            state.to_act = other
            if least_bid(rules, state, frame) <= most_bid(rules, state, frame):
                return True
    return False
