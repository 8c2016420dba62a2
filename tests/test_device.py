"""The GPU kernels without a GPU: they compile, and numba-cuda's simulator plays the games of the processor.

`make test-cuda` compiles everything for every game; tests/device_games.py compares thousands of games on a GPU.
"""

import os
import subprocess
import sys
import time
from pathlib import Path

import click
import gymnasium
import pytest
import torch

import stardeck
from launches import launches
from stardeck.benchmarks.speed import gpu_report
from stardeck.benchmarks.speed import measure as speed
from stardeck.kernels.cuda import compiler

SIMULATED = os.environ | {"NUMBA_ENABLE_CUDASIM": "1", "NUMBA_DISABLE_JIT": "1"}
VERBS = "deal_all", "legal_all", "observe_all", "apply_all", "resample_all"
SMALL = "interstellar_empire/2"  # the fastest to compile
TESTS = Path(__file__).parent


@pytest.mark.parametrize(("capability", "verbs"), [((8, 0), VERBS), ((9, 0), ["apply_all"])])
def test_the_verbs_compile_for_a_gpu_that_is_not_there(capability, verbs):
    arrays = launches(SMALL)
    for verb in verbs:
        code = compiler.ptx(*arrays[verb], capability)
        assert f".target sm_{capability[0]}{capability[1]}" in code and ".visible .entry" in code, verb
        assert "fma.rn.f32" not in code, verb
        assert "__errcode__" in code, "the launch keeps no errors"
        assert ("st.v4.u32" in code) == (verb in ("legal_all", "observe_all")), "rows are written 16 bytes at a time"


@pytest.mark.parametrize(("variant", "steps"), [("star_realms/core/standard/2", 0), (SMALL, 30)])
def test_the_simulator_plays_the_games_of_the_processor(variant, steps):
    command = [sys.executable, TESTS / "device_games.py", "2", variant]
    done = subprocess.run(command, env=SIMULATED | {"STEPS": str(steps)}, capture_output=True, text=True)
    assert done.stdout == f"{variant}: 2 games are the same\n", done.stderr


def test_rows_are_written_in_whole_sectors_and_read_without_conflicts():
    done = subprocess.run([sys.executable, TESTS / "warp_accesses.py"], env=SIMULATED, capture_output=True, text=True)
    assert done.stdout.endswith(" stores of a warp write whole sectors\n"), done.stderr


def test_an_error_of_the_rules_names_its_row():
    code = (
        "import numpy as np, stardeck; from stardeck.kernels.star_realms.state import IN_PLAY_LIMIT;"
        "game = stardeck.make('star_realms', device='cuda'); states = game.game.deal(range(3));"
        "states['players']['in_play_count'][1] = IN_PLAY_LIMIT;"  # as many cards as a state has places for
        "actions = [game.game.parse(states[row : row + 1], 'play Scout')[0] for row in range(3)];"
        "there = game.to_device(states);"
        "game.apply(there, actions, check=False)"
    )
    done = subprocess.run([sys.executable, "-c", code], env=SIMULATED, capture_output=True, text=True)
    assert done.returncode and done.stderr.splitlines()[-1].endswith(
        "DeviceError: apply_all: the rules raised an error in row 1, which is unchanged"
    ), done.stderr


def test_rows_of_the_benchmark_count_games_and_decisions():
    code = (
        "import stardeck; from stardeck.benchmarks.speed import gpu; gpu.SIZES = (3,);"
        "game = stardeck.make('interstellar_empire');"
        "rows = list(gpu.ROWS)[:3];"
        "[print(row, *[measured[:3] for measured in gpu.measure(game, row, 0)]) for row in rows]"
    )
    done = subprocess.run([sys.executable, "-c", code], env=SIMULATED, capture_output=True, text=True, check=True)
    game = stardeck.make("interstellar_empire")
    dealt = game.deal(range(3))
    game.play_random(dealt, range(3), 200)
    games = game.play_random(dealt, range(3), 200, first=200)
    decisions = game.playout(game.deal(range(3, 6)), "rules", 1)["decisions"].sum()
    assert done.stdout == f"gpu_random (3, {games}, 600)\ngpu_rules (3, 3, {decisions})\ngpu_batch (3, 0, 3)\n"


def test_a_training_on_the_device_runs_to_its_end_and_goes_on_to_the_same(tmp_path):
    command = [sys.executable, TESTS / "training" / "on_device.py", tmp_path]
    done = subprocess.run(command, env=SIMULATED, capture_output=True, text=True)
    played = "DeviceLanes DeviceLanes DeviceLanes Lanes"
    assert done.stdout == f"cuda 24 3 2 True\n{played}\ngpu_train 3 0 48\n", done.stderr


def test_two_processes_train_together_on_the_device(tmp_path):
    command = [sys.executable, TESTS / "training" / "on_device.py", tmp_path, "2"]
    done = subprocess.run(command, env=SIMULATED, capture_output=True, text=True)
    assert done.stdout == "cuda 2 48 3 2\n", done.stderr


def made(**options):
    return gymnasium.make_vec("stardeck/StarRealms-v1", 2, "vector_entry_point", **options)


@pytest.mark.parametrize("asked", [lambda **device: stardeck.make("star_realms", **device), made])
def test_without_a_gpu_there_is_one_clear_error(asked):
    if not compiler.cuda.is_available():
        with pytest.raises(RuntimeError, match='device="cuda": no GPU is found'):
            asked(device="cuda")
    with pytest.raises(ValueError, match="device='tpu': must be cpu or cuda"):
        asked(device="tpu")


@pytest.mark.parametrize(
    ("options", "told"),
    [
        ([], 'device="cuda": no GPU is found, or no driver for it'),
        (["--search-share", "0.5"], "search_share=0.5: must be 0 on the GPU"),
        (["--opponents", "search:8"], "opponents=['search:8']: on the GPU all must be compiled"),
        (["--method", "expert"], "device='cuda': cannot be used here"),
    ],
)
def test_a_training_that_cannot_be_on_a_gpu_is_refused_in_one_line(tmp_path, options, told):
    if compiler.cuda.is_available() and not options or options[:1] == ["--method"] and torch.cuda.is_available():
        pytest.skip("there is one")
    command = [sys.executable, "-m", "stardeck.commands.cli", "train", "star_realms", "--device", "cuda", *options]
    done = subprocess.run([*command, "--out", tmp_path / "out"], capture_output=True, text=True)
    assert (done.returncode, done.stdout) == (2, "") and done.stderr.startswith(f"stardeck: {told}"), done.stderr
    assert done.stderr.count("\n") == 1 and not (tmp_path / "out").exists()


def test_code_for_a_gpu_is_kept_for_later_processes(tmp_path):
    env = os.environ | {"NUMBA_CACHE_DIR": str(tmp_path)}
    command = [sys.executable, TESTS / "gpu_code.py", "seats_all"]
    first, second = (subprocess.run(command, env=env, capture_output=True, text=True, check=True) for _ in range(2))
    assert first.stdout.split()[0] == "False" and second.stdout.split()[0] == "True"
    assert first.stdout.split()[1] == second.stdout.split()[1]
    kept = [path for path in tmp_path.rglob("*.nbc") if "seats_all" in path.name]
    assert len(kept) == 1
    kept[0].write_bytes(kept[0].read_bytes()[:-1])  # damaged: compiled again
    third = subprocess.run(command, env=env, capture_output=True, text=True, check=True)
    assert third.stdout == first.stdout


def test_a_part_of_the_report_that_fails_is_a_line_of_it(capsys):
    def fails():
        yield "speed", "12", ""
        raise AssertionError("states differ")

    rows = list(gpu_report._run([fails, lambda: iter([("last", "1", "")])], time.perf_counter()))
    assert rows == [("speed", "12", ""), ("part 1", "FAILED", "AssertionError: states differ"), ("last", "1", "")]
    assert capsys.readouterr().out.count("\n") == 3
    late = time.perf_counter() - gpu_report.LIMIT
    assert list(gpu_report._run([fails], late)) == [("time", "over", "1 parts were left out")]


@pytest.mark.parametrize(
    ("options", "told"),
    [
        (["--sizes", "8,x"], "Invalid value for '--sizes': 8,x: must be whole numbers from 1 to 4194304, with commas"),
        (["--sizes", "0"], "Invalid value for '--sizes': 0: must be whole numbers from 1 to 4194304, with commas"),
        (["--seconds", "0"], "Invalid value for '--seconds': 0.0 is not in the range 0<x<=60."),
        (["--out", "no/such/folder.json"], "--out no/such/folder.json: No such file or directory"),
    ],
)
def test_the_report_refuses_wrong_options_before_it_measures(options, told, tmp_path):
    command = [sys.executable, "-m", "stardeck.benchmarks.speed.gpu_report", *options]
    done = subprocess.run(command, env=SIMULATED, cwd=tmp_path, capture_output=True, text=True)
    assert (done.returncode, done.stdout) == (2, "") and f"Error: {told}" in done.stderr
    assert "Traceback" not in done.stderr and not list(tmp_path.iterdir())


def test_rows_of_the_benchmark_say_that_there_is_no_gpu():
    if not compiler.cuda.is_available():
        command = [sys.executable, "-m", "stardeck.commands.cli", "bench", "--rows", "gpu_train"]
        done = subprocess.run(command, capture_output=True, text=True)
        assert done.returncode == 2
        assert done.stderr == 'stardeck: --rows gpu_train: device="cuda": no GPU is found, or no driver for it\n'


def test_a_torch_that_finds_no_gpu_is_named(monkeypatch):
    if not torch.cuda.is_available():
        monkeypatch.setattr("stardeck.benchmarks.speed.gpu.name", lambda: "a GPU")
        with pytest.raises(click.UsageError, match="--rows gpu_train: device='cuda': cannot be used here"):
            speed._gpu_name(["gpu_train"])


def test_nothing_of_cuda_is_imported_before_it_is_asked_for():
    code = (
        "import sys, stardeck; game = stardeck.make('interstellar_empire'); game.legal_actions(game.deal(1));"
        "from stardeck.envs.interstellar_empire_v1 import VectorEnv; VectorEnv(2).reset(seed=1);"
        "ours = 'numba.cuda.', 'stardeck.kernels.cuda.compiler';"
        "print([name for name in sys.modules if name.startswith((*ours, 'cuda.'))]);"
        "import stardeck.training.ppo.backend;"  # the GPU build of torch loads its own libraries
        "print([name for name in sys.modules if name.startswith(ours)])"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout == "[]\n[]\n"
