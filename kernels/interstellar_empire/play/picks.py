"""Picks of one card out of two: Slavery, Trade Delegation, Ancient Artifact (rulings: picks)."""

import numpy as np

from stardeck.kernels.compile.jit import kernel
from stardeck.kernels.interstellar_empire.play.asking import go_on, put_question
from stardeck.kernels.interstellar_empire.play.ending import end_game
from stardeck.kernels.interstellar_empire.play.zones import put_on_discard_pile, take_top, total
from stardeck.kernels.interstellar_empire.state import LARGEST_NUMBER, NO_CARD, Ask, Government
from stardeck.kernels.primitives.random import random_below


@kernel
def next_pick(rules, state):
    """Start the next pick: its player looks at the top two cards alone.

    If the deck holds a single card, it goes to the hand without a choice.
    """
    if state.deck_count == 0:
        end_game(rules, state)
        return
    if state.picks_count == 0:
        go_on(rules, state)
        return
    seat = np.int64(state.picks[0])
    state.picks_count -= 1
    for place in range(len(state.picks) - 1):
        state.picks[place] = state.picks[place + 1]
    if state.deck_count == 1:
        state.players[seat].hand[take_top(state)] += 1
        end_game(rules, state)
        return
    state.looked_at[0] = take_top(state)
    state.looked_at[1] = take_top(state)
    put_question(state, seat, Ask.KEEP)


@kernel
def other_looked_at(state, kept):
    """Return the other of the two cards in question."""
    return np.int64(state.looked_at[1] if state.looked_at[0] == kept else state.looked_at[0])


@kernel
def forget_looked_at(state):
    """Clear the two cards in question, after they have moved."""
    state.looked_at[0] = NO_CARD
    state.looked_at[1] = NO_CARD


@kernel
def keep_pick(rules, state, card):
    """Keep one of the two cards of a pick; the other is discarded."""
    state.players[state.to_act].hand[card] += 1
    put_on_discard_pile(state, other_looked_at(state, card))
    forget_looked_at(state)
    next_pick(rules, state)


@kernel
def random_card(state, player):
    """Take a uniformly random card out of a hand."""
    k = random_below(state, total(player.hand))
    kind = 0
    while k >= np.int64(player.hand[kind]):
        k -= np.int64(player.hand[kind])
        kind += 1
    player.hand[kind] -= 1
    return kind


@kernel
def reveal_two(rules, state, caster, target):
    """Show two random cards of an opponent's hand; take an only card at once (Ancient Artifact)."""
    player = state.players[target]
    held = total(player.hand)
    if held == 1:
        state.players[caster].hand[random_card(state, player)] += 1
    elif held > 1:
        state.looked_at[0] = random_card(state, player)
        state.looked_at[1] = random_card(state, player)
        put_question(state, target, Ask.ARTIFACT)


@kernel
def keep_shown(rules, state, card):
    """Keep one of the two cards shown; the other goes to the player who played the special."""
    state.players[state.to_act].hand[card] += 1
    state.players[state.active].hand[other_looked_at(state, card)] += 1
    forget_looked_at(state)
    go_on(rules, state)


@kernel
def may_keep(rules, state, card):
    """Return True if this one of two cards may be kept: a dictator must keep a lone 6 (Tyrannical State)."""
    if state.players[state.to_act].government != Government.DICTATOR or rules.cards[card].number == LARGEST_NUMBER:
        return True
    return rules.cards[other_looked_at(state, card)].number != LARGEST_NUMBER
