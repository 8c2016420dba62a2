"""GPU loops over many games at once: a thread for each row. Loops that write rows for a learner are in row_loops.py.

A thread calls the entries of batch.py, playouts.py and lanes.py. It passes a slice of one row for each array with rows,
so nothing is written twice; see there for the arrays. `arrays` is a tuple. Arrays that the entry does not have are
named here. Only imported if numba-cuda is installed (kernels/cuda/compiler.py).

A step of lanes takes several launches, because opponents act in few lanes at a time and a warp waits for its slowest
thread. `begin_steps` applies the learners' actions and lists the lanes in which an opponent is to act. Each
`run_listed` lets these opponents take some decisions, and lists the lanes that need more. No launch waits for the host.
"""

import numpy as np

from stardeck.kernels.compile.jit import kernel
from stardeck.kernels.compile.stack_arrays import stack_array
from stardeck.kernels.cuda.codes import Mark
from stardeck.kernels.cuda.compiler import cuda, launched, seen
from stardeck.kernels.loops import batch, lanes, playouts
from stardeck.kernels.loops.lanes import EndedGames, Setup
from stardeck.kernels.loops.playouts import AGENT, Moves, Players
from stardeck.kernels.primitives.action_set import WORD_LIMIT
from stardeck.kernels.primitives.network import Networks


@kernel
def words_of(rules):
    """Return the number of words in a set of actions."""
    return (np.int64(rules[0].num_actions) + 63) >> 6


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
def observe_hidden_all(count, arrays):
    """Write what seats cannot know. arrays: rules, states, seats, uint8[n, hidden_size]."""
    i = cuda.grid(1)
    if i < count:
        rules, states, seats, hidden = seen(arrays)
        batch.observe_hidden_all(rules, states[i : i + 1], seats[i : i + 1], hidden[i : i + 1])


@launched
def resample_all(count, arrays):
    """Redraw what seats cannot know. arrays: rules, states, seats, seeds."""
    i = cuda.grid(1)
    if i < count:
        rules, states, seats, seeds = seen(arrays)
        batch.resample_all(rules, states[i : i + 1], seats[i : i + 1], seeds[i : i + 1])


@launched
def take_rows(count, arrays):
    """Copy chosen rows. arrays: target, source, rows."""
    i = cuda.grid(1)
    if i < count:
        target, source, rows = seen(arrays)
        batch.take_states(target[i : i + 1], source, rows[i : i + 1])


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


# Whole games


@launched
def copy_words(count, arrays):
    """Copy words, one for each thread. arrays: target, source; uint32[count]."""
    i = cuda.grid(1)
    if i < count:
        target, source = seen(arrays)
        target[i] = source[i]


@launched(registers=64)
def play_random(count, arrays):
    """Take random actions. arrays: rules, states, one blank row, seeds, int64[1] to count games, (first, decisions)."""
    i = cuda.grid(1)
    if i < count:
        rules, states, blank, seeds, dealt, (first, decisions) = seen(arrays)
        legal = stack_array(WORD_LIMIT, np.uint64)[: words_of(rules)]
        row = batch.play_random(rules, states[i : i + 1], blank, legal, seeds[i : i + 1], first, decisions)
        cuda.atomic.add(dealt, 0, row)


@launched
def play_out(count, arrays):
    """Play games out. arrays: rules, states, kinds, uint64[1] (seed), game_seeds, moves, weights, shapes."""
    i = cuda.grid(1)
    if i < count:
        rules, states, kinds, seed, game_seeds, actions, seats, weights, shapes = seen(arrays)
        play_row(i, rules, states, kinds, Networks(weights, shapes), seed, game_seeds, Moves(actions, seats))


@launched
def play_out_plainly(count, arrays):
    """Play games out with agents that have no network and no table. arrays: as in `play_out`, without the last two."""
    i = cuda.grid(1)
    if i < count:
        rules, states, kinds, seed, game_seeds, actions, seats = seen(arrays)
        play_row(i, rules, states, kinds, None, seed, game_seeds, Moves(actions, seats))


@kernel
def play_row(i, rules, states, kinds, networks, seed, game_seeds, moves):
    """Play row i out."""
    here = slice(i, i + 1)
    players = Players(seen(stack_array(1, AGENT)), kinds[here], networks)
    own = Moves(moves.actions[here], moves.seats[here])
    playouts.play_out(rules, states[here], players, seed[0], game_seeds[here], own)


# Lanes


@launched
def begin_steps(count, arrays):
    """Apply the learners' actions, and list the lanes in which an opponent is to act; nothing if one is refused.

    arrays: rules, states, lanes, actions, finals, (these marks, those of the next step), listed, blank, plan, pool.
    listed: int64[2, n], lists of lanes, which launches read and write in turn. The other arrays are those of lanes.py.
    """
    i = cuda.grid(1)
    if i < count:
        rules, states, rows, actions, finals, (marks, later), listed, blank, plan, pool = seen(arrays)
        if i == 0:
            clear_marks(later, count)
        if marks[Mark.REFUSED] >= count:
            here, tally = slice(i, i + 1), seen(stack_array(1, lanes.TALLY))
            ended = EndedGames(finals[here], stack_array(1, np.int64), tally)
            setup = Setup(plan, blank, None, None, pool)
            lanes.clear_tally(ended)
            if lanes.begin_step(rules[0], states[here], rows[i], actions[i], ended, setup):
                if lanes.settle_lane(rules[0], states[here], rows[i], ended, setup) >= 0:
                    put_on_list(marks, listed, 0, i)
            cuda.atomic.add(marks, Mark.STUCK, tally[0].stuck)


@launched
def begin_deals(count, arrays):
    """Deal lanes, and list those in which an opponent is to act. arrays: as in `begin_steps`; bool[n] for the actions.

    bool[n]: True deals the lane.
    """
    i = cuda.grid(1)
    if i < count:
        rules, states, rows, chosen, finals, (marks, later), listed, blank, plan, pool = seen(arrays)
        if i == 0:
            clear_marks(later, count)
        here, tally = slice(i, i + 1), seen(stack_array(1, lanes.TALLY))
        ended = EndedGames(finals[here], stack_array(1, np.int64), tally)
        setup = Setup(plan, blank, None, None, pool)
        lanes.clear_tally(ended)
        if lanes.begin_deal(rules[0], states[here], rows[i], chosen[i], setup):
            if lanes.settle_lane(rules[0], states[here], rows[i], ended, setup) >= 0:
                put_on_list(marks, listed, 0, i)
        cuda.atomic.add(marks, Mark.STUCK, tally[0].stuck)


@kernel
def clear_marks(marks, count):
    """Set the marks to those of a step that has not begun."""
    for mark in range(len(marks)):
        marks[mark] = 0
    marks[Mark.REFUSED] = count


@kernel
def put_on_list(marks, listed, number, row):
    """Append a lane to a list."""
    listed[number & 1, cuda.atomic.add(marks, Mark.LISTED + number, 1)] = row


@launched
def run_listed(count, arrays):
    """Let the opponents of listed lanes act; list the lanes that need more of their decisions.

    arrays: rules, states, lanes, finals, marks, listed, blank, plan, pool, (number of the list, decisions), weights,
    shapes.
    """
    i = cuda.grid(1)
    rules, states, rows, finals, marks, listed, blank, plan, pool, share, weights, shapes = seen(arrays)
    if i < marks[Mark.LISTED + share[0]]:
        setup = Setup(plan, blank, seen(stack_array(1, AGENT)), Networks(weights, shapes), pool)
        run_row(i, (rules, states, rows, finals), (marks, listed, share), setup)


@launched
def run_listed_plainly(count, arrays):
    """Do as `run_listed` does, for opponents without networks and tables. arrays: the same without the last two."""
    i = cuda.grid(1)
    rules, states, rows, finals, marks, listed, blank, plan, pool, share = seen(arrays)
    if i < marks[Mark.LISTED + share[0]]:
        setup = Setup(plan, blank, seen(stack_array(1, AGENT)), None, pool)
        run_row(i, (rules, states, rows, finals), (marks, listed, share), setup)


@kernel
def run_row(i, held, lists, setup):
    """Run the i-th lane of a list. held, lists: arrays of the launch, as in `run_listed`."""
    rules, states, rows, finals = held
    marks, listed, (number, decisions) = lists
    row = listed[number & 1, i]
    here, tally = slice(row, row + 1), seen(stack_array(1, lanes.TALLY))
    ended = EndedGames(finals[here], stack_array(1, np.int64), tally)
    lanes.clear_tally(ended)
    seat = np.int64(states[row].to_act)
    for _ in range(decisions):
        lanes.let_opponent_act(rules[0], states[here], rows[row], seat, setup)
        seat = lanes.settle_lane(rules[0], states[here], rows[row], ended, setup)
        if seat < 0:
            break
    if seat >= 0:
        put_on_list(marks, listed, number + 1, row)
    cuda.atomic.add(marks, Mark.STUCK, tally[0].stuck)


@launched
def choose_lanes(count, arrays):
    """Let a compiled agent choose in the learner's place.

    arrays: rules, states, lanes, kind, actions, weights, shapes.
    """
    i = cuda.grid(1)
    if i < count:
        rules, states, rows, kind, actions, weights, shapes = seen(arrays)
        choose_row(i, (rules, states, rows), kind, Networks(weights, shapes), actions)


@launched
def choose_lanes_plainly(count, arrays):
    """Do as `choose_lanes` does, for an agent without a network and a table. arrays: the same without the last two."""
    i = cuda.grid(1)
    if i < count:
        rules, states, rows, kind, actions = seen(arrays)
        choose_row(i, (rules, states, rows), kind, None, actions)


@kernel
def choose_row(i, held, kind, networks, actions):
    """Choose in the learner's place in lane i."""
    rules, states, rows = held
    here, seeds = slice(i, i + 1), stack_array(1, np.uint64)
    lanes.seed_lanes(states[here], rows[here], seeds)
    agent = seen(stack_array(1, AGENT))
    playouts.choose_all(rules, states[here], agent, kind, networks, seeds, actions[here])
