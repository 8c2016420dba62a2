"""What is compiled ahead is all that the kinds of use ask for."""

import importlib

import numba

import stardeck
from stardeck.benchmarks import speed, warming

SHARED = ("kernels.batch", "kernels.playing", "kernels.lanes", "agents.simulation")


def entries():
    """Every compiled function of the shared loops that Python can call."""
    found = {}
    for name in SHARED:
        for each in vars(importlib.import_module(f"stardeck.{name}")).values():
            if isinstance(each, numba.core.dispatcher.Dispatcher) and type(each._cache).__name__ != "NullCache":
                found[each.py_func.__qualname__] = each
    return found


def takes(entry, dtype):
    """Whether an entry has been compiled, or loaded, for states of a dtype."""
    kind = numba.from_dtype(dtype)
    arrays = [argument for signature in entry.signatures for argument in signature]
    return any(getattr(argument, "dtype", None) == kind for argument in arrays)


def test_every_shared_loop_is_compiled_for_a_game():
    game = stardeck.make("interstellar_empire")
    used = []
    warming.warm_up(game, used.append)
    assert used == list(warming.USES)
    found = entries()
    with_games = {name: each for name, each in found.items() if "states" in each.py_func.__code__.co_varnames}
    assert len(with_games) > 15 and len(found) > 25
    assert [each for each, entry in with_games.items() if not takes(entry, game.state_dtype)] == []
    assert {each for each, entry in found.items() if not entry.signatures} <= {"value_all"}  # of networks alone


def test_what_bench_draws_with_is_compiled_ahead():
    """As it was: `stardeck bench` drew with a seed of another type, and compiled for it."""
    game = stardeck.make("interstellar_empire")
    warming.warm_up(game)
    before = {name: set(entry.signatures) for name, entry in entries().items()}
    for row in ("batch", "vector", "search", "aec_raw", "aec", *speed.WITH_SB3):
        speed.measure(game, row, 0.01)
    assert {name: set(entry.signatures) for name, entry in entries().items()} == before
