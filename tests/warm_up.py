"""Compilation for the tests before they start in parallel: `python tests/warm_up.py`.

Parallel test processes would all compile the same kernels at the same time. Here one process compiles each game, and
later ones load the result.
"""

import collections
import gc
import multiprocessing
import time

import numpy as np
from numba import types
from numba.core.dispatcher import Dispatcher

import stardeck
from helpers import PROGRAMS, Plain, game_of, thorough
from stardeck import agents
from stardeck.agents.data.perturbed_games import HiddenHands, TurnObservations, play_perturbed
from stardeck.benchmarks.arena.series import Series
from stardeck.benchmarks.card_values.treatments import treatments_of
from stardeck.benchmarks.card_values.trial_series import TrialSeries
from stardeck.benchmarks.speed import precompile
from stardeck.game.agent_table import AgentTable
from stardeck.game.cores import available_cores
from stardeck.kernels.compile.numba_private import KERNEL_OPTIONS, LONG_OPTIONS

STARS = "empire_of_the_stars/2/powers"
CORE, EMPIRE = "star_realms/core/standard/2", "interstellar_empire/2"
CAMPAIGN = "star_realms/rise_of_empire/standard/2/scenario=1"
# Uses that tests need for some games only. A test that compiled them would recompile every kernel below.
OF_SOME = {
    "collected moves": (CORE, EMPIRE),
    "opponents in Python": (CORE, EMPIRE),
    "bench": (CORE, EMPIRE, CAMPAIGN),
}


def _events(game):
    """Series of compiled agents that record events."""
    Series(game, ["rules"], 1, record_events=True).play(0, 1)


def _events_of_python_agents(game):
    """Series of other agents that record events."""
    Series(game, [Plain(agents.get("rules"))], 1, record_events=True).play(0, 1)


def _trials(game):
    """Trials of card values."""
    TrialSeries(game, "rules", 1, next(iter(treatments_of(game.variant.game)))).play(0, 1)


def _lessons(game):
    """Games that auxiliary networks learn from, none of which is played."""
    none, networks = game.deal(np.empty(0, np.uint64)), AgentTable([agents.get("rules")]).networks
    room = np.empty((1, game.observation_size), np.uint8)
    given = game.rules, none, networks, np.empty(0, np.uint64), 0.0
    play_perturbed(*given, TurnObservations(room, *np.empty((2, 1), np.int64)), None)
    if game.belief_size:
        counts = np.empty((1, game.players, game.variant.kinds_held), np.uint8)
        play_perturbed(*given, None, HiddenHands(room, counts))


# What the package compiles when it is first used, and these tests of some games use.
OF_TESTS = {
    _events: (CORE, EMPIRE, CAMPAIGN),
    _events_of_python_agents: (CORE, EMPIRE, STARS),
    _trials: (CORE, CAMPAIGN, STARS),
    _lessons: thorough(PROGRAMS, (CORE, EMPIRE)),
}


def compile_program(variant):
    """Compile all that Python can call of a game; return the variant and the duration in seconds."""
    began = time.process_time()
    precompile.warm_up(
        game_of(variant), uses=[use for use in precompile.USES if variant in OF_SOME.get(use.name, PROGRAMS)]
    )
    for use, variants in OF_TESTS.items():
        if variant in variants:
            use(game_of(variant))
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
