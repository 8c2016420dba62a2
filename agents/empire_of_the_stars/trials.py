"""Randomised trials in Empire of the Stars: the power that a player keeps, and the technology it buys.

Powers: each of those dealt is equally likely. Technologies: where the agent is about to buy one, each affordable one of
its hand is equally likely, and so is none.
"""

import numpy as np

from stardeck.agents.data.trials import note_option, take
from stardeck.kernels import verbs
from stardeck.kernels.compile.jit import kernel
from stardeck.kernels.empire_of_the_stars.rules import Act
from stardeck.kernels.empire_of_the_stars.state import STATE, Step
from stardeck.kernels.primitives import action_set
from stardeck.kernels.verbs import apply, legal_actions

POWERS, TECHNOLOGIES = range(2)  # treatments
FIRST_ROLE_OF_STAGE = (0, 10, 18)  # about a third of a two-player game each


@kernel
def stage_of(state):
    """Return the stage: 0 early, 1 middle, 2 late."""
    return np.int64(state.turn >= FIRST_ROLE_OF_STAGE[1]) + np.int64(state.turn >= FIRST_ROLE_OF_STAGE[2])


@kernel
def offer(rules, state, agent, trial):
    """Note the options of a trial at a decision, if there are any."""
    trial.others = 0 if trial.what == POWERS else 1
    if state.step != (Step.KEEP_POWER if trial.what == POWERS else Step.BUY):
        return
    if rules.actions[trial.action].act != Act.NAME or stage_of(state) != trial.wanted:
        return
    legal = agent.legal[: (rules.num_actions + 63) >> 6]
    legal_actions(rules, state, legal)
    for k in range(action_set.size(legal)):
        action = action_set.member(legal, k)
        row = rules.actions[action]
        if row.act == Act.NAME and trial.count < len(trial.offered):
            note_option(trial, row.what, action)


@kernel
def carry_out(rules, state, trial, chosen):
    """Apply the chosen option."""
    if not take(rules, state, trial, chosen):
        apply(rules, state, np.int64(rules.first[Act.PASS]))


verbs.implement(verbs.offer, STATE, offer)
verbs.implement(verbs.carry_out, STATE, carry_out)
