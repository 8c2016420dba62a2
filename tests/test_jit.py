"""The cache of compiled kernels survives processes, and an edit never loads an old kernel."""

import os
import pickle
import shutil
import subprocess
import sys

import pytest

from helpers import FULL, thorough
from planted import INNER, OUTER, RUN, planted, run, start


@pytest.fixture
def tree(tmp_path):
    """Return a package without compiled kernels."""
    return planted(tmp_path)


@pytest.fixture(scope="module")
def kept(tmp_path_factory):
    """Return a compiled package and a copy; a restored copy keeps the paths and times that caches use."""
    folder = planted(tmp_path_factory.mktemp("used"))
    assert run(folder)[:3] == (101, 0, 1)
    return folder, shutil.copytree(folder, tmp_path_factory.mktemp("copy") / "used")


@pytest.fixture
def used(kept):
    """Return a package that a process has compiled."""
    folder, copy = kept
    shutil.rmtree(folder)
    return shutil.copytree(copy, folder)


def test_a_second_process_compiles_nothing(tree):
    assert run(tree)[:3] == (101, 0, 1)
    assert run(tree)[:3] == (101, 1, 0)


def test_where_numba_is_another_version_kernels_are_compiled_its_own_way(tree):
    private = tree / "kernels" / "compile" / "numba_private.py"
    tried = "TRIED = ((0, 68),)"
    assert tried in private.read_text()
    private.write_text(private.read_text().replace(tried, "TRIED = ()"))
    assert run(tree)[:3] == (101, 0, 1)
    assert run(tree)[:3] == (101, 1, 0)


LACKING = "import numba.core.untyped_passes\ndel numba.core.untyped_passes.FixupArgs\n"


def test_where_numba_lacks_a_part_kernels_are_compiled_its_own_way(tree):
    (tree / "run.py").write_text(LACKING + RUN)
    assert run(tree)[:3] == (101, 0, 1)
    assert run(tree)[:3] == (101, 1, 0)


PLAY = """
import hashlib, sys
import numba
if sys.argv[1] == "another numba":
    numba.version_info = numba.version_info._replace(short=(99, 0))
import numpy as np
import stardeck
from stardeck.benchmarks.arena.series import Series
from stardeck.kernels.compile import numba_private
game = stardeck.make("interstellar_empire")
played = [game.deal(np.arange(64))]
if sys.argv[2] == "whole":
    played += Series(game, ["rules"]).play(0, 64)[1:]
digest = hashlib.sha256(b"".join(np.ascontiguousarray(column).tobytes() for column in played)).hexdigest()
print(numba_private.KNOWN, digest)
"""


def test_games_are_the_same_where_numba_compiles_kernels_its_own_way(tmp_path):
    """Whole games in the full tests, because they compile for a minute; otherwise only the deal."""
    clean = {key: value for key, value in os.environ.items() if not key.startswith("NUMBA_")}
    ways = [
        subprocess.run(
            [sys.executable, "-c", PLAY, way, "whole" if FULL else "dealt"],
            env=environment, capture_output=True, text=True, check=True,
        ).stdout.split()
        for way, environment in (
            ("numba as tried", clean),
            ("another numba", clean | {"NUMBA_CACHE_DIR": str(tmp_path)}),
        )
    ]  # fmt: skip
    assert [known for known, _ in ways] == ["True", "False"]
    assert ways[0][1] == ways[1][1]


WIDTHS = """
import types, numpy as np
from stardeck.kernels.compile.jit import entry, kernel
@kernel
def inner(x):
    return x + 1
@entry
def widths(x):
    return inner(x) + inner(np.int8(x)) + inner(np.uint16(x)) + inner(3)
print(widths(np.int64(1)), len(inner.signatures))
"""


def test_a_kernel_is_compiled_once_whatever_the_width_of_its_numbers(tree):
    """tests/warm_up.py counts the kernels of the games after it has compiled all of them."""
    (tree / "run.py").write_text(RUN[: RUN.index("import numpy")] + "from stardeck.kernels import widths")
    (tree / "kernels" / "widths.py").write_text(WIDTHS)
    process = start(tree)
    out, err = process.communicate(timeout=120)
    assert out.split() == ["10", "1"], err


def told(tree, program, **environment):
    """Return the output of a program in a package with `jit`."""
    (tree / "run.py").write_text(RUN[: RUN.index("import numpy")] + "from stardeck.kernels import program")
    (tree / "kernels" / "program.py").write_text(program)
    out, err = start(tree, **environment).communicate(timeout=120)
    assert not err.startswith("Traceback"), err
    return out.split()


LOOPS = """
import re, numpy as np
from stardeck.kernels.compile.jit import entry, kernel, long_kernel
def total(numbers, last):
    found = 0
    for i in range(last):
        found += numbers[i]
    return found
def first(numbers, least):
    i = 0
    while numbers[i] < least and i < len(numbers) - 1:
        i += 1
    return i
short_total, short_first = kernel(total), kernel(first)
long_total, long_first = long_kernel(total), long_kernel(first)
@entry
def in_short(numbers, last):
    return short_total(numbers, last) + short_first(numbers, last)
@entry
def in_long(numbers, last):
    return long_total(numbers, last) + long_first(numbers, last)
for entered in (in_short, in_long):
    entered(np.arange(100, dtype=np.uint8), 10)
    (code,) = entered.inspect_llvm().values()
    print(len(re.findall(r"add <\\d+ x i64>", code)), code.count(" load "))
"""


def test_loops_are_left_as_they_are_but_in_long_kernels(tree):
    vectors, loads, vectors_of_long, loads_of_long = map(int, told(tree, LOOPS))
    assert vectors == 0 < vectors_of_long
    assert loads < loads_of_long


INDEXES = """
import numpy as np
from stardeck.kernels.compile.jit import entry, kernel
@kernel
def inner(numbers, rows, i):
    numbers[i] += 1
    return rows[0, i]
@entry
def outer(numbers, rows, i):
    return inner(numbers, rows, i)
print(outer(np.zeros(4, np.uint8), np.arange(8).reshape(2, 4), 2))
try:
    print(outer(np.zeros(4, np.uint8), np.arange(8).reshape(2, 4), -1))
except IndexError:
    print("refused")
"""


def test_no_index_counts_from_the_end_which_a_check_of_bounds_tells(tree):
    assert told(tree, INDEXES, NUMBA_BOUNDSCHECK="1") == ["2", "refused"]


def files_of(tree, ending):
    return sorted(tree.glob(f"kernels/__pycache__/kernels-*/**/*.{ending}"))


def flipped(content):
    middle = len(content) // 2
    return content[:middle] + bytes([content[middle] ^ 0xFF]) + content[middle + 1 :]


DAMAGES = {  # every second one, except in the full tests
    "truncated": lambda content: content[: len(content) // 2],
    "empty": lambda content: b"",
    "a flipped byte": flipped,
    "zeros": lambda content: bytes(len(content)),
    "another pickle": lambda content: pickle.dumps({"another": "pickle"}),
    "noise": lambda content: bytes((7 * i * i + 13) % 251 for i in range(len(content))),
}


def test_a_damaged_file_of_the_cache_is_thrown_away_and_compiled_again(used):
    (file,) = files_of(used, "nbc")
    for name, damage in list(DAMAGES.items())[:: thorough(1, 2)]:
        whole = file.read_bytes()
        file.write_bytes(damage(whole))
        assert run(used)[:3] == (101, 0, 1), name
        assert file.read_bytes()[32:].startswith(whole[32:40]), name  # rewritten
    assert run(used)[:3] == (101, 1, 0)


def test_a_file_of_the_cache_under_another_name_is_not_loaded(tree):
    (tree / "kernels" / "outer.py").write_text(OUTER + OUTER[OUTER.index("@entry") :].replace("entry_point", "other"))
    (tree / "run.py").write_text(RUN + "from stardeck.kernels.outer import other\nother(np.int64(1))\n")
    run(tree)
    mine, others = files_of(tree, "nbc")
    mine.write_bytes(others.read_bytes())
    assert run(tree)[:3] == (101, 0, 1)


def test_where_nothing_can_be_written_to_the_cache_kernels_run_all_the_same(used):
    (file,) = files_of(used, "nbc")
    shutil.rmtree(file.parent)
    file.parent.write_text("a file where the folder would be")
    assert run(used)[:3] == (101, 0, 1)


@pytest.mark.parametrize("name, value", [("NUMBA_BOUNDSCHECK", "1"), ("NUMBA_OPT", "0"), ("NUMBA_CPU_NAME", "generic")])
def test_settings_that_change_the_code_have_a_cache_of_their_own(used, name, value):
    assert run(used, **{name: value})[:3] == (101, 0, 1)
    assert len(list(used.glob("kernels/__pycache__/kernels-*"))) == 2


HOMELESS = """
import os, pwd
def getpwuid(uid):
    raise KeyError(uid)
pwd.getpwuid = getpwuid
os.environ.pop("HOME", None)
os.environ.pop("XDG_CACHE_HOME", None)
"""


@pytest.fixture
def homeless(tree):
    """Return the package in a read-only place, for a user whom the system does not know."""
    (tree / "run.py").write_text(HOMELESS + RUN)
    blocked = tree / "kernels" / "__pycache__"
    shutil.rmtree(blocked, ignore_errors=True)
    blocked.write_text("a file where the folder would be")
    return tree


@pytest.mark.skipif(sys.platform == "win32", reason="a user of Windows has a home")
def test_a_user_without_a_home_needs_none(homeless, tmp_path):
    environment = {"PYTHONDONTWRITEBYTECODE": "1"}
    assert run(homeless, **environment)[:3] == (101, 0, 1)
    assert run(homeless, **environment)[:3] == (101, 1, 0), "temporary files last from one process to the next"
    cache = {"NUMBA_CACHE_DIR": str(tmp_path / "given")}
    assert run(homeless, **environment, **cache)[:3] == (101, 0, 1)
    assert run(homeless, **environment, **cache)[:3] == (101, 1, 0)


@pytest.mark.skipif(sys.platform == "win32", reason="folders of Windows have no such bits")
def test_a_cache_folder_that_others_can_write_to_is_not_loaded_from(used, tmp_path):
    environment = {"XDG_CACHE_HOME": str(tmp_path / "home")}
    (folder,) = used.glob("kernels/__pycache__/kernels-*")
    assert folder.stat().st_mode & 0o022 == 0
    folder.chmod(0o770)
    assert run(used, **environment)[:3] == (101, 0, 1)
    assert list((tmp_path / "home").glob("stardeck/kernels-*"))


SOMEBODY_ELSE = """
import os
mine = os.getuid()
os.getuid = lambda: mine + 1
"""


@pytest.mark.skipif(sys.platform == "win32", reason="folders of Windows have no such owners")
def test_a_cache_folder_of_somebody_else_is_not_loaded_from(used):
    assert run(used)[:3] == (101, 1, 0)
    if os.getuid() == 0:  # root may read files of any user
        for folder in used.glob("kernels/__pycache__/kernels-*"):
            os.chown(folder, 3000, 3000)
    else:
        (used / "run.py").write_text(SOMEBODY_ELSE + RUN)
    assert run(used)[:3] == (101, 0, 1)


def test_a_folder_that_was_not_used_for_a_month_is_deleted_when_a_new_one_is_made(used):
    (old,) = used.glob("kernels/__pycache__/kernels-*")
    recent = old.with_name("kernels-recent")
    recent.mkdir()
    os.utime(old, (0, 0))
    (used / "kernels" / "inner.py").write_text(INNER.replace("100", "101"))
    assert run(used)[:3] == (102, 0, 1)
    assert not old.exists()
    assert recent.exists()


def test_an_edit_in_another_file_is_never_served_from_the_old_cache(used):
    (used / "kernels" / "inner.py").write_text(INNER.replace("100", "101"))
    assert run(used)[0] == 102


def test_an_edit_to_an_agent_is_never_served_from_the_old_cache(used):
    (used / "agents" / "new.py").write_text("")
    assert run(used)[1:3] == (0, 1)


def test_compiling_is_announced_once_and_running_from_the_cache_is_silent(tree):
    assert run(tree)[3].count("stardeck: compiling") == 1
    assert run(tree)[3] == ""


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
