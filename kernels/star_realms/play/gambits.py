"""Gambits: revealing, using, and what they do while they lie open (rulebook: Gambits).

A gambit never enters a deck or hand. Those nobody was dealt form a face-down pile, from which a Wild Gambit draws.
"""

import numpy as np

from stardeck.kernels.compile.jit import kernel
from stardeck.kernels.primitives.random import random_below
from stardeck.kernels.star_realms.play.decisions import pop, push
from stardeck.kernels.star_realms.play.teams import clockwise, is_in_game
from stardeck.kernels.star_realms.state import Decision, Face


@kernel
def shield(rules, state, seat):
    """What revealed Energy Shields take off an attack on a player; those of a team with one score add up. (Ruling)"""
    less = 0
    for kind in range(rules.gambit_kinds):
        if rules.gambits[kind].shield:
            for mate in range(rules.players):
                if mate == seat or (rules.shared_authority and rules.side[mate] == rules.side[seat]):
                    less += rules.gambits[kind].shield * state.players[mate].gambits[Face.REVEALED, kind]
    return less


@kernel
def combat_each_turn(rules, player):
    """Revealed Frontier Fleets pay when their owner's turn starts."""
    for kind in range(rules.gambit_kinds):
        player.combat += rules.gambits[kind].combat * player.gambits[Face.REVEALED, kind]


@kernel
def reveal(player, kind):
    """Turn a gambit face up."""
    player.gambits[Face.HIDDEN, kind] -= 1
    player.gambits[Face.REVEALED, kind] += 1


@kernel
def reveal_in_main_phase(rules, player, kind):
    """Turn a gambit face up on the own turn; a Frontier Fleet pays at once. (Ruling)"""
    reveal(player, kind)
    player.combat += rules.gambits[kind].combat


@kernel
def has_hidden(rules, player):
    """Whether a player has a gambit to reveal."""
    for kind in range(rules.gambit_kinds):
        if player.gambits[Face.HIDDEN, kind] > 0:
            return True
    return False


@kernel
def unclaimed(rules, state):
    """How many gambits nobody was dealt."""
    count = 0
    for kind in range(rules.gambit_kinds):
        count += np.int64(state.unclaimed_gambits[kind])
    return count


@kernel
def claim_at_random(rules, state, claimed):
    """Take a random gambit from the unclaimed ones. claimed: uint8[kinds], counts."""
    chosen = random_below(state, unclaimed(rules, state))
    for kind in range(rules.gambit_kinds):
        chosen -= np.int64(state.unclaimed_gambits[kind])
        if chosen < 0:
            state.unclaimed_gambits[kind] -= 1
            claimed[kind] += 1
            return


@kernel
def deal_gambits(rules, state):
    """Deal gambits face down to every player. (Rulebook: Gambits)"""
    for kind in range(rules.gambit_kinds):
        state.unclaimed_gambits[kind] = rules.gambits[kind].copies
    for seat in range(rules.players):
        for _ in range(rules.gambits_each):
            claim_at_random(rules, state, state.players[seat].gambits[Face.HIDDEN])


@kernel
def ask_to_reveal(rules, state, first, place):
    """Before the first turn, players may reveal gambits one after the other, in the order of the first turns.

    first: the seat that has the first turn; place: of the first to be asked, in that order.
    """
    for distance in range(place, rules.players):
        seat = clockwise(rules, first, distance)
        if is_in_game(state, seat) and has_hidden(rules, state.players[seat]):
            push(state, Decision.REVEAL, seat, seat, 0, 0).optional = 1
            return


@kernel
def answer_reveal(rules, state, kind):
    """Reveal a gambit before the first turn, or no more (-1)."""
    seat = np.int64(state.stack[state.stack_count - 1].seat)
    if kind >= 0:
        reveal(state.players[seat], kind)
    if kind < 0 or not has_hidden(rules, state.players[seat]):
        pop(state)
        first = np.int64(state.first)
        ask_to_reveal(rules, state, first, clockwise(rules, seat, rules.players - first) + 1)


@kernel
def look_at_gambits(rules, state, seat, count):
    """Draw so many of the unclaimed gambits, of which one will be kept (Wild Gambit). Returns whether it asks."""
    for _ in range(count):
        claim_at_random(rules, state, state.looked_at)
    return count > 0


@kernel
def keep_gambit(rules, state, seat, kind):
    """Keep one of the gambits looked at, face down; the others go back to the unclaimed ones."""
    state.looked_at[kind] -= 1
    state.players[seat].gambits[Face.HIDDEN, kind] += 1
    for other in range(rules.gambit_kinds):
        state.unclaimed_gambits[other] += state.looked_at[other]
        state.looked_at[other] = 0
