"""Compilation of every launch of every game for a GPU, for both compute capabilities: minutes, `make test-cuda`."""

import pytest

from helpers import PROGRAMS
from launches import CAPABILITIES, launches
from stardeck.kernels.cuda import compiler


@pytest.mark.parametrize("variant", PROGRAMS)
def test_every_launch_compiles(variant):
    for name, launch in launches(variant).items():
        for capability in CAPABILITIES:
            code = compiler.ptx(*launch, capability)
            assert ".visible .entry" in code and "__errcode__" in code, name
