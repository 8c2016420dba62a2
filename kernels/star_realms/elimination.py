"""A player is out, and how a game ends (rulebook: Overview, Authority)."""

from stardeck.kernels.jit import kernel
from stardeck.kernels.star_realms.state import NOBODY


@kernel
def players_left(rules, state):
    """How many players are still in the game."""
    left = 0
    for seat in range(rules.players):
        if state.placement[seat] == 0:
            left += 1
    return left


@kernel
def end_game(rules, state):
    """Nobody decides any more; who is still in the game shares the first place."""
    for seat in range(rules.players):
        if state.placement[seat] == 0:
            state.placement[seat] = 1
    state.stack_count = 0
    state.to_act = NOBODY


@kernel
def eliminate(rules, state, seat):
    """A player with 0 authority or less loses; the last one left wins."""
    state.placement[seat] = players_left(rules, state)
    if players_left(rules, state) == 1:
        end_game(rules, state)


@kernel
def truncate(rules, state):
    """End a game that has reached the limit on turns: nobody wins."""
    state.truncated = 1
    end_game(rules, state)
