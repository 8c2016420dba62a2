"""Compile what the tests run, before they start side by side: `python tests/warm_up.py`.

Processes that run tests would all compile the same kernels at the same time. Here each game is compiled by one process,
and those that come later load it.
"""

import collections
import gc
import importlib
import multiprocessing
import time

import gymnasium
import numpy as np
from numba import types
from numba.core.dispatcher import Dispatcher

from helpers import PROGRAMS, Plain, game_of, registered
from stardeck import agents
from stardeck.benchmarks.arena import Series, available_cores
from stardeck.envs.lanes import Lanes
from stardeck.kernels.numba_private import KERNEL_OPTIONS


def compile_program(variant):
    """Call all that Python can call of a game; returns the variant and how long that took, in seconds."""
    began = time.process_time()
    game = game_of(variant)
    states = game.deal(np.arange(2))
    seeds = np.arange(2, dtype=np.uint64)
    rules = agents.get("rules")
    game.observe(game.resample_hidden(states, 0, seeds))
    masks = game.legal_actions(states)
    rules.act(game, states, masks, seeds)
    agents.get("search:1", game).act(game, states, masks, seeds)
    game.apply(game.copy(states), masks.argmax(axis=1))
    game.from_position(game.position(states[0]))
    Series(game, ["rules"], seed=1).warm_up()
    asked = variant == "star_realms/core/standard/2"  # opponents in Python: the tests have none in other games
    lanes = Lanes(game, 2, Plain(rules) if asked else rules)
    lanes.reset(seeds)
    lanes.step(lanes.random_actions(seeds))
    env = gymnasium.make(f"stardeck/{registered(variant).gymnasium_id}", **game.settings)
    _, info = env.reset(seed=1)
    env.step(int(info["action_mask"].argmax()))
    env = importlib.import_module(f"stardeck.envs.{registered(variant).module}").raw_env(**game.settings)
    env.reset(seed=1)
    env.step(int(env.last()[0]["action_mask"].argmax()))
    check_kernels()
    return variant, time.process_time() - began


def check_kernels():
    """Every kernel that was compiled has one signature for a type of state, whatever the width of its numbers."""
    for kernel in (found for found in gc.get_objects() if isinstance(found, Dispatcher)):
        if kernel._compiler.pipeline_class is not KERNEL_OPTIONS["pipeline_class"]:
            continue
        kinds = (["whole" if isinstance(kind, types.Integer) else str(kind) for kind in s] for s in kernel.signatures)
        seen = collections.Counter(map(tuple, kinds))
        assert not seen or max(seen.values()) == 1, f"{kernel}: compiled more than once: {kernel.signatures}"


if __name__ == "__main__":
    with multiprocessing.get_context("spawn").Pool(min(len(PROGRAMS), available_cores())) as pool:
        for variant, seconds in pool.imap_unordered(compile_program, PROGRAMS, chunksize=1):
            print(f"{variant}: compiled in {seconds:.0f} s")
