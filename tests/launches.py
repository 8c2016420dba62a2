"""The launches of kernels/cuda with their array types, for a test that compiles them."""

import numpy as np

import stardeck
from helpers import ENTRIES
from stardeck.agents import get
from stardeck.kernels.cuda import loops, row_loops
from stardeck.kernels.cuda.compiler import Launch, type_of
from stardeck.kernels.loops import lanes

CAPABILITIES = (8, 0), (9, 0)
NUMBER = np.int64(0)


def launches(variant):
    """Return each launch with the types of its arrays, by its name."""
    game = stardeck.make(ENTRIES[variant]["game"], **ENTRIES[variant]["settings"])
    get("rules", game)  # registers `choose`
    rules, states = type_of(game.rules.dtype), type_of(game.state_dtype)
    numbers, seeds, bytes_ = type_of(np.int64), type_of(np.uint64), type_of(np.int8)
    rows, words = type_of(np.uint32, 2), type_of(np.uint32)
    networks = type_of(np.float32, 2), type_of(np.int64, 2)
    notes = type_of(np.uint16, 2), type_of(np.uint8, 2)
    kinds, flags = type_of(np.int64, 2), type_of(np.bool_)
    lane, plan = type_of(lanes.LANE), type_of(lanes.PLAN)
    listed = pool = kinds
    setup = states, plan, pool
    begun = states, (numbers, numbers), listed, *setup
    run = rules, states, lane, states, numbers, listed, *setup, (NUMBER, NUMBER)
    results = numbers, flags, type_of(np.float32), flags, flags
    types = {
        "copy_words": (words, words),
        "deal_all": (rules, states, states, seeds),
        "deal_over": (rules, states, states, seeds, numbers),
        "seats_all": (states, numbers),
        "count_all": (states, numbers),
        "lookers_all": (states, numbers),
        "legal_all": (rules, states, rows, rows, NUMBER),
        "observe_all": (rules, states, numbers, rows, NUMBER),
        "step_all": (rules, states, states, numbers, seeds, rows, rows, rows, numbers, (NUMBER,) * 4),
        "show_lanes": (rules, states, lane, rows, rows, rows, results, states, plan, numbers, (NUMBER, NUMBER)),
        "first_illegal": (rules, states, numbers, numbers, numbers),
        "apply_all": (rules, states, numbers),
        "observe_hidden_all": (rules, states, numbers, type_of(np.uint8, 2)),
        "resample_all": (rules, states, numbers, seeds),
        "take_rows": (states, states, numbers),
        "begin_steps": (rules, states, lane, numbers, *begun),
        "begin_deals": (rules, states, lane, flags, *begun),
        "run_listed": (*run, *networks),
        "run_listed_plainly": run,
        "first_refused": (rules, lane, numbers, numbers),
        "answer_illegal": (rules, states, lane, numbers, numbers, bytes_),
        "pick_lanes": (rules, lane, seeds, numbers),
        "play_random": (rules, states, states, seeds, numbers, (NUMBER, NUMBER)),
        "play_out": (rules, states, kinds, seeds, seeds, *notes, *networks),
        "play_out_plainly": (rules, states, kinds, seeds, seeds, *notes),
        "choose_lanes": (rules, states, lane, NUMBER, numbers, *networks),
        "choose_lanes_plainly": (rules, states, lane, NUMBER, numbers),
    }
    writers = row_loops.row_loops(row_loops.size_of(game.observation_size))
    found = {
        name: value
        for name, value in (vars(loops) | vars(row_loops) | vars(writers)).items()
        if isinstance(value, Launch)
    }
    assert found.keys() == types.keys()
    return {name: (found[name], arrays) for name, arrays in types.items()}
