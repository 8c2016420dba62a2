"""The kernels for a GPU without one: they compile, and numba-cuda's simulator plays the games of the processor.

`make test-cuda` compiles everything for every game; tests/device_games.py compares thousands of games on a GPU.
"""

import os
import subprocess
import sys
from pathlib import Path

import pytest

import stardeck
from launches import launches
from stardeck.kernels import device, gpu

SIMULATED = os.environ | {"NUMBA_ENABLE_CUDASIM": "1", "NUMBA_DISABLE_JIT": "1"}
VERBS = "deal_all", "mask_all", "observe_all", "apply_all", "resample_all"
SMALL = "interstellar_empire/2"  # the quickest to compile
TESTS = Path(__file__).parent


@pytest.mark.parametrize(("capability", "verbs"), [((8, 0), VERBS), ((9, 0), ["apply_all"])])
def test_the_verbs_compile_for_a_gpu_that_is_not_there(capability, verbs):
    arrays = launches(SMALL)
    for verb in verbs:
        code = gpu.ptx(getattr(device, verb), arrays[verb], capability)
        assert f".target sm_{capability[0]}{capability[1]}" in code and ".visible .entry" in code, verb
        assert "fma.rn.f32" not in code, verb


@pytest.mark.parametrize(("variant", "steps"), [("star_realms/core/standard/2", 0), (SMALL, 150)])
def test_the_simulator_plays_the_games_of_the_processor(variant, steps):
    command = [sys.executable, TESTS / "device_games.py", "2", variant]
    done = subprocess.run(command, env=SIMULATED | {"STEPS": str(steps)}, capture_output=True, text=True)
    assert done.stdout == f"{variant}: 2 games are the same\n", done.stderr


def test_rows_of_the_benchmark_count_games_and_decisions():
    code = (
        "import stardeck; from stardeck.benchmarks import gpu; gpu.SIZES = (3,);"
        "game = stardeck.make('interstellar_empire');"
        "[print(row, *[measured[:3] for measured in gpu.measure(game, row, 0)]) for row in gpu.ROWS]"
    )
    done = subprocess.run([sys.executable, "-c", code], env=SIMULATED, capture_output=True, text=True, check=True)
    game = stardeck.make("interstellar_empire")
    decisions = game.playout(game.deal(range(3, 6)), "random", 1)["decisions"].sum()
    assert done.stdout == f"gpu_random (3, 3, {decisions})\ngpu_batch (3, 0, 3)\n"


def test_without_a_gpu_there_is_one_clear_error():
    if not gpu.cuda.is_available():
        with pytest.raises(RuntimeError, match='device="cuda": no GPU is found'):
            stardeck.make("star_realms", device="cuda")
    with pytest.raises(ValueError, match="device='tpu': must be cpu or cuda"):
        stardeck.make("star_realms", device="tpu")


def test_nothing_of_cuda_is_imported_before_it_is_asked_for():
    code = (
        "import sys, stardeck; game = stardeck.make('interstellar_empire'); game.legal_actions(game.deal(1));"
        "print([name for name in sys.modules if name.startswith(('numba.cuda.', 'cuda.', 'stardeck.kernels.gpu'))])"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout == "[]\n"
