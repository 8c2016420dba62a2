"""Compilation of every launch of every game for a GPU, for both compute capabilities: minutes, `make test-cuda`."""

import pytest

from helpers import PROGRAMS
from launches import CAPABILITIES, launches
from stardeck.kernels.cuda import compiler, loops


@pytest.mark.parametrize("variant", PROGRAMS)
def test_every_launch_compiles(variant):
    arrays = launches(variant)
    assert set(arrays) == {name for name, value in vars(loops).items() if isinstance(value, compiler.Launch)}
    for capability in CAPABILITIES:
        for name, types in arrays.items():
            assert ".visible .entry" in compiler.ptx(getattr(loops, name), types, capability), name
