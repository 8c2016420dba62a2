"""What is compiled ahead is all that the kinds of use ask for."""

import importlib

import numba

import stardeck
from stardeck.benchmarks import warming

SHARED = ("kernels.batch", "kernels.playing", "kernels.lanes", "agents.tree")


def entries():
    """Every compiled function of the shared loops that Python can call and that takes games."""
    found = {}
    for name in SHARED:
        for each in vars(importlib.import_module(f"stardeck.{name}")).values():
            if isinstance(each, numba.core.dispatcher.Dispatcher) and type(each._cache).__name__ != "NullCache":
                found[each.py_func.__qualname__] = each
    return {name: each for name, each in found.items() if "states" in each.py_func.__code__.co_varnames}


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
    assert len(found) > 15
    assert [each for each, entry in found.items() if not takes(entry, game.state_dtype)] == []
