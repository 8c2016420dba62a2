"""Ahead-of-time compilation, which covers everything that each kind of use calls."""

import importlib
import os
import subprocess
import sys

import numba
import pytest

import stardeck
from stardeck.benchmarks.speed import measure as speed
from stardeck.benchmarks.speed import precompile
from stardeck.commands import serve
from stardeck.game.registry import GAMES

SHARED = (
    "kernels.loops.batch",
    "kernels.loops.playouts",
    "kernels.loops.lanes",
    "agents.search.simulation",
    "agents.search.root",
)


def entries():
    """Return every compiled function of the shared loops that Python can call."""
    found = {}
    for name in SHARED:
        for each in vars(importlib.import_module(f"stardeck.{name}")).values():
            if isinstance(each, numba.core.dispatcher.Dispatcher) and type(each._cache).__name__ != "NullCache":
                found[each.py_func.__qualname__] = each
    return found


def takes(entry, dtype):
    """Check that an entry point is compiled, or loaded, for states of a dtype."""
    kind = numba.from_dtype(dtype)
    arrays = [argument for signature in entry.signatures for argument in signature]
    return any(getattr(argument, "dtype", None) == kind for argument in arrays)


def test_every_shared_loop_is_compiled_for_a_game():
    game = stardeck.make("interstellar_empire")
    used = []
    precompile.warm_up(game, used.append)
    assert used == list(precompile.USES)
    found = entries()
    with_games = {name: each for name, each in found.items() if "states" in each.py_func.__code__.co_varnames}
    assert len(with_games) > 15 and len(found) > 25
    assert [each for each, entry in with_games.items() if not takes(entry, game.state_dtype)] == []
    assert {each for each, entry in found.items() if not entry.signatures} <= {"value_all"}  # for networks only


def test_what_bench_draws_with_is_compiled_ahead():
    """Regression: `stardeck bench` drew with a seed of another type, and compiled for it."""
    game = stardeck.make("interstellar_empire")
    precompile.warm_up(game)
    before = {name: set(entry.signatures) for name, entry in entries().items()}
    for row in ("batch", "vector", "search", "aec_raw", "aec", *speed.WITH_SB3):
        speed.measure(game, row, 0.01)
    assert {name: set(entry.signatures) for name, entry in entries().items()} == before


PLAYED = """
import os
from stardeck import agents
from stardeck.agents.search.advice import advice
from stardeck.benchmarks.recordings import record
from stardeck.benchmarks.speed import precompile
from stardeck.kernels.compile.jit import NOTICE
precompile.GAMES, os.nice = {"interstellar_empire": precompile.GAMES["interstellar_empire"]}, print
precompile.warm_up_for_browser()
before = []
NOTICE.begin = lambda function, types: before.append(function)
game = precompile.make("interstellar_empire")
record.warm_up(game, [agents.get("rules"), agents.get("search:4"), agents.get("random")])
record.play(game, ["rules", "search:4"], 1)
print(before)
"""


def test_a_table_needs_no_more_than_what_is_compiled_for_it():
    played = subprocess.run([sys.executable, "-c", PLAYED], capture_output=True, text=True, check=True)
    assert played.stdout.splitlines() == ["10", "[]"], played.stderr


def test_a_table_is_warmed_for_all_games(monkeypatch):
    warmed = []
    monkeypatch.setattr(os, "nice", lambda by: None, raising=False)
    monkeypatch.setattr(precompile, "make", lambda name: name)
    monkeypatch.setattr(precompile, "warm_up", lambda game, uses: warmed.append((game, len(uses))))
    precompile.warm_up_for_browser()
    assert warmed == [(name, 3) for name in GAMES]


@pytest.mark.skipif(not hasattr(os, "getpgid"), reason="asks the system by signal 0")
def test_a_server_warms_games_in_a_process_that_ends_with_it(monkeypatch, tmp_path):
    monkeypatch.setattr("stardeck.kernels.compile.jit.CACHE_FOLDER", tmp_path)
    started, popen = [], subprocess.Popen

    def note(command, **given):
        (tmp_path / "program").write_text(command[-1])
        started.append(popen([sys.executable, "-c", "import time; time.sleep(600)"], **given))
        return started[-1]

    monkeypatch.setattr(serve.subprocess, "Popen", note)
    with serve._warming(True):
        (process,) = started
        assert process.poll() is None and os.getpgid(process.pid) != os.getpgid(0)
        assert "warm_up_for_browser" in (tmp_path / "program").read_text()
    assert process.poll() is not None
    with serve._warming(False):
        assert len(started) == 1
    monkeypatch.setattr("stardeck.kernels.compile.jit.CACHE_FOLDER", None)
    with serve._warming(True):
        assert len(started) == 1
