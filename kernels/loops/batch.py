"""Loops over many games at once; they serve every game, for the verbs are resolved by the type of the states.

`rules` is an array of one record, `states` an array of game records, one row per game. Every entry releases the
GIL, so that threads can share a batch between them by slices. No function here checks more than its text says.
Rows of plain arrays are taken out of them in kernels: an entry would count the references to each.
"""

import numpy as np

from stardeck.kernels.compile.jit import entry, kernel, long_kernel
from stardeck.kernels.compile.prefetch import fetch_row_of_many
from stardeck.kernels.primitives import action_set
from stardeck.kernels.primitives.random import below
from stardeck.kernels.verbs import apply, deal, legal_actions, observe, resample_hidden

STRIDE = 32  # masks are searched stretch by stretch
REFUSED = -2  # in place of a seat


@entry
def copy_states(target, source):
    """Copy rows; much faster than ndarray.copy() of nested records."""
    for i in range(len(source)):
        target[i] = source[i]


@entry
def take_states(target, source, rows):
    """Copy rows (int64[n]) of `source` to `target`, one after the other."""
    for i in range(len(rows)):
        target[i] = source[rows[i]]


@entry
def put_states(target, rows, source):
    """Copy `source` to rows (int64[n]) of `target`, one after the other."""
    for i in range(len(rows)):
        target[rows[i]] = source[i]


@entry
def deal_all(rules, states, seeds):
    """Deal a game into every blank row. seeds: uint64[n]."""
    for i in range(len(states)):
        deal(rules[0], states[i], seeds[i])


@entry
def deal_over(rules, states, blank, seeds):
    """Deal a new game into every row that is over; returns how many. blank: one row of zeros; seeds: uint64[n]."""
    dealt = 0
    for i in range(len(states)):
        if states[i].to_act < 0:
            states[i] = blank[0]
            deal(rules[0], states[i], seeds[i])
            dealt += 1
    return dealt


@kernel
def mask_row(rules, states, i, legal, masks):
    """`mask_all` for one row."""
    legal_actions(rules, states[i], legal)
    action_set.spread(legal, masks[i])


@entry
def mask_all(rules, states, legal, masks):
    """Legal actions of every row as int8[n, num_actions]. legal: uint64[words], scratch."""
    for i in range(len(states)):
        fetch_row_of_many(rules[0], states, i)
        mask_row(rules[0], states, i, legal, masks)


@entry
def first_illegal(rules, states, actions, legal, skip_finished):
    """The first row whose action (int64[n]) is not legal, or -1. legal: uint64[words], scratch.

    skip_finished: whether games that are over take any action.
    """
    for i in range(len(states)):
        fetch_row_of_many(rules[0], states, i)
        if skip_finished and states[i].to_act < 0:
            continue
        legal_actions(rules[0], states[i], legal)
        if actions[i] >= rules[0].num_actions or not action_set.contains(legal, actions[i]):
            return i
    return -1


@entry
def apply_all(rules, states, actions):
    """Apply a legal action (int64[n]) to every row whose game is not over."""
    for i in range(len(states)):
        fetch_row_of_many(rules[0], states, i)
        if states[i].to_act >= 0:
            apply(rules[0], states[i], actions[i])


@kernel
def observe_row(rules, states, i, seat, observations):
    """`observe_all` for one row."""
    observe(rules, states[i], seat, observations[i])


@entry
def observe_all(rules, states, seats, observations):
    """What seats (int64[n]) may know of their rows: uint8[n, observation_size]."""
    for i in range(len(states)):
        fetch_row_of_many(rules[0], states, i)
        observe_row(rules[0], states, i, seats[i], observations)


@entry
def resample_all(rules, states, seats, seeds):
    """Deal again in every row what its seat (int64[n]) cannot know. seeds: uint64[n]."""
    for i in range(len(states)):
        resample_hidden(rules[0], states[i], seats[i], seeds[i])


@kernel
def show(rules, state, legal, mask, observation):
    """Mask and observation of the seat to act; the observation stays as it is when the game is over."""
    legal_actions(rules, state, legal)
    action_set.spread(legal, mask)
    if state.to_act >= 0:
        observe(rules, state, np.int64(state.to_act), observation)


@kernel
def show_row(rules, states, i, legal, masks, observations):
    """`show` for one row."""
    show(rules, states[i], legal, masks[i], observations[i])


@entry
def show_and_pick_all(rules, states, legal, masks, observations, seeds, actions):
    """Masks and observations of the seats to act of all rows, and for each a legal action drawn like `pick_all`.

    seeds: uint64[n]; actions: int64[n], -1 where a game is over.
    """
    for i in range(len(states)):
        fetch_row_of_many(rules[0], states, i)
        show_row(rules[0], states, i, legal, masks, observations)
        count = action_set.size(legal)
        actions[i] = action_set.member(legal, below(seeds[i], count)) if count > 0 else -1


@entry
def show_one(rules, states, legal, mask, observation):
    """Mask and observation of the seat to act in the first row; returns that seat, -1 when the game is over."""
    show(rules[0], states[0], legal, mask, observation)
    return np.int64(states[0].to_act)


@entry
def step_one(rules, states, action, legal, mask, observation):
    """Apply an action to the first row and show it: `show_one`. legal: its legal actions, and those of the next seat.

    Returns REFUSED, with nothing changed, where the action is not legal.
    """
    if not action_set.contains(legal, action):
        return np.int64(REFUSED)
    apply(rules[0], states[0], action)
    show(rules[0], states[0], legal, mask, observation)
    return np.int64(states[0].to_act)


@entry
def pick_one(mask, seed):
    """A legal action of one mask (int8[num_actions]), each as likely; -1 where none is. seed: uint64."""
    return pick(mask, seed)


@long_kernel
def count_ones(mask):
    """How many actions of a stretch of a mask are legal; narrow sums are the ones that become wide additions."""
    count = np.int32(0)
    for action in range(len(mask)):
        count = np.int32(count + np.int32(mask[action]))
    return np.int64(count)


@kernel
def pick(mask, seed):
    """A legal action of a mask (int8[num_actions]), each as likely; -1 where none is. seed: uint64."""
    count = count_ones(mask)
    if count == 0:
        return -1
    k = below(np.uint64(seed), count)
    for start in range(0, len(mask), STRIDE):
        stretch = mask[start : start + STRIDE]
        here = count_ones(stretch)
        if k >= here:
            k -= here
            continue
        for action in range(len(stretch)):
            k -= stretch[action]
            if k < 0:
                return start + action
    return -1


@kernel
def pick_row(masks, i, seed):
    """`pick` for one row."""
    return pick(masks[i], seed)


@entry
def pick_all(masks, seeds, actions):
    """A legal action for every row of masks (int8[n, num_actions]). seeds: uint64[n]; actions: int64[n]."""
    for i in range(len(masks)):
        actions[i] = pick_row(masks, i, seeds[i])


@entry
def outcomes_all(states, out, sides, returns, winners, placements):
    """Who has won, of all rows: fills `returns`, `winners`, `placements`, which are those of `Game.outcomes`.

    out: bool[n, players], who is out of the game; sides: int64[players], the side of each seat, from 0.
    """
    rivals = sides.max()
    loss = np.float32(-1.0 / max(rivals, 1))
    for i in range(len(states)):
        state = states[i]
        over = state.to_act < 0
        decided = over and state.truncated == 0
        first = 0  # bits of the sides in first place
        for seat in range(len(sides)):
            placements[i, seat] = state.placement[seat] if over else 0
            if decided and placements[i, seat] == 1:
                first |= 1 << sides[seat]
        won = first != 0 and first & (first - 1) == 0
        for seat in range(len(sides)):
            winners[i, seat] = won and placements[i, seat] == 1
            lost = won or decided and (out[i, seat] or rivals == 0)
            returns[i, seat] = np.float32(1) if winners[i, seat] else loss if lost else np.float32(0)
