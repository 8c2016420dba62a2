"""Decisions of the compiled agents of Star Realms among some of the legal actions.

The agent decides again in a copy of the state from which everything that it wanted, and may not have, is taken away: a
card of the trade row, a base in play, an opponent to attack. It so takes the best of what is left, by its own values.
"""

import numpy as np

from stardeck.kernels.compile.jit import kernel
from stardeck.kernels.primitives import action_set
from stardeck.kernels.star_realms.play.board.faces import face
from stardeck.kernels.star_realms.play.board.teams import clockwise
from stardeck.kernels.star_realms.play.board.zones import take_out_of_play
from stardeck.kernels.star_realms.rules import NO_ACTION, Act
from stardeck.kernels.star_realms.state import NO_CARD, Face
from stardeck.kernels.verbs import choose

TRIES = 24
OUT_OF_REACH = 100_000_000  # authority that nobody attacks


@kernel
def take_from_row(rules, state, act, action):
    """Take the card that an action names from the trade row, or the pile of Explorers; return whether it was there."""
    there = False
    for place in range(len(state.trade_row)):
        card = np.int64(state.trade_row[place])
        if card != NO_CARD and face(rules, state, card).action[act] == action:
            state.trade_row[place] = NO_CARD
            there = True
    if state.explorers > 0 and face(rules, state, np.int64(rules.explorer)).action[act] == action:
        state.explorers = 0
        there = True
    return there


@kernel
def take_from_play(rules, state, seat, act, action):
    """Take all cards with an action (of the first side, box or opponent) out of play; return whether one was there."""
    player = state.players[seat]
    there = False
    for place in range(player.in_play_count - 1, -1, -1):
        if face(rules, state, np.int64(player.in_play[place].card)).action[act] == action:
            take_out_of_play(player, place)
            there = True
    return there


@kernel
def take_pool(state, act):
    """Empty the pool that an action gives away; return whether something was in it."""
    player = state.players[state.active]
    if act == Act.GIVE_TRADE:
        there = player.trade > 0
        player.trade = 0
    else:
        there = player.combat > 0
        player.combat = 0
    return there


@kernel
def take_gambit(state, seat, kind):
    """Take the gambits of a kind from a player; return whether one was there."""
    player = state.players[seat]
    there = False
    for side in (Face.HIDDEN, Face.REVEALED):
        there |= player.gambits[side, kind] > 0
        player.gambits[side, kind] = 0
    return there


@kernel
def take_opponent(rules, state, seat, distance):
    """Put an opponent out of reach; return whether it was within reach."""
    other = state.players[clockwise(rules, seat, distance)]
    there = other.authority < OUT_OF_REACH
    other.authority = OUT_OF_REACH
    return there


@kernel
def take_away(rules, state, action):
    """Take from the state what an action acts on; return false where nothing can be taken."""
    if action < 0 or action >= rules.num_actions:
        return False
    row = rules.actions[action]
    act = np.int64(row.act)
    detail = np.int64(row.detail)
    seat = np.int64(state.to_act)
    if (
        act == Act.BUY or act == Act.BUY_TO_DECK or act == Act.ACQUIRE or act == Act.ACQUIRE_TO_DECK
        or act == Act.SCRAP_FROM_TRADE_ROW
    ):  # fmt: skip
        return take_from_row(rules, state, act, action)
    if act == Act.ATTACK_BASE or act == Act.DESTROY_BASE or act == Act.DAMAGE_BASE:
        first = action - (detail - 1) * rules.base_kinds if act != Act.DAMAGE_BASE else action
        return take_from_play(rules, state, clockwise(rules, seat, detail), act, first)
    if act == Act.USE_SCRAP:
        return take_from_play(rules, state, seat, act, action)
    if act == Act.USE or act == Act.USE_ALLY:
        return take_from_play(rules, state, seat, act, action - detail)
    if act == Act.ATTACK_PLAYER:
        return take_opponent(rules, state, seat, detail)
    if act == Act.GIVE_TRADE or act == Act.GIVE_COMBAT:
        return take_pool(state, act)
    if act == Act.REVEAL or act == Act.USE_GAMBIT:
        return take_gambit(state, seat, np.int64(row.card))
    return False


@kernel
def choose_among(rules, state, agent, room):
    """Return the agent's action where what it may not have is not there, or NO_ACTION."""
    copy = room.copy
    copy[0] = state
    for _ in range(TRIES):
        action = choose(rules, copy[0], agent)
        if action_set.contains(room.allowed, action):
            return np.int64(action)
        if not take_away(rules, copy[0], np.int64(action)):
            break
    return np.int64(NO_ACTION)
