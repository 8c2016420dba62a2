"""The stack of pending decisions: who must choose, what, how often, and the effects that follow.

An effect that needs a choice pushes a frame. While the stack holds a frame, the top one decides what is legal
(legal.py), and every action answers it (answers.py). The frame keeps the effects that follow the choice:
rules.effects[rest:end].
"""

from stardeck.kernels.compile.jit import kernel


@kernel
def top(state):
    """Return the frame on top of the stack, which asks now."""
    return state.stack[state.stack_count - 1]


@kernel
def push(state, decision, seat, owner, rest, end):
    """Ask `seat` for a decision of an ability of `owner`; return the frame, with one choice to make."""
    frame = state.stack[state.stack_count]
    frame.decision = decision
    frame.seat = seat
    frame.owner = owner
    frame.rest = rest
    frame.end = end
    frame.left = 1
    frame.done = 0
    frame.detail = 0
    frame.optional = 0
    frame.then_draw = 0
    frame.then_combat = 0
    frame.then_authority = 0
    frame.then_discard = 0
    frame.purpose = 0
    state.stack_count += 1
    state.to_act = seat
    return frame


@kernel
def pop(state):
    """Remove the frame on top, which has been answered."""
    state.stack_count -= 1
    state.to_act = state.active if state.stack_count == 0 else state.stack[state.stack_count - 1].seat
