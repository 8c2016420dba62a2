"""Ctrl-C, at any moment of any command: exit code 130, no traceback, and what is finished is kept."""

import os
import signal
import subprocess
import sys
import time

import pytest

WATCHED = "import sys; from stardeck.benchmarks import interrupt; interrupt.watch()\n"


def run(code, seconds=60):
    """Run Python code that interrupts itself: (exit code, errors)."""
    done = subprocess.run([sys.executable, "-c", WATCHED + code], capture_output=True, text=True, timeout=seconds)
    return done.returncode, done.stderr


PRESS = "import os, signal, time; press = lambda: os.kill(os.getpid(), signal.SIGINT)\n"


@pytest.mark.parametrize(
    "swallow",
    [
        "class Thing:\n    def __del__(self): press(); time.sleep(0.1)\ndel_ = Thing(); del del_",
        "import weakref\nclass Thing: pass\nt = Thing(); w = weakref.ref(t, lambda _: (press(), time.sleep(0.1))); del t",
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
        f"{PRESS}from stardeck.benchmarks.terminal import progress_bar\n"
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


def start(folder, *arguments, **environment):
    command = [sys.executable, "-m", "stardeck.benchmarks.cli", *map(str, arguments)]
    environment = {key: value for key, value in os.environ.items() if key != "NUMBA_DISABLE_JIT"} | environment
    return subprocess.Popen(command, cwd=folder, env=environment, stdout=subprocess.PIPE, stderr=subprocess.PIPE)


def interrupted(process, seconds):
    """Send Ctrl-C after some seconds; returns the errors of a process that must end in order."""
    time.sleep(seconds)
    process.send_signal(signal.SIGINT)
    out, errors = (text.decode() for text in process.communicate(timeout=60))
    assert "Traceback" not in errors and "Exception ignored" not in errors, errors
    assert process.returncode in (0, 130), (process.returncode, errors)
    return process.returncode, errors


def ready(process):
    """Wait until a process listens to Ctrl-C: Linux tells which signals it catches."""
    status = f"/proc/{process.pid}/status"
    while process.poll() is None:
        caught = next(line for line in open(status) if line.startswith("SigCgt"))
        if process_has_handler(process, int(caught.split()[1], 16)):
            return
        time.sleep(0.01)


def process_has_handler(process, caught):
    return caught >> (signal.SIGINT - 1) & 1
