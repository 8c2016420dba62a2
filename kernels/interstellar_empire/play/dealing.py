"""Set-up of a game (rulebook: Set Up)."""

import numpy as np

from stardeck.kernels.compile.jit import kernel
from stardeck.kernels.interstellar_empire.play.turn import begin_turn
from stardeck.kernels.interstellar_empire.play.zones import draw
from stardeck.kernels.interstellar_empire.state import NO_CARD, NOBODY, Ask, Government, Phase
from stardeck.kernels.primitives.random import shuffle

FIRST_HAND = 10


@kernel
def deal(rules, state, seed):
    """Deal a new game into a blank record: ten cards each, then the bid or the first turn of seat 0."""
    state.variant = rules.variant
    state.random = np.uint64(seed)
    for i in range(rules.deck_count):
        state.deck[i] = rules.deck[i]
    state.deck_count = rules.deck_count
    shuffle(state, state.deck, np.int64(rules.deck_count))
    state.looked_at[0] = NO_CARD
    state.looked_at[1] = NO_CARD
    state.defender = NOBODY
    for seat in range(rules.players):
        player = state.players[seat]
        player.bid = NO_CARD
        player.government = Government.UNDECIDED if rules.governments else Government.EMPEROR
        draw(state, player, FIRST_HAND)
    if rules.bid:
        state.phase = Phase.BID
        state.ask = Ask.MOVE
    else:
        begin_turn(rules, state, 0)
