"""The deal of a game (rulebook: Setup, Challenge Setup, Gambits, Campaign Setup)."""

import numpy as np

from stardeck.kernels.compile.jit import kernel
from stardeck.kernels.star_realms.play.boss.bosses import deal_face_down
from stardeck.kernels.star_realms.play.effects.gambits import ask_to_reveal, deal_gambits
from stardeck.kernels.star_realms.play.opening import deal_game
from stardeck.kernels.star_realms.play.turn import settle
from stardeck.kernels.star_realms.rules import FirstTurn


@kernel
def deal(rules, state, seed):
    """Deal a new game into a blank record; a campaign begins with the Star Empire in seat 0."""
    state.variant = rules.variant
    state.random = np.uint64(seed)
    state.scenario = rules.scenario
    state.first = rules.first_player
    for slot in range(len(state.upgraded)):
        state.upgraded[slot] = rules.upgraded[slot]
    for side in range(len(state.rows_used)):
        state.rows_used[side] = rules.rows_used[side]
    state.boss_authority = rules.boss_authority
    deal_game(rules, state)
    state.boss_waits = rules.boss_waits
    deal_face_down(rules, state)
    deal_gambits(rules, state)
    bids_wait = rules.first_turn != FirstTurn.AGREED and state.stack_count > 0  # gambits may be revealed after them
    if rules.gambit_round and not bids_wait:
        ask_to_reveal(rules, state, np.int64(state.first), 0)
    settle(rules, state)
