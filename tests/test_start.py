"""Invalid environment variables: one line from the command, or no effect on it."""

import os
import subprocess
import sys

import pytest

COMMAND = [sys.executable, "-c", "import stardeck_start; stardeck_start.main()", "list"]
WRONG = {
    "NUMBA_NUM_THREADS=x": "must be a whole number of 1 or more",
    "NUMBA_NUM_THREADS=0": "must be a whole number of 1 or more",
    "NUMBA_NUM_THREADS=-1": "must be a whole number of 1 or more",
    "NUMBA_OPT=9": "supported values are 0, 1, 2, 3, and 'max'",
    "NUMBA_BOUNDSCHECK=yes": "must be a whole number",
    "NUMBA_DISABLE_JIT=x": "must be a whole number",
    "NUMBA_CPU_FEATURES=avx2": "must be features with + or - before each",
    "NUMBA_CACHE_LOCATOR_CLASSES=x": "Unknown cache locator class: 'x'",
    "MPLBACKEND=nope": "supported values are [",
}
# Together, but for the folders that take the place of one that is named.
HARMLESS = (
    ("NUMBA_NUM_THREADS=1", "OMP_NUM_THREADS=x", "MPLBACKEND=agg", "NUMBA_THREADING_LAYER=x", "TMPDIR=/dev/null",
     "COLUMNS=x", "NUMBA_CACHE_DIR=/dev/null/x"),
    ("XDG_CACHE_HOME=/dev/null",),
    ("HOME=/dev/null",),
)  # fmt: skip


def listed(*settings):
    clean = {key: held for key, held in os.environ.items() if not key.startswith("NUMBA_")}
    given = dict(setting.split("=", 1) for setting in settings)
    return subprocess.run(COMMAND, env=clean | given, capture_output=True, text=True)


@pytest.mark.parametrize("setting", WRONG)
def test_a_wrong_variable_is_one_line(setting):
    found = listed(setting)
    assert found.returncode == 2 and not found.stdout
    assert found.stderr.startswith(f"stardeck: {setting}: ") and WRONG[setting] in found.stderr
    assert found.stderr.count("\n") == 1


def test_a_value_reaches_no_terminal_as_it_is():
    assert listed("NUMBA_NUM_THREADS=\x1b[31m").stderr.startswith("stardeck: NUMBA_NUM_THREADS=\\x1b[31m: ")


@pytest.mark.parametrize("settings", HARMLESS)
def test_other_variables_change_nothing(settings):
    found = listed(*settings)
    assert found.returncode == 0 and "star_realms" in found.stdout
    assert found.stderr == ""
