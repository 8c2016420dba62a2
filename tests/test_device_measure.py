"""Measurements on a GPU without a GPU: numba-cuda's simulator gives the chunks and files of the processor.

tests/device_measure.py compares them; `make test-gpu` does it with thousands of games on a GPU.
"""

import os
import pickle
import subprocess
import sys
from pathlib import Path

import pytest

from helpers import game_of
from stardeck.benchmarks.arena import series as arena
from stardeck.benchmarks.arena.series import Series
from stardeck.kernels.cuda import compiler

SIMULATED = os.environ | {"NUMBA_ENABLE_CUDASIM": "1", "NUMBA_DISABLE_JIT": "1"}
GAME = "interstellar_empire/2"
TESTS = Path(__file__).parent
CLI = [sys.executable, "-m", "stardeck.commands.cli"]
ON_GPU = ["--device", "cuda"]


def simulated(*arguments):
    command = [sys.executable, TESTS / "device_measure.py", *arguments]
    return subprocess.run(command, env=SIMULATED, capture_output=True, text=True)


@pytest.mark.parametrize("variant", [GAME, "star_realms/box/nemesis_beast/3/veteran"])
def test_series_have_equal_chunks(variant):
    done = simulated("series", "3", variant)
    assert done.stdout == f"{variant}: 3 games of each series are the same\n", done.stderr


@pytest.mark.parametrize("part", ["room", "unfinished", "advantage", "league", "fair"])
def test_measurements_have_equal_files_on_any_device(part, tmp_path):
    done = simulated(part, tmp_path)
    assert done.stdout == f"{part}: the same\n", done.stderr


@pytest.mark.parametrize(
    ("arguments", "told"),
    [
        (["advantage"], 'device="cuda": no GPU is found, or no driver for it'),
        (["league"], 'device="cuda": no GPU is found, or no driver for it'),
        (["fair", "--knob", "first_player=agreed:bid"], 'device="cuda": no GPU is found, or no driver for it'),
        (["advantage", "--agents", "search:8,rules"], "agents=['search:8']: on the GPU all must be compiled: rules"),
        (["league", "--agents", "search:8,rules"], "agents=['search:8']: on the GPU all must be compiled: rules"),
        (
            ["fair", "--knob", "first_player=agreed:bid", "--agents", "search:8"],
            "agents=['search:8']: on the GPU all must be compiled: rules",
        ),
        (["advantage", "--collect", "moves,events"], "device='cuda': records no events; collect moves or cards"),
        (["league", "--collect", "events"], "device='cuda': records no events; collect moves or cards"),
        (["worth"], "No such option '--device'"),
    ],
)
def test_what_cannot_be_on_a_gpu_is_refused_in_one_line(arguments, told, tmp_path):
    if "no GPU" in told and compiler.cuda.is_available():
        pytest.skip("there is one")
    command, *options = arguments
    done = subprocess.run(
        [*CLI, command, "interstellar_empire", *options, *ON_GPU, "--out", tmp_path / "out"],
        capture_output=True, text=True,
    )  # fmt: skip
    assert (done.returncode, done.stdout) == (2, "") and done.stderr.startswith(f"stardeck: {told}"), done.stderr
    assert done.stderr.count("\n") == 1 and not (tmp_path / "out").exists()


@pytest.mark.parametrize("command", ["advantage", "league", "fair"])
def test_the_help_names_the_devices(command):
    done = subprocess.run([*CLI, command, "interstellar_empire", "--help"], capture_output=True, text=True, check=True)
    assert "--device [cpu|cuda]" in done.stdout


def test_a_series_names_the_devices_that_there_are():
    with pytest.raises(ValueError, match="^device='tpu': must be cpu or cuda$"):
        Series(game_of(GAME), ["rules"], device="tpu")
    with pytest.raises(TypeError, match="unexpected keyword argument 'devise'"):
        Series(game_of(GAME), ["rules"], devise="cuda")


def test_a_series_takes_its_device_along_and_needs_no_gpu_before_it_plays():
    series = pickle.loads(pickle.dumps(Series(game_of(GAME), ["rules"], device="cuda")))
    assert series.device == "cuda" and series.chunk == arena.LAUNCH
    assert series.cpu_chunk == Series(game_of(GAME), ["rules"]).chunk == arena.CHUNK
