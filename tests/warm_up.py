"""Compilation for the tests before they start in parallel: `python tests/warm_up.py`.

Parallel test processes would all compile the same kernels at the same time. Here one process compiles each game, and
later ones load the result.
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
# Uses that tests need for some games only. A test that compiled them would recompile every kernel below.
OF_SOME = {
    "collected moves": (CORE, EMPIRE),
    "opponents in Python": (CORE, EMPIRE),
    "bench": (CORE, EMPIRE, CAMPAIGN),
}


def compile_program(variant):
    """Compile all that Python can call of a game; return the variant and the duration in seconds."""
    began = time.process_time()
    precompile.warm_up(
        game_of(variant), uses=[use for use in precompile.USES if variant in OF_SOME.get(use.name, PROGRAMS)]
    )
    if variant == CAMPAIGN:
        _between_games(stardeck.make("rise_of_empire"))
    check_kernels()
    return variant, time.process_time() - began


def _between_games(campaign):
    """Load positions of a campaign before a scenario, and after the last one."""
    campaign.from_position({"campaign": {"scenario": 1}})
    campaign.from_position({})


def check_kernels():
    """Check that every compiled kernel has one signature per type of state, whatever the width of its numbers."""
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
