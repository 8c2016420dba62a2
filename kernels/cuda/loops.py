"""GPU loops over many games at once: a thread for each row.

A thread calls the entries of batch.py, playouts.py and lanes.py. It passes a slice of one row for each array with rows,
so nothing is written twice; see there for the arrays. `arrays` is a tuple. Arrays that the entry does not have are
named here. Only imported if numba-cuda is installed (kernels/cuda/compiler.py).
"""

import numpy as np

from stardeck.kernels.compile.jit import kernel
from stardeck.kernels.compile.stack_arrays import stack_array
from stardeck.kernels.cuda.compiler import cuda, launched, seen
from stardeck.kernels.loops import batch, lanes, playouts
from stardeck.kernels.loops.lanes import EndedGames, Outputs, Setup
from stardeck.kernels.loops.playouts import Moves, Players
from stardeck.kernels.primitives.action_set import WORD_LIMIT
from stardeck.kernels.primitives.network import Networks


@kernel
def words_of(rules):
    """Return the number of words in a set of actions."""
    return (np.int64(rules[0].num_actions) + 63) >> 6


@launched
def copy_states(count, arrays):
    """Copy rows. arrays: target, source."""
    i = cuda.grid(1)
    if i < count:
        target, source = seen(arrays)
        batch.copy_states(target[i : i + 1], source[i : i + 1])


@launched
def deal_all(count, arrays):
    """Deal games. arrays: rules, states, one blank row, seeds."""
    i = cuda.grid(1)
    if i < count:
        rules, states, blank, seeds = seen(arrays)
        batch.copy_states(states[i : i + 1], blank)
        batch.deal_all(rules, states[i : i + 1], seeds[i : i + 1])


@launched
def deal_over(count, arrays):
    """Deal games into rows that are over. arrays: rules, states, one blank row, seeds, int64[1] to count them."""
    i = cuda.grid(1)
    if i < count:
        rules, states, blank, seeds, dealt = seen(arrays)
        if batch.deal_over(rules, states[i : i + 1], blank, seeds[i : i + 1]) > 0:
            cuda.atomic.add(dealt, 0, 1)


@launched
def seats_all(count, arrays):
    """Write the seats to act. arrays: states, int64[n]."""
    i = cuda.grid(1)
    if i < count:
        states, seats = seen(arrays)
        seats[i] = states[i].to_act


@launched
def count_all(count, arrays):
    """Add up games that are over and decisions made. arrays: states, int64[2]."""
    i = cuda.grid(1)
    if i < count:
        states, counts = seen(arrays)
        if states[i].to_act < 0:
            cuda.atomic.add(counts, 0, 1)
        cuda.atomic.add(counts, 1, np.int64(states[i].decisions))


@launched
def lookers_all(count, arrays):
    """Write the seats to act, 0 where a game is over. arrays: states, int64[n]."""
    i = cuda.grid(1)
    if i < count:
        states, seats = seen(arrays)
        seats[i] = max(np.int64(states[i].to_act), 0)


@launched
def mask_all(count, arrays):
    """Write masks. arrays: rules, states, masks."""
    i = cuda.grid(1)
    if i < count:
        rules, states, masks = seen(arrays)
        legal = stack_array(WORD_LIMIT, np.uint64)[: words_of(rules)]
        batch.mask_all(rules, states[i : i + 1], legal, masks[i : i + 1])


@launched
def observe_all(count, arrays):
    """Write observations. arrays: rules, states, seats, observations."""
    i = cuda.grid(1)
    if i < count:
        rules, states, seats, observations = seen(arrays)
        batch.observe_all(rules, states[i : i + 1], seats[i : i + 1], observations[i : i + 1])


@launched
def show_and_pick_all(count, arrays):
    """Show rows and draw actions. arrays: rules, states, masks, observations, seeds, actions."""
    i = cuda.grid(1)
    if i < count:
        rules, states, masks, observations, seeds, actions = seen(arrays)
        row = slice(i, i + 1)
        legal = stack_array(WORD_LIMIT, np.uint64)[: words_of(rules)]
        shown = masks[row], observations[row]
        batch.show_and_pick_all(rules, states[row], legal, shown[0], shown[1], seeds[row], actions[row])


@launched
def first_illegal(count, arrays):
    """Find an illegal action. arrays: rules, states, actions, int64[1] (1: skip finished games), int64[1] (row)."""
    i = cuda.grid(1)
    if i < count:
        rules, states, actions, skip_finished, found = seen(arrays)
        legal = stack_array(WORD_LIMIT, np.uint64)[: words_of(rules)]
        if batch.first_illegal(rules, states[i : i + 1], actions[i : i + 1], legal, skip_finished[0] != 0) >= 0:
            cuda.atomic.min(found, 0, i)


@launched
def apply_all(count, arrays):
    """Apply actions. arrays: rules, states, actions."""
    i = cuda.grid(1)
    if i < count:
        rules, states, actions = seen(arrays)
        batch.apply_all(rules, states[i : i + 1], actions[i : i + 1])


@launched
def resample_all(count, arrays):
    """Redraw what seats cannot know. arrays: rules, states, seats, seeds."""
    i = cuda.grid(1)
    if i < count:
        rules, states, seats, seeds = seen(arrays)
        batch.resample_all(rules, states[i : i + 1], seats[i : i + 1], seeds[i : i + 1])


@launched
def play_out(count, arrays):
    """Play games out. arrays: rules, states, AGENT[n], kinds, weights, shapes, uint64[1] (seed), game_seeds, moves."""
    i = cuda.grid(1)
    if i < count:
        rules, states, agents, kinds, weights, shapes, seed, game_seeds, actions, seats = seen(arrays)
        row = slice(i, i + 1)
        players = Players(agents[row], kinds[row], Networks(weights, shapes))
        playouts.play_out(rules, states[row], players, seed[0], game_seeds[row], Moves(actions[row], seats[row]))


@launched
def take_rows(count, arrays):
    """Copy chosen rows. arrays: target, source, rows."""
    i = cuda.grid(1)
    if i < count:
        target, source, rows = seen(arrays)
        batch.take_states(target[i : i + 1], source, rows[i : i + 1])


@launched
def deal_lanes(count, arrays):
    """Deal lanes. arrays: as in `step_lanes`, but bool[n] (True: deal the lane) instead of the actions."""
    i = cuda.grid(1)
    if i < count:
        rules, states, rows, chosen, shown, book, stuck, blank, agents, weights, shapes, plan, pool = seen(arrays)
        here = slice(i, i + 1)
        masks, observations, seats, ended = shown
        outputs = Outputs(masks[here], observations[here], seats[here], ended[here])
        finals, numbers, tally = book
        noted = EndedGames(finals[here], numbers[here], tally[here])
        setup = Setup(plan, blank, agents[here], Networks(weights, shapes), pool)
        lanes.deal_lanes(rules, states[here], rows[here], chosen[here], outputs, noted, setup)
        if tally[i].stuck > 0:
            cuda.atomic.add(stuck, 0, 1)


@launched
def step_lanes(count, arrays):
    """Step lanes.

    arrays: rules, states, lanes, actions, shown, book, int64[1], a blank row, AGENT[n], weights, shapes, plan, pool.
    book: a row for each lane. int64[1]: the number of lanes whose learner never decides is added to it.
    """
    i = cuda.grid(1)
    if i < count:
        rules, states, rows, actions, shown, book, stuck, blank, agents, weights, shapes, plan, pool = seen(arrays)
        here = slice(i, i + 1)
        masks, observations, seats, ended = shown
        outputs = Outputs(masks[here], observations[here], seats[here], ended[here])
        finals, numbers, tally = book
        noted = EndedGames(finals[here], numbers[here], tally[here])
        setup = Setup(plan, blank, agents[here], Networks(weights, shapes), pool)
        lanes.clear_tally(noted)
        lanes.step_row(rules, states[here], rows[here], 0, actions[i], outputs, noted, setup)
        if tally[i].stuck > 0:
            cuda.atomic.add(stuck, 0, 1)


@launched
def first_refused(count, arrays):
    """Find a lane with an illegal action. arrays: rules, lanes, actions, int64[1] (the lane found)."""
    i = cuda.grid(1)
    if i < count:
        rules, rows, actions, found = seen(arrays)
        here = slice(i, i + 1)
        if lanes.first_refused(rows[here], actions[here], np.int64(rules[0].num_actions), 0) >= 0:
            cuda.atomic.min(found, 0, i)


@launched
def answer_illegal(count, arrays):
    """Replace illegal actions. arrays: rules, states, lanes, actions, int64[1] (1: draw legal), int8[n] (flags)."""
    i = cuda.grid(1)
    if i < count:
        rules, states, rows, actions, redraw, illegal = seen(arrays)
        here, num_actions = slice(i, i + 1), np.int64(rules[0].num_actions)
        words = words_of(rules)
        lanes.answer_illegal(
            states[here], rows[here], actions[here], num_actions, words, redraw[0] != 0, illegal[here]
        )  # fmt: skip


@launched
def pick_lanes(count, arrays):
    """Draw actions for lanes. arrays: rules, lanes, seeds, actions."""
    i = cuda.grid(1)
    if i < count:
        rules, rows, seeds, actions = seen(arrays)
        here = slice(i, i + 1)
        lanes.pick_lanes(rows[here], seeds[here], words_of(rules), actions[here])


@launched
def choose_lanes(count, arrays):
    """Let a compiled agent choose in the learner's place.

    arrays: rules, states, lanes, AGENT[n], int64[1] (its kind), weights, shapes, actions.
    """
    i = cuda.grid(1)
    if i < count:
        rules, states, rows, agents, kind, weights, shapes, actions = seen(arrays)
        here = slice(i, i + 1)
        seeds = stack_array(1, np.uint64)
        lanes.seed_lanes(states[here], rows[here], seeds)
        networks = Networks(weights, shapes)
        playouts.choose_all(rules, states[here], agents[here], kind[0], networks, seeds, actions[here])
