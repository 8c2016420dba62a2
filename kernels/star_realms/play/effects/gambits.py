"""Gambits: revealing, using, and effects while they lie face up (rulebook: Gambits).

A gambit never enters a deck or hand. Gambits that no player was dealt form a face-down pile. A Wild Gambit draws from
it.
"""

import numpy as np

from stardeck.kernels.compile.jit import kernel
from stardeck.kernels.primitives.random import random_below
from stardeck.kernels.star_realms.play.board.decisions import pop, push
from stardeck.kernels.star_realms.play.board.teams import clockwise, is_in_game
from stardeck.kernels.star_realms.state import Decision, Face


@kernel
def shield(rules, state, seat):
    """Return the combat that revealed Energy Shields take off an attack on a player.

    The shields of a team with one score add up. (Ruling)
    """
    less = 0
    for kind in range(rules.gambit_kinds):
        if rules.gambits[kind].shield:
            for mate in range(rules.players):
                if mate == seat or (rules.shared_authority and rules.side[mate] == rules.side[seat]):
                    less += rules.gambits[kind].shield * state.players[mate].gambits[Face.REVEALED, kind]
    return less


@kernel
def combat_each_turn(rules, player):
    """Add the combat of revealed Frontier Fleets at the start of their owner's turn."""
    for kind in range(rules.gambit_kinds):
        player.combat += rules.gambits[kind].combat * player.gambits[Face.REVEALED, kind]


@kernel
def reveal(player, kind):
    """Turn a gambit face up."""
    player.gambits[Face.HIDDEN, kind] -= 1
    player.gambits[Face.REVEALED, kind] += 1


@kernel
def reveal_in_main_phase(rules, player, kind):
    """Turn a gambit face up on its owner's turn; a Frontier Fleet gives combat at once (ruling)."""
    reveal(player, kind)
    player.combat += rules.gambits[kind].combat


@kernel
def has_hidden(rules, player):
    """Return whether a player has a gambit to reveal."""
    for kind in range(rules.gambit_kinds):
        if player.gambits[Face.HIDDEN, kind] > 0:
            return True
    return False


@kernel
def unclaimed(rules, state):
    """Count the gambits that no player was dealt."""
    count = 0
    for kind in range(rules.gambit_kinds):
        count += np.int64(state.unclaimed_gambits[kind])
    return count


@kernel
def claim_at_random(rules, state, claimed):
    """Move a random unclaimed gambit to `claimed`. claimed: uint8[kinds], counts."""
    chosen = random_below(state, unclaimed(rules, state))
    for kind in range(rules.gambit_kinds):
        chosen -= np.int64(state.unclaimed_gambits[kind])
        if chosen < 0:
            state.unclaimed_gambits[kind] -= 1
            claimed[kind] += 1
            return


@kernel
def deal_gambits(rules, state):
    """Deal gambits face down to every player (rulebook: Gambits)."""
    for kind in range(rules.gambit_kinds):
        state.unclaimed_gambits[kind] = rules.gambits[kind].copies
    for seat in range(rules.players):
        for _ in range(rules.gambits_each):
            claim_at_random(rules, state, state.players[seat].gambits[Face.HIDDEN])


@kernel
def ask_to_reveal(rules, state, first, place):
    """Ask players in turn order, before the first turn, to reveal gambits.

    first: the seat that has the first turn; place: the position in turn order of the first player asked.
    """
    for distance in range(place, rules.players):
        seat = clockwise(rules, first, distance)
        if is_in_game(state, seat) and has_hidden(rules, state.players[seat]):
            push(state, Decision.REVEAL, seat, seat, 0, 0).optional = 1
            return


@kernel
def answer_reveal(rules, state, kind):
    """Reveal a gambit before the first turn, or stop revealing (-1)."""
    seat = np.int64(state.stack[state.stack_count - 1].seat)
    if kind >= 0:
        reveal(state.players[seat], kind)
    if kind < 0 or not has_hidden(rules, state.players[seat]):
        pop(state)
        first = np.int64(state.first)
        ask_to_reveal(rules, state, first, clockwise(rules, seat, rules.players - first) + 1)


@kernel
def look_at_gambits(rules, state, seat, count):
    """Draw unclaimed gambits, one of which the player keeps (Wild Gambit); return whether there is a question."""
    for _ in range(count):
        claim_at_random(rules, state, state.looked_at)
    return count > 0


@kernel
def keep_gambit(rules, state, seat, kind):
    """Keep one of the gambits looked at, face down; return the others to the unclaimed ones."""
    state.looked_at[kind] -= 1
    state.players[seat].gambits[Face.HIDDEN, kind] += 1
    for other in range(rules.gambit_kinds):
        state.unclaimed_gambits[other] += state.looked_at[other]
        state.looked_at[other] = 0
