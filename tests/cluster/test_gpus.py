"""Games on the GPUs of a Ray cluster, which are numba-cuda's simulator: each task asks Ray for one GPU."""

import os
import subprocess
import sys
from pathlib import Path

import pytest

SIMULATED = os.environ | {"NUMBA_ENABLE_CUDASIM": "1", "NUMBA_DISABLE_JIT": "1"}
COMPARISON = Path(__file__).parents[1] / "device_measure.py"


@pytest.mark.parametrize("part", ["ray", "no_gpu"])
def test_tasks_take_a_gpu_each_and_write_the_bytes_of_the_processor(part, tmp_path):
    command = [sys.executable, COMPARISON, part, tmp_path]
    done = subprocess.run(command, env=SIMULATED, capture_output=True, text=True)
    assert done.stdout == f"{part}: the same\n", done.stderr
