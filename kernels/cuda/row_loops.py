"""GPU loops that write rows: masks, observations, sets of actions, by whole warps (warp_rows.py).

A thread makes its row in its own memory, which the hardware interleaves with that of its neighbours; then the warp
writes 32 rows. That memory has a fixed size, so there is a set of loops for each size of an observation.

Rows lie in arrays of uint32[n, width] and are padded to 16 bytes. `form` says how legal actions are written (codes.py).
An array that is not written may be any other of its type. `states` and the like are those of loops.py.
"""

from functools import cache
from types import SimpleNamespace

import numpy as np

from stardeck.kernels.compile.jit import kernel
from stardeck.kernels.compile.stack_arrays import stack_array
from stardeck.kernels.cuda.codes import Legal, Mark
from stardeck.kernels.cuda.compiler import LANES, WARPS, cuda, launched, seen, sync_warp
from stardeck.kernels.cuda.loops import words_of
from stardeck.kernels.cuda.warp_rows import CHUNK, TILE, VECTORS, lay_words, write_masks, write_words
from stardeck.kernels.loops import batch, lanes
from stardeck.kernels.primitives.action_set import WORD_LIMIT
from stardeck.kernels.primitives.random import splitmix64
from stardeck.kernels.verbs import deal, legal_actions, observe

STEP = 512  # bytes: sizes are multiples of it, so that few sets of loops are compiled


def size_of(observation_size: int) -> int:
    """Return the size of the loops for rows of observations."""
    return -(-observation_size // STEP) * STEP


@kernel
def look_at(rules, state, legal, observation):
    """Write the legal actions of the seat to act and its observation; 0 everywhere when the game is over."""
    legal_actions(rules, state, legal)
    if state.to_act >= 0:
        observe(rules, state, np.int64(state.to_act), observation)
    else:
        for i in range(len(observation)):
            observation[i] = 0


@kernel
def put_rows(tile, lane, words, target, base, rows):
    """Write the rows of a warp. words: uint32, the row of this thread."""
    width = target.shape[1]
    for start in range(0, width, CHUNK):
        lay_words(tile, lane, words, start, min(width - start, CHUNK))
        sync_warp()
        write_words(tile, lane, target, base, rows, start)
        sync_warp()


@kernel
def put_masks(tile, lane, bits, target, base, rows):
    """Write the masks of a warp. bits: uint32, the set of this thread."""
    vectors = target.shape[1] >> 2
    for start in range(0, vectors, VECTORS):
        lay_words(tile, lane, bits, start >> 1, min((vectors - start + 1) >> 1, CHUNK))
        sync_warp()
        write_masks(tile, lane, target, base, rows, start)
        sync_warp()


@kernel
def put_legal(tile, lane, legal, masks, sets, form, base, rows):
    """Write legal actions in the forms asked for. legal: uint64, the set of this thread."""
    bits = legal.view(np.uint32)
    if form & Legal.MASKS:
        put_masks(tile, lane, bits, masks, base, rows)
    if form & Legal.SETS:
        put_rows(tile, lane, bits, sets, base, rows)


@kernel
def fill(legal, actions):
    """Make `legal` (uint64[WORD_LIMIT]) the set of all actions."""
    for word in range(WORD_LIMIT):
        left = min(max(actions - 64 * word, 0), 64)
        legal[word] = ~np.uint64(0) >> np.uint64(64 - left) if left > 0 else np.uint64(0)


@kernel
def write_results(i, lane, seat, results, finals, plan, marks):
    """Write the seat, the flags and the reward of lane i, and count games that ended."""
    seats, ended, rewards, terminated, truncated = results
    over = lane.ended != 0
    seats[i] = -1 if lane.over else seat
    ended[i] = over
    reward, cut = np.float32(0), False
    if over:
        final = finals[i]
        reward, cut = lanes.result_of(final, np.int64(lane.ended_seat), plan), final.truncated != 0
        cuda.atomic.add(marks, Mark.ENDED, 1)
        cuda.atomic.add(marks, Mark.CUT, np.int64(cut))
        if reward != reward:
            cuda.atomic.add(marks, Mark.UNCLEAR, 1)
    rewards[i], terminated[i], truncated[i] = reward, over and not cut, cut


@launched(warps=True)
def legal_all(count, arrays):
    """Write legal actions. arrays: rules, states, masks, sets, form."""
    i = cuda.grid(1)
    tile = cuda.shared.array((WARPS, LANES, TILE), np.uint32)[cuda.threadIdx.x // LANES]
    rules, states, masks, sets, form = seen(arrays)
    legal = stack_array(WORD_LIMIT, np.uint64)
    if i < count:
        legal_actions(rules[0], states[i], legal[: words_of(rules)])
    base = i - i % LANES
    put_legal(tile, i % LANES, legal, masks, sets, form, base, min(count - base, LANES))


@cache
def row_loops(size: int) -> SimpleNamespace:
    """Return the loops for observations of at most `size` bytes, a multiple of STEP, by name."""

    @launched(warps=True)
    def observe_all(count, arrays):
        """Write observations. arrays: rules, states, seats, observations, observation_size."""
        i = cuda.grid(1)
        tile = cuda.shared.array((WARPS, LANES, TILE), np.uint32)[cuda.threadIdx.x // LANES]
        rules, states, seats, observations, width = seen(arrays)
        row = stack_array(size, np.uint8)
        if i < count:
            observe(rules[0], states[i], seats[i], row[:width])
        base = i - i % LANES
        put_rows(tile, i % LANES, row.view(np.uint32), observations, base, min(count - base, LANES))

    @launched(warps=True)
    def step_all(count, arrays):
        """Apply actions, deal over, show and draw.

        arrays: rules, states, a blank row, chosen, seeds, masks, sets, observations, actions, plan. plan:
        (observation_size, form, 1: apply `chosen` and deal a new game where one is over, number of the step). A number
        from 0 draws from the seed and the number, as `batch.play_random` does; -1: from the seed.
        """
        i = cuda.grid(1)
        tile = cuda.shared.array((WARPS, LANES, TILE), np.uint32)[cuda.threadIdx.x // LANES]
        rules, states, blank, chosen, seeds, masks, sets, observations, actions, plan = seen(arrays)
        width, form, applies, number = plan
        legal, row = stack_array(WORD_LIMIT, np.uint64), stack_array(size, np.uint8)
        if i < count:
            here = slice(i, i + 1)
            chance = splitmix64(seeds[i], number) if number >= 0 else np.uint64(seeds[i])
            if applies:
                batch.apply_all(rules, states[here], chosen[here])
                if states[i].to_act < 0:
                    batch.copy_states(states[here], blank)
                    deal(rules[0], states[i], chance)
            own = legal[: words_of(rules)]
            look_at(rules[0], states[i], own, row[:width])
            actions[i] = batch.draw(own, chance)
        base = i - i % LANES
        rows = min(count - base, LANES)
        put_legal(tile, i % LANES, legal, masks, sets, form, base, rows)
        put_rows(tile, i % LANES, row.view(np.uint32), observations, base, rows)

    @launched(warps=True)
    def show_lanes(count, arrays):
        """Write what the learner sees of all lanes, and the results of games that ended.

        arrays: rules, states, lanes, masks, sets, observations, (seats, ended, rewards, terminated, truncated), finals,
        plan of the lanes, int64[MARKS], (observation_size, form).
        """
        i = cuda.grid(1)
        tile = cuda.shared.array((WARPS, LANES, TILE), np.uint32)[cuda.threadIdx.x // LANES]
        rules, states, rows, masks, sets, observations, results, finals, plan, marks, (width, form) = seen(arrays)
        legal, row = stack_array(WORD_LIMIT, np.uint64), stack_array(size, np.uint8)
        if i < count:
            lane, state = rows[i], states[i]
            seat = np.int64(lane.seat) if lane.over else np.int64(state.to_act)
            observe(rules[0], state, seat, row[:width])
            if lane.over:
                fill(legal, np.int64(rules[0].num_actions))
            else:
                for word in range(plan[0].words):
                    legal[word] = lane.legal[word]
            write_results(i, lane, seat, results, finals, plan[0], marks)
        base = i - i % LANES
        put_legal(tile, i % LANES, legal, masks, sets, form, base, min(count - base, LANES))
        put_rows(tile, i % LANES, row.view(np.uint32), observations, base, min(count - base, LANES))

    return SimpleNamespace(observe_all=observe_all, step_all=step_all, show_lanes=show_lanes)
