"""The course of a battle: its steps in order, with their questions and answers (rulebook: Warlord 2).

During a battle, `mains` holds attacker and defender, and `active` the seat at hand. The step READY asks only about
powers and technologies.
"""

import numpy as np

from stardeck.kernels.compile.jit import kernel
from stardeck.kernels.empire_of_the_stars.play.battle import allies, hits, losses, plans, tactics
from stardeck.kernels.empire_of_the_stars.state import Step


@kernel
def advance(rules, state):
    """Advance to the next question of the battle, or a part of the way."""
    step = state.step
    if step == Step.INVITE:
        allies.advance_invite(rules, state)
    elif step == Step.ANSWER:
        allies.advance_answer(rules, state)
    elif step == Step.ALLY:
        allies.advance_ally(rules, state)
    elif step == Step.READY:
        plans.advance_ready(rules, state)
    elif step == Step.PLAN:
        plans.advance_plan(rules, state)
    elif step == Step.TACTICS:
        tactics.advance_tactics(rules, state)
    elif step == Step.HITS:
        hits.advance_hits(rules, state)
    else:
        losses.advance_invade(rules, state)


@kernel
def mark_answers(rules, state, seat, legal):
    """Mark the legal answers of the step."""
    step = state.step
    if step == Step.INVITE:
        allies.mark_invitations(rules, state, seat, legal)
    elif step == Step.ANSWER:
        allies.mark_joining(rules, state, seat, legal)
    elif step == Step.ALLY:
        allies.mark_arrivals(rules, state, seat, legal)
    elif step == Step.PLAN:
        plans.mark_plan(rules, state, seat, legal)
    elif step == Step.TACTICS:
        tactics.mark_shifts(rules, state, seat, legal)
    elif step == Step.HITS:
        hits.mark_targets(rules, state, seat, legal)
    else:
        losses.mark_invasions(rules, state, seat, legal)


@kernel
def answer(rules, state, seat, row):
    """Carry out an answer in the battle."""
    step = state.step
    if step == Step.INVITE:
        allies.answer_invitations(rules, state, seat, row)
    elif step == Step.ANSWER:
        allies.answer_joining(rules, state, row)
    elif step == Step.ALLY:
        allies.answer_arrivals(rules, state, seat, row)
    elif step == Step.PLAN:
        plans.set_part(state, seat, np.int64(row.what))
    elif step == Step.TACTICS:
        tactics.answer_shifts(rules, state, seat, row)
    elif step == Step.HITS:
        hits.answer_hits(rules, state, seat, row)
    else:
        losses.answer_invasion(rules, state, row)
