"""Ctrl-C at any moment of any command: exit code 130, no traceback, and finished work is kept."""

import os
import signal
import subprocess
import sys
import time

import numpy as np
import pyarrow.parquet as pq
import pytest

from helpers import thorough
from stardeck.benchmarks.results.folder_lock import LOCK, WRITER

WATCHED = "import sys; from stardeck.benchmarks import interrupt; interrupt.watch()\n"


def run(code, seconds=60):
    """Run Python code that interrupts itself; return exit code and errors."""
    done = subprocess.run([sys.executable, "-c", WATCHED + code], capture_output=True, text=True, timeout=seconds)
    return done.returncode, done.stderr


PRESS = "import os, signal, time; press = lambda: os.kill(os.getpid(), signal.SIGINT)\n"


@pytest.mark.parametrize(
    "swallow",
    [
        "class Thing:\n    def __del__(self): press(); time.sleep(0.1)\ndel_ = Thing(); del del_",
        "import weakref\nclass T: pass\nt = T()\nw = weakref.ref(t, lambda _: press() or time.sleep(0.1))\ndel t",
        "import ctypes\nctypes.CFUNCTYPE(None)(lambda: (press(), time.sleep(0.1)))()",
    ],
)
def test_what_a_destructor_or_callback_swallows_is_raised_again(swallow):
    code, errors = run(
        f"{PRESS}try:\n    exec({swallow!r})\n    time.sleep(30)\nexcept KeyboardInterrupt:\n    sys.exit(7)"
    )
    assert (code, errors) == (7, "")


def test_what_a_library_takes_for_its_own_error_is_noticed_at_the_next_progress():
    code, errors = run(
        f"{PRESS}from stardeck.benchmarks.progress import progress_bar\n"
        "with progress_bar('games') as progress:\n"
        "    progress(0, 2)\n"
        "    try: press(); time.sleep(1)\n"
        "    except BaseException: pass\n"
        "    try: progress(1, 2)\n"
        "    except KeyboardInterrupt: sys.exit(7)\n"
    )
    assert (code, errors) == (7, "")


@pytest.mark.parametrize(("wait", "code"), [(0.0, 7), (0.7, 130)])
def test_a_second_one_ends_the_process_at_once(wait, code):
    assert run(
        f"{PRESS}try: press(); time.sleep(30)\n"
        f"except KeyboardInterrupt: time.sleep({wait}); press(); time.sleep(0.1); sys.exit(7)"
    ) == (code, "")


def test_other_errors_that_nobody_hears_are_shown_as_ever():
    code, errors = run("class Thing:\n    def __del__(self): 1 / 0\nThing()")
    assert code == 0 and "Exception ignored in" in errors and "ZeroDivisionError" in errors


STARTED = (
    "import signal, stardeck_start\n"
    "signal.signal(signal.SIGINT, stardeck_start._leave)\n"
    "print('started', flush=True)\n"
    "stardeck_start.main()"
)


def interrupted(folder, seconds: float | str, *arguments, **environment):
    """Interrupt a command some seconds after Python starts, or once a path exists; it must exit cleanly."""
    compiled = {key: value for key, value in os.environ.items() if key != "NUMBA_DISABLE_JIT"} | environment
    process = subprocess.Popen(
        [sys.executable, "-c", STARTED, *map(str, arguments)],
        cwd=folder, env=compiled, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True,
    )  # fmt: skip
    assert process.stdout.readline() == "started\n"
    while isinstance(seconds, str) and not list(folder.rglob(seconds)):
        assert process.poll() is None
        time.sleep(0.01)
    time.sleep(0 if isinstance(seconds, str) else seconds)
    process.send_signal(signal.SIGINT)
    _, errors = process.communicate(timeout=120)
    assert process.returncode == 130 and "interrupted" in errors, (seconds, process.returncode, errors)
    assert "Traceback" not in errors and "Exception ignored" not in errors, (seconds, errors)
    assert not [path for path in folder.rglob("*") if path.suffix == ".tmp" or path.name in (LOCK, WRITER)], seconds


ENDLESS = ["advantage", "interstellar_empire", "--agents", "simple", "--games", 10**9, "--out", "out"]


def test_at_any_moment_it_ends_in_order_and_keeps_what_is_finished(tmp_path):
    for seconds in (*thorough((0, 0.1, 0.3, 0.6, 1, 2), (0, 0.3, 1)), "parts/*.parquet", 3):
        interrupted(tmp_path, seconds, *ENDLESS)
        for path in (tmp_path / "out").rglob("*.parquet"):
            start = int(path.stem.split("-")[0]) if path.parent.name == "parts" else 0
            index = pq.read_table(path)["index"].to_numpy()
            assert np.array_equal(index, np.arange(start, start + len(index)))
    assert pq.read_metadata(tmp_path / "out" / "games.parquet").num_rows


@pytest.mark.parametrize("seconds", thorough([3, 6], [3]))
def test_it_ends_in_order_while_kernels_are_compiled(tmp_path, seconds):
    interrupted(tmp_path, seconds, *ENDLESS, NUMBA_CACHE_DIR=str(tmp_path / "cache"))


@pytest.mark.parametrize(
    "command",
    [
        "league interstellar_empire --agents random,simple --games 1000000000 --out out",
        "train interstellar_empire --imitation 0 --out out",
        "watch interstellar_empire --agents search:100000",
    ],
)
def test_every_command_ends_in_order(tmp_path, command):
    for seconds in thorough((0.5, 4), (3,)):
        interrupted(tmp_path, seconds, *command.split())
