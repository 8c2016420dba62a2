"""The cache of compiled kernels survives processes, and no edit is ever served from an old one."""

import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[1]
RUN = """
import sys, types, pathlib
root = pathlib.Path(sys.argv[1])
package = types.ModuleType("stardeck")
package.__path__ = [str(root)]
sys.modules["stardeck"] = package
import numpy as np
from stardeck.kernels.outer import entry_point
value, stats = entry_point(np.int64(1)), entry_point.stats
print(value, sum(stats.cache_hits.values()), sum(stats.cache_misses.values()))
"""
INNER = """
from stardeck.kernels.jit import kernel
@kernel
def inner(x):
    return x + 100
"""
OUTER = """
from stardeck.kernels.inner import inner
from stardeck.kernels.jit import entry
@entry
def entry_point(x):
    return inner(x)
"""


@pytest.fixture
def tree(tmp_path):
    """A package with the real jit.py and lowering.py and two kernels, one calling the other from another file."""
    kernels = tmp_path / "kernels"
    kernels.mkdir()
    (tmp_path / "agents").mkdir()
    for name in ("jit.py", "lowering.py"):
        shutil.copy(ROOT / "kernels" / name, kernels)
    (kernels / "__init__.py").touch()
    (kernels / "inner.py").write_text(INNER)
    (kernels / "outer.py").write_text(OUTER)
    (tmp_path / "run.py").write_text(RUN)
    return tmp_path


def start(tree, **environment):
    clean = {key: value for key, value in os.environ.items() if not key.startswith("NUMBA_")}
    command = [sys.executable, str(tree / "run.py"), str(tree)]
    return subprocess.Popen(command, env=clean | environment, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)


def run(tree, **environment):
    process = start(tree, **environment)
    out, err = process.communicate(timeout=120)
    assert process.returncode == 0, err
    value, hits, misses = map(int, out.split())
    return value, hits, misses, err


def test_a_second_process_compiles_nothing(tree):
    assert run(tree)[:3] == (101, 0, 1)
    assert run(tree)[:3] == (101, 1, 0)


def test_where_numba_is_another_version_kernels_are_compiled_its_own_way(tree):
    lowering = tree / "kernels" / "lowering.py"
    tried = "TRIED = ((0, 68),)"
    assert tried in lowering.read_text()
    lowering.write_text(lowering.read_text().replace(tried, "TRIED = ()"))
    assert run(tree)[:3] == (101, 0, 1)
    assert run(tree)[:3] == (101, 1, 0)


def test_an_edit_in_another_file_is_never_served_from_the_old_cache(tree):
    assert run(tree)[0] == 101
    (tree / "kernels" / "inner.py").write_text(INNER.replace("100", "101"))
    assert run(tree)[0] == 102


def test_an_edit_to_an_agent_is_never_served_from_the_old_cache(tree):
    assert run(tree)[1:3] == (0, 1)
    (tree / "agents" / "new.py").write_text("")
    assert run(tree)[1:3] == (0, 1)


def test_compiling_is_announced_once_and_running_from_the_cache_is_silent(tree):
    assert run(tree)[3].count("compiling the kernels") == 1
    assert run(tree)[3] == ""


def test_processes_that_start_together_do_not_disturb_each_other(tree):
    processes = [start(tree) for _ in range(4)]
    outputs = [process.communicate(timeout=240) for process in processes]
    assert [process.returncode for process in processes] == [0] * 4, outputs
    assert {out.split()[0] for out, _ in outputs} == {"101"}


def test_the_users_cache_folder_is_respected(tree, tmp_path):
    folder = tmp_path / "elsewhere"
    assert run(tree, NUMBA_CACHE_DIR=str(folder))[0] == 101
    assert list(folder.glob("kernels-*/**/*.nbc"))
    assert not (tree / "kernels" / "__pycache__").exists() or not list((tree / "kernels").rglob("*.nbc"))


def test_where_the_package_cannot_be_written_to_the_cache_is_the_users(tree, tmp_path):
    blocked = tree / "kernels" / "__pycache__"
    shutil.rmtree(blocked, ignore_errors=True)
    blocked.write_text("a file where the folder would be")
    environment = {"XDG_CACHE_HOME": str(tmp_path / "home"), "PYTHONDONTWRITEBYTECODE": "1"}
    assert run(tree, **environment)[1:3] == (0, 1)
    assert run(tree, **environment)[1:3] == (1, 0)
