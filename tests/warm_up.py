"""Compile what the tests run, before they start side by side: `python tests/warm_up.py`.

Processes that run tests would all compile the same kernels at the same time. Here each game is compiled by one process,
and those that come later load it.
"""

import collections
import gc
import multiprocessing
import time

from numba import types
from numba.core.dispatcher import Dispatcher

import stardeck
from helpers import PROGRAMS, game_of
from stardeck.benchmarks.arena.series import available_cores
from stardeck.benchmarks.speed import precompile
from stardeck.kernels.compile.numba_private import KERNEL_OPTIONS, LONG_OPTIONS

CORE, EMPIRE = "star_realms/core/standard/2", "interstellar_empire/2"
CAMPAIGN = "star_realms/rise_of_empire/standard/2/scenario=1"
# What the tests ask of some games alone. A test that had to compile it would compile every kernel below it once more.
OF_SOME = {
    "collected moves": (CORE, EMPIRE),
    "opponents in Python": (CORE, EMPIRE),
    "bench": (CORE, EMPIRE, CAMPAIGN),
}


def compile_program(variant):
    """Compile all that Python can call of a game; returns the variant and how long that took, in seconds."""
    began = time.process_time()
    precompile.warm_up(
        game_of(variant), uses=[use for use in precompile.USES if variant in OF_SOME.get(use.name, PROGRAMS)]
    )
    if variant == CAMPAIGN:
        _between_games(stardeck.make("rise_of_empire"))
    check_kernels()
    return variant, time.process_time() - began


def _between_games(campaign):
    """Positions of a campaign in which a scenario is about to begin, and in which all have been played."""
    campaign.from_position({"campaign": {"scenario": 1}})
    campaign.from_position({})


def check_kernels():
    """Every kernel that was compiled has one signature for a type of state, whatever the width of its numbers."""
    ways = [options["pipeline_class"] for options in (KERNEL_OPTIONS, LONG_OPTIONS)]
    for kernel in (found for found in gc.get_objects() if isinstance(found, Dispatcher)):
        if kernel._compiler.pipeline_class not in ways:
            continue
        kinds = (["whole" if isinstance(kind, types.Integer) else str(kind) for kind in s] for s in kernel.signatures)
        seen = collections.Counter(map(tuple, kinds))
        assert not seen or max(seen.values()) == 1, f"{kernel}: compiled more than once: {kernel.signatures}"


if __name__ == "__main__":
    with multiprocessing.get_context("spawn").Pool(min(len(PROGRAMS), available_cores())) as pool:
        for variant, seconds in pool.imap_unordered(compile_program, PROGRAMS, chunksize=1):
            print(f"{variant}: compiled in {seconds:.0f} s")
