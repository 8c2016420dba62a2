"""Every launch of every game compiles for a GPU, for both compute capabilities: minutes, `make test-cuda`."""

import pytest

from helpers import PROGRAMS
from launches import CAPABILITIES, launches
from stardeck.kernels import device, gpu


@pytest.mark.parametrize("variant", PROGRAMS)
def test_every_launch_compiles(variant):
    arrays = launches(variant)
    assert set(arrays) == {name for name, value in vars(device).items() if isinstance(value, gpu.Launch)}
    for capability in CAPABILITIES:
        for name, types in arrays.items():
            assert ".visible .entry" in gpu.ptx(getattr(device, name), types, capability), name
