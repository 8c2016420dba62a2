"""The launches of kernels/cuda/loops.py with their array types, for a test that compiles them."""

import numpy as np

import stardeck
from helpers import ENTRIES
from stardeck.agents import get
from stardeck.kernels.cuda.compiler import type_of
from stardeck.kernels.loops import lanes, playouts

CAPABILITIES = (8, 0), (9, 0)


def launches(variant):
    """Return the array types of each launch by its name."""
    game = stardeck.make(ENTRIES[variant]["game"], **ENTRIES[variant]["settings"])
    get("rules", game)  # registers `choose`
    rules, states = type_of(game.rules.dtype), type_of(game.state_dtype)
    numbers, seeds = type_of(np.int64), type_of(np.uint64)
    masks, observations = type_of(np.int8, 2), type_of(np.uint8, 2)
    networks = type_of(np.float32, 2), type_of(np.int64, 2)
    notes = type_of(np.uint16, 2), type_of(np.uint8, 2)
    agents, kinds = type_of(playouts.AGENT), type_of(np.int64, 2)
    shown, chosen = (masks, observations, numbers, type_of(np.bool_)), type_of(np.bool_)
    rows, book = type_of(lanes.LANE), (states, numbers, type_of(lanes.TALLY))
    rest = shown, book, numbers, states, agents, *networks, type_of(lanes.PLAN), type_of(np.int64, 2)
    return {
        "copy_states": (states, states),
        "deal_all": (rules, states, states, seeds),
        "deal_over": (rules, states, states, seeds, numbers),
        "seats_all": (states, numbers),
        "count_all": (states, numbers),
        "lookers_all": (states, numbers),
        "mask_all": (rules, states, masks),
        "observe_all": (rules, states, numbers, observations),
        "show_and_pick_all": (rules, states, masks, observations, seeds, numbers),
        "first_illegal": (rules, states, numbers, numbers, numbers),
        "apply_all": (rules, states, numbers),
        "resample_all": (rules, states, numbers, seeds),
        "take_rows": (states, states, numbers),
        "deal_lanes": (rules, states, rows, chosen, *rest),
        "step_lanes": (rules, states, rows, numbers, *rest),
        "first_refused": (rules, rows, numbers, numbers),
        "answer_illegal": (rules, states, rows, numbers, numbers, type_of(np.int8)),
        "pick_lanes": (rules, rows, seeds, numbers),
        "choose_lanes": (rules, states, rows, agents, numbers, *networks, numbers),
        "play_out": (rules, states, agents, kinds, *networks, seeds, seeds, *notes),
    }
