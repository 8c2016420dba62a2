"""Elimination of players, and the end of a game (rulebook: Overview, Authority, Formats)."""

import numpy as np

from stardeck.kernels.compile.jit import kernel
from stardeck.kernels.star_realms.play.board.decisions import pop, push
from stardeck.kernels.star_realms.play.board.teams import clockwise, is_in_game, is_teammate, right_neighbour
from stardeck.kernels.star_realms.play.board.zones import (
    discard_hand,
    first_of,
    put_in_discard_pile,
    scrap,
    size_of,
    take_from_discard_pile,
)
from stardeck.kernels.star_realms.rules import Legacy
from stardeck.kernels.star_realms.state import NOBODY, Decision, Face, Zone


@kernel
def sides_left(rules, state):
    """Count the sides still in the game; the seats of a side share their placement."""
    left = 0
    for seat in range(rules.players):
        first = seat == 0 or rules.side[seat] != rules.side[seat - 1]
        left += first and state.placement[seat] == 0
    return left


@kernel
def place_side(rules, state, side, place):
    """Record the placement of a side."""
    for seat in range(rules.players):
        if rules.side[seat] == side:
            state.placement[seat] = place


@kernel
def side_has_lost(rules, state, side):
    """Return whether a side has lost its leader, or the last of its players."""
    for seat in range(rules.players):
        if rules.side[seat] == side and rules.leader[seat]:
            return not is_in_game(state, seat)
    for seat in range(rules.players):
        if rules.side[seat] == side and is_in_game(state, seat):
            return False
    return True


@kernel
def end_game(rules, state):
    """End the game; the players still in it share first place."""
    for seat in range(rules.players):
        if state.placement[seat] == 0:
            state.placement[seat] = 1
    state.stack_count = 0
    state.boss_turn = 0
    state.to_act = NOBODY


@kernel
def win_by_first_blood(rules, state, winner):
    """Place the winner first and all others still in the game second (rulebook: Hunter First Blood)."""
    for seat in range(rules.players):
        if state.placement[seat] == 0 and seat != winner:
            state.placement[seat] = 2
    end_game(rules, state)


@kernel
def leave_game(rules, state, seat):
    """Scrap a defeated player's cards in play and collect all other cards in the discard pile."""
    player = state.players[seat]
    for i in range(player.in_play_count):
        scrap(rules, state, np.int64(player.in_play[i].card))
    player.in_play_count = 0
    discard_hand(player)
    while player.count[Zone.DECK] > 0:
        player.count[Zone.DECK] -= 1
        put_in_discard_pile(player, player.cards[player.count[Zone.DECK]])
    for kind in range(rules.gambit_kinds):
        player.gambits[Face.HIDDEN, kind] = 0
        player.gambits[Face.REVEALED, kind] = 0
    player.known_on_deck = 0
    player.discards_owed = 0
    player.trade = 0


@kernel
def scrap_the_rest(rules, state, seat):
    """Scrap the cards that a defeated player has left to no teammate (rulebook: Formats)."""
    player = state.players[seat]
    first = first_of(player, Zone.DISCARD_PILE)
    for i in range(first, first + size_of(player, Zone.DISCARD_PILE)):
        scrap(rules, state, np.int64(player.cards[i]))
    player.count[Zone.DISCARD_PILE] = 0


@kernel
def next_heir(rules, state, seat, last):
    """Return the teammate after `last`, clockwise, to whom a defeated player may leave a card, or -1."""
    if rules.legacy == Legacy.NOBODY or state.players[seat].count[Zone.DISCARD_PILE] == 0:
        return -1
    mate = clockwise(rules, last, 1)
    while mate != seat:
        if is_teammate(rules, state, seat, mate) and (rules.legacy == Legacy.TEAMMATES or rules.leader[mate]):
            return mate
        mate = clockwise(rules, mate, 1)
    return -1


@kernel
def ask_what_to_leave(rules, state, seat):
    """Ask a defeated player to leave cards: an Admiral to the Emperor, a Raider to each teammate.

    (Rulebook: Emperor, Raid)
    """
    heir = next_heir(rules, state, seat, seat)
    if heir < 0:
        scrap_the_rest(rules, state, seat)
        return
    frame = push(state, Decision.LEAVE, seat, seat, 0, 0)
    frame.detail = heir
    frame.optional = 1


@kernel
def answer_leave(rules, state, card):
    """Leave a card, or none (-1), to the current heir; then ask about the next heir."""
    frame = state.stack[state.stack_count - 1]
    seat = np.int64(frame.seat)
    heir = np.int64(frame.detail)
    if card >= 0:
        take_from_discard_pile(state.players[seat], card)
        put_in_discard_pile(state.players[heir], card)
    frame.detail = next_heir(rules, state, seat, heir)
    if frame.detail < 0:
        pop(state)
        scrap_the_rest(rules, state, seat)


@kernel
def eliminate(rules, state, seat):
    """Eliminate a player with 0 authority or less; the game ends when one side is left."""
    side = rules.side[seat]
    if side_has_lost(rules, state, side):
        left = sides_left(rules, state)
        place_side(rules, state, side, max(left, 2))  # alone against a Boss, the side is second
        if rules.first_blood:
            win_by_first_blood(rules, state, right_neighbour(rules, state, seat))
        elif left <= 2:
            end_game(rules, state)
    if state.to_act != NOBODY:
        leave_game(rules, state, seat)
        ask_what_to_leave(rules, state, seat)


@kernel
def win_at_once(rules, state, seat):
    """Let a player win in another way than by the opponents' defeat."""
    for side in range(rules.sides):
        if side != rules.side[seat]:
            place_side(rules, state, side, 2)
    end_game(rules, state)


@kernel
def truncate(rules, state):
    """End a game that has reached the limit on turns; no side wins, and all still in it share first place."""
    state.truncated = 1
    end_game(rules, state)
