"""Batch loops over many games at once, shared by every game: Numba resolves the verbs by the type of the states.

`rules` is an array of one record, `states` an array of game records, one row per game. Every entry releases the GIL, so
threads can share a batch by slices. Functions check only what their docstrings mention. Kernels take rows out of plain
arrays, because an entry would count the references to each row.
"""

import numpy as np

from stardeck.kernels.compile.jit import entry, kernel, long_kernel
from stardeck.kernels.compile.prefetch import fetch_row_of_many
from stardeck.kernels.primitives import action_set
from stardeck.kernels.primitives.random import below, splitmix64
from stardeck.kernels.verbs import apply, deal, legal_actions, observe, observe_hidden, resample_hidden

STRIDE = 32  # masks are searched chunk by chunk
REFUSED = -2  # returned in place of a seat


@entry
def copy_states(target, source):
    """Copy rows; much faster than ndarray.copy() of nested records."""
    for i in range(len(source)):
        target[i] = source[i]


@entry
def take_states(target, source, rows):
    """Copy rows (int64[n]) of `source` into consecutive rows of `target`."""
    for i in range(len(rows)):
        target[i] = source[rows[i]]


@entry
def put_states(target, rows, source):
    """Copy consecutive rows of `source` to rows (int64[n]) of `target`."""
    for i in range(len(rows)):
        target[rows[i]] = source[i]


@entry
def deal_all(rules, states, seeds):
    """Deal a game into every blank row. seeds: uint64[n]."""
    for i in range(len(states)):
        deal(rules[0], states[i], seeds[i])


@entry
def deal_over(rules, states, blank, seeds):
    """Deal a new game into every row that is over; return their number. blank: one row of zeros; seeds: uint64[n]."""
    dealt = 0
    for i in range(len(states)):
        if states[i].to_act < 0:
            states[i] = blank[0]
            deal(rules[0], states[i], seeds[i])
            dealt += 1
    return dealt


@kernel
def mask_row(rules, states, i, legal, masks):
    """Write the mask of one row; see `mask_all`."""
    legal_actions(rules, states[i], legal)
    action_set.spread(legal, masks[i])


@entry
def mask_all(rules, states, legal, masks):
    """Write the legal actions of every row as int8[n, num_actions]. legal: uint64[words], scratch."""
    for i in range(len(states)):
        fetch_row_of_many(rules[0], states, i)
        mask_row(rules[0], states, i, legal, masks)


@entry
def first_illegal(rules, states, actions, legal, skip_finished):
    """Return the first row whose action (int64[n]) is not legal, or -1. legal: uint64[words], scratch.

    skip_finished: True if games that are over accept any action.
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
    """Write the observation of one row; see `observe_all`."""
    observe(rules, states[i], seat, observations[i])


@entry
def observe_all(rules, states, seats, observations):
    """Write the observations of seats (int64[n]), one seat per row: uint8[n, observation_size]."""
    for i in range(len(states)):
        fetch_row_of_many(rules[0], states, i)
        observe_row(rules[0], states, i, seats[i], observations)


@entry
def observe_hidden_all(rules, states, seats, hidden):
    """Write what seats (int64[n]) cannot know, one seat per row: uint8[n, hidden_size]."""
    for i in range(len(states)):
        observe_hidden(rules[0], states[i], seats[i], hidden[i])


@entry
def resample_all(rules, states, seats, seeds):
    """Redraw in every row everything that its seat (int64[n]) cannot know. seeds: uint64[n]."""
    for i in range(len(states)):
        resample_hidden(rules[0], states[i], seats[i], seeds[i])


@kernel
def show(rules, state, legal, mask, observation):
    """Write mask and observation of the seat to act; the observation stays unchanged when the game is over."""
    legal_actions(rules, state, legal)
    action_set.spread(legal, mask)
    if state.to_act >= 0:
        observe(rules, state, np.int64(state.to_act), observation)


@kernel
def show_row(rules, states, i, legal, masks, observations):
    """Write mask and observation of one row; see `show`."""
    show(rules, states[i], legal, masks[i], observations[i])


@kernel
def draw(legal, seed):
    """Draw an action of a set uniformly, as `pick` does from a mask; -1 if there is none. seed: uint64."""
    count = action_set.size(legal)
    return action_set.member(legal, below(seed, count)) if count > 0 else -1


@entry
def show_and_pick_all(rules, states, legal, masks, observations, seeds, actions):
    """Write masks and observations of the seats to act in all rows, and for each a legal action drawn as in `pick_all`.

    seeds: uint64[n]; actions: int64[n], -1 where a game is over.
    """
    for i in range(len(states)):
        fetch_row_of_many(rules[0], states, i)
        show_row(rules[0], states, i, legal, masks, observations)
        actions[i] = draw(legal, seeds[i])


@entry
def show_one(rules, states, legal, mask, observation):
    """Write mask and observation of the seat to act in the first row; return that seat, -1 when the game is over."""
    show(rules[0], states[0], legal, mask, observation)
    return np.int64(states[0].to_act)


@entry
def observe_one(rules, states, seat, observation):
    """Write the observation of a seat in the first row: uint8[observation_size]."""
    observe(rules[0], states[0], seat, observation)


@entry
def step_one(rules, states, action, legal, mask, observation):
    """Apply an action to the first row and show it as `show_one` does; return REFUSED if the action is not legal.

    legal: the legal actions of the row; afterwards those of the next seat. Nothing changes if the action is refused.
    """
    if not action_set.contains(legal, action):
        return np.int64(REFUSED)
    apply(rules[0], states[0], action)
    show(rules[0], states[0], legal, mask, observation)
    return np.int64(states[0].to_act)


@entry
def pick_one(mask, seed):
    """Draw a legal action of one mask (int8[num_actions]) uniformly; -1 if there is none. seed: uint64."""
    return pick(mask, seed)


@long_kernel
def count_ones(mask):
    """Count the legal actions in a chunk of a mask. Only a narrow sum is compiled to vector additions."""
    count = np.int32(0)
    for action in range(len(mask)):
        count = np.int32(count + np.int32(mask[action]))
    return np.int64(count)


@kernel
def pick(mask, seed):
    """Draw a legal action of a mask (int8[num_actions]) uniformly; -1 if there is none. seed: uint64."""
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
    """Draw a legal action of one row; see `pick`."""
    return pick(masks[i], seed)


@entry
def pick_all(masks, seeds, actions):
    """Draw a legal action for every row of masks (int8[n, num_actions]). seeds: uint64[n]; actions: int64[n]."""
    for i in range(len(masks)):
        actions[i] = pick_row(masks, i, seeds[i])


@kernel
def play_random_row(rules, state, blank, legal, seed, first, decisions):
    """Play one row at random; see `play_random`."""
    dealt = 0
    for k in range(first, first + decisions):
        chance = splitmix64(seed, k)
        if state[0].to_act < 0:
            state[0] = blank[0]
            deal(rules, state[0], chance)
            dealt += 1
        legal_actions(rules, state[0], legal)
        apply(rules, state[0], action_set.member(legal, below(chance, action_set.size(legal))))
    return dealt


@entry
def play_random(rules, states, blank, legal, seeds, first, decisions):
    """Take `decisions` random legal actions in every row and deal a new game whenever one is over; return their number.

    Decision k of a row depends on its seed and on k alone, counted from `first`, so that a game may go on later. blank:
    one row of zeros; legal: uint64[words], scratch; seeds: uint64[n].
    """
    dealt = 0
    for i in range(len(states)):
        fetch_row_of_many(rules[0], states, i)
        dealt += play_random_row(rules[0], states[i : i + 1], blank, legal, seeds[i], first, decisions)
    return dealt


@entry
def outcomes_all(states, out, sides, returns, winners, placements):
    """Write the results of all rows into `returns`, `winners` and `placements`, as in `Game.outcomes`.

    out: bool[n, players], the seats that are out of the game; sides: int64[players], the side of each seat, from 0.
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
