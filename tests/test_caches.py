"""Caches of machine code: who may load them, what users read, and one compilation for simultaneous processes."""

import os
import pty
import shutil
import signal
import subprocess
import sys
import tempfile
import time
from pathlib import Path

import pytest

from helpers import thorough
from other_user import AS_ROOT, NOBODY, close, content, other, python_of_others
from planted import INNER, OUTER, RUN, planted, run, start

pytestmark = pytest.mark.skipif(sys.platform == "win32", reason="folders of Windows have no such owners")
BEGIN = RUN[: RUN.index("import numpy")]
MORE = OUTER + OUTER[OUTER.index("@entry") :].replace("entry_point", "other")
USE_MORE = (
    "from stardeck.kernels.outer import other\nother(np.int64(1))\nprint(sum(other.stats.cache_misses.values()))\n"
)


def run_as_other(tree, **environment):
    """Run the planted package as another user; return the value, hits, misses and standard error."""
    libraries = os.pathsep.join(path for path in sys.path if path.endswith("site-packages"))
    clean = {"PATH": os.defpath, "HOME": "/nonexistent", "PYTHONPATH": libraries, "PYTHONDONTWRITEBYTECODE": "1"}
    command = [python_of_others(), str(tree / "run.py"), str(tree)]
    process = subprocess.run(
        command, env=clean | environment, capture_output=True, text=True, cwd="/", timeout=120, **other()
    )
    assert process.returncode == 0, process.stderr
    return *map(int, process.stdout.split()), process.stderr


def _public_folder():
    """Yield a folder that other users can read, and delete it afterwards."""
    folder = Path(tempfile.mkdtemp(prefix="stardeck-tests-"))
    folder.chmod(0o755)
    yield folder
    delete(folder)


def delete(folder):
    """Delete a folder whose subfolders may be closed."""
    for path in (folder, *folder.rglob("*")):
        if path.is_dir() and not path.is_symlink():
            path.chmod(0o755)
    shutil.rmtree(folder)


public = pytest.fixture(_public_folder)
shared = pytest.fixture(_public_folder, scope="module")


@pytest.fixture(scope="module")
def kept(shared):
    """Return a compiled package and a copy; a restored copy keeps the paths and times that caches use."""
    tree = planted(make(shared / "tree"))
    assert run(tree)[:3] == (101, 0, 1)
    return tree, shutil.copytree(tree, shared / "copy", symlinks=True)


@pytest.fixture
def warmed(kept):
    """Return a package of this user, with a cache that another user can read."""
    tree, copy = kept
    delete(tree)
    shutil.copytree(copy, tree, symlinks=True)
    close(tree)
    return tree


@pytest.fixture
def temporary(public):
    """Return a folder of temporary files for everybody."""
    folder = make(public / "temporary")
    folder.chmod(0o1777)
    return folder


def make(folder):
    folder.mkdir()
    return folder


def cache_of(tree):
    (folder,) = tree.glob("kernels/__pycache__/kernels-*")
    return folder


def test_another_user_loads_what_was_warmed_and_writes_nothing(warmed, temporary):
    before = content(warmed)
    for _ in range(2):
        assert run_as_other(warmed, TMPDIR=str(temporary)) == (101, 1, 0, "")
    assert content(warmed) == before


def test_what_a_warmed_cache_lacks_goes_into_the_first_folder_that_can_be_written_to(public, warmed, temporary):
    mine = make(public / "mine")
    mine.chmod(0o755)
    if AS_ROOT:
        os.chown(mine, NOBODY, NOBODY)
    environment = {"TMPDIR": str(temporary), "XDG_CACHE_HOME": str(mine)}
    outer, program = warmed / "kernels" / "outer.py", warmed / "run.py"
    shutil.rmtree(cache_of(warmed)) if AS_ROOT else None
    for path in () if AS_ROOT else (warmed, *warmed.rglob("*")):
        path.chmod(0o755)
    outer.write_text(MORE)
    assert run(warmed)[:3] == (101, 0, 1)
    close(warmed)
    program.write_text(RUN + USE_MORE)
    before = content(warmed)
    *counts, told = run_as_other(warmed, **environment)
    assert counts == [101, 1, 0, 1]
    assert told == f"stardeck: compiling shared kernels (not in the cache yet); the result is kept in {mine}/stardeck\n"
    assert run_as_other(warmed, **environment) == (101, 1, 0, 0, "")
    assert content(warmed) == before


@pytest.mark.parametrize("mode", [0o777, 0o775, 0o757])
def test_a_warmed_cache_that_others_can_write_to_is_not_loaded(warmed, temporary, mode):
    cache_of(warmed).chmod(mode)
    if not AS_ROOT:
        cache_of(warmed).parent.chmod(0o555)
    value, hits, misses, told = run_as_other(warmed, TMPDIR=str(temporary))
    assert (value, hits, misses) == (101, 0, 1)
    assert "__pycache__: other users can write to it, or own it" in told


def test_a_warmed_file_that_others_can_write_to_is_not_loaded(warmed, temporary):
    (file,) = cache_of(warmed).rglob("*.nbc")
    file.chmod(0o666)
    assert run_as_other(warmed, TMPDIR=str(temporary))[:3] == (101, 0, 1)


def test_a_cache_that_everybody_can_move_away_is_not_loaded(warmed, temporary):
    assert run_as_other(warmed, TMPDIR=str(temporary))[:3] == (101, 1, 0)
    (warmed / "kernels").chmod(0o777)
    value, hits, misses, told = run_as_other(warmed, TMPDIR=str(temporary))
    assert (value, hits, misses) == (101, 0, 1)
    assert f"everybody can write to {warmed / 'kernels'}" in told
    (warmed / "kernels").chmod(0o1777)
    assert run_as_other(warmed, TMPDIR=str(temporary))[:3] == (101, 1, 0)


@pytest.mark.parametrize("not_written", ["", "1"], ids=["python makes its folder first", "we make the folder"])
def test_files_of_a_cache_are_nobody_elses_to_write_whatever_the_mask(tmp_path, not_written):
    """With this umask anyone can write to the folder that Python creates; the cache then goes elsewhere."""
    tree = planted(tmp_path)
    environment = {"PYTHONDONTWRITEBYTECODE": not_written}
    (tree / "run.py").write_text("import os\nos.umask(0)\n" + RUN)
    assert run(tree, **environment)[:3] == (101, 0, 1)
    (file,) = tree.rglob("*.nbc")
    assert file.is_relative_to(tree / "kernels" if not_written else tree / "home")
    assert all(path.stat().st_mode & 0o022 == 0 for path in (file, *file.parents) if path.is_relative_to(tree / "home"))
    assert all(path.stat().st_mode & 0o022 == 0 for path in (file, *file.parents[:2]))
    assert run(tree, **environment)[:3] == (101, 1, 0)


def blocked(tree):
    """Make the cache folder of a package impossible to create, by a file in its place."""
    place = tree / "kernels" / "__pycache__"
    shutil.rmtree(place, ignore_errors=True)
    place.write_text("a file where the folder would be")
    return tree


@pytest.fixture
def cold(public):
    """Return a package without a cache, in which nobody can create one."""
    tree = blocked(planted(make(public / "tree")))
    close(tree)
    return tree


def test_a_user_without_a_home_compiles_once_and_is_told_what_to_set(cold, temporary):
    environment = {"TMPDIR": str(temporary)}
    value, hits, misses, told = run_as_other(cold, **environment)
    assert (value, hits, misses) == (101, 0, 1)
    place = temporary / f"stardeck-{NOBODY if AS_ROOT else os.getuid()}"
    assert told.startswith(
        f"stardeck: compiling shared kernels (first run of this version); the result is kept in {place} until that is "
        "emptied, set NUMBA_CACHE_DIR to a folder that can be written to"
    )
    assert f"{cold / 'kernels' / '__pycache__'}: " in told and "/nonexistent/.cache/stardeck: " in told
    assert told.count("\n") == 1
    assert run_as_other(cold, **environment) == (101, 1, 0, "")
    assert place.stat().st_mode & 0o077 == 0


def test_a_given_folder_that_cannot_be_used_is_named(cold, temporary):
    (temporary / "file").touch()
    told = run_as_other(cold, TMPDIR=str(temporary), NUMBA_CACHE_DIR=str(temporary / "file"))[3]
    assert f"{temporary / 'file'}: Not a directory" in told or f"{temporary / 'file'}: File exists" in told


@pytest.mark.parametrize("squat", ["a folder of another user", "a folder for all", "a link"])
def test_temporary_folders_of_somebody_else_are_left_alone(cold, temporary, squat):
    place = temporary / f"stardeck-{NOBODY if AS_ROOT else os.getuid()}"
    if squat == "a link":
        place.symlink_to(make(temporary / "elsewhere"))
        (temporary / "elsewhere").chmod(0o700)
        if AS_ROOT:
            os.chown(temporary / "elsewhere", NOBODY, NOBODY)
    else:
        make(place).chmod(0o777 if squat == "a folder for all" or not AS_ROOT else 0o700)
    for _ in range(2):
        value, hits, misses, told = run_as_other(cold, TMPDIR=str(temporary))
        assert (value, hits, misses) == (101, 0, 1)
        assert "the result is not kept, set NUMBA_CACHE_DIR to a folder that can be written to" in told
    assert not list(temporary.rglob("*.nbc"))


NOWHERE = "import tempfile\ndef gettempdir():\n    raise FileNotFoundError\ntempfile.gettempdir = gettempdir\n"


def test_kernels_run_where_nothing_can_be_written(cold):
    (cold / "run.py").chmod(0o644)
    (cold / "run.py").write_text(NOWHERE + RUN)
    value, hits, misses, told = run_as_other(cold)
    assert (value, hits, misses) == (101, 0, 1) and "the result is not kept" in told


def started(tree, count, **environment):
    """Start processes together; return what each printed, and all messages."""
    processes = [start(tree, **environment) for _ in range(count)]
    outputs = [process.communicate(timeout=240) for process in processes]
    assert [process.returncode for process in processes] == [0] * count, outputs
    return [tuple(map(int, out.split())) for out, _ in outputs], "".join(err for _, err in outputs)


def test_of_processes_that_start_together_one_compiles(tmp_path):
    count = thorough(16, 4)
    found, told = started(planted(tmp_path), count)
    assert sorted(found) == [(101, 0, 1)] + (count - 1) * [(101, 1, 0)]
    assert told.count("stardeck: compiling") == 1
    assert not list(cache_of(tmp_path).rglob("*.lock")), "no lock is left behind"


def test_processes_that_start_together_keep_all_of_what_each_compiles(tmp_path):
    """Regression: several processes wrote one index of all signatures, which lost some of them."""
    tree = planted(tmp_path)
    (tree / "run.py").write_text("import os\n" + RUN.replace("int64(1)", "dtype(os.environ['KIND']).type(1)"))
    kinds = ["int64", "float64", "float32", "uint64"]
    processes = [start(tree, KIND=kind) for kind in kinds]
    for process in processes:
        out, err = process.communicate(timeout=240)
        assert float(out.split()[0]) == 101, err
    for kind in kinds:
        out, err = start(tree, KIND=kind).communicate(timeout=120)
        assert out.split()[1:] == ["1", "0"], (kind, err)


POOL = """
import multiprocessing
def work(number):
    from stardeck.kernels.outer import entry_point
    entry_point(np.int64(1))
    return sum(entry_point.stats.cache_misses.values())
if __name__ == "__main__":
    with multiprocessing.get_context("spawn").Pool(4) as pool:
        print(101, 0, sum(pool.map(work, range(4), chunksize=1)))
"""


def test_spawned_processes_compile_once_and_one_speaks_for_all(tmp_path):
    tree = planted(tmp_path)
    (tree / "run.py").write_text(BEGIN + "import numpy as np\n" + POOL)
    value, _, misses, told = run(tree)
    assert (value, misses) == (101, 1)
    assert told.count("\n") == 1 and told.startswith("stardeck: compiling")


HANGS = """
import pathlib, time
import numba.core.event
class Hangs(numba.core.event.Listener):
    def on_start(self, event):
        pathlib.Path(sys.argv[1], "compiling").touch()
        time.sleep(600)
    def on_end(self, event):
        pass
numba.core.event.register("numba:compile", Hangs())
"""


def test_a_process_that_is_killed_while_it_compiles_blocks_no_other(tmp_path):
    tree = planted(tmp_path)
    (tree / "run.py").write_text(BEGIN + HANGS + RUN[RUN.index("import numpy") :])
    killed = start(tree)
    while not (tree / "compiling").exists():
        assert killed.poll() is None
        time.sleep(0.05)
    (tree / "run.py").write_text(RUN)
    waiting = start(tree)
    assert waiting.stderr.readline() == "stardeck: waiting for another process that compiles the same kernels\n"
    killed.send_signal(signal.SIGKILL)
    killed.communicate()
    out, err = waiting.communicate(timeout=120)
    assert out.split() == ["101", "0", "1"], err
    assert run(tree)[:3] == (101, 1, 0)


@pytest.mark.parametrize("error", ["NotImplementedError('no flock here')", "OSError(38, 'Function not implemented')"])
def test_where_the_file_system_has_no_locks_kernels_are_compiled_and_kept(tmp_path, error):
    tree = planted(tmp_path)
    lockless = (
        f"import filelock\ndef acquire(*args, **kwargs):\n    raise {error}\nfilelock.FileLock.acquire = acquire\n"
    )
    (tree / "run.py").write_text(lockless + RUN)
    assert run(tree)[:3] == (101, 0, 1)
    assert run(tree)[:3] == (101, 1, 0)


def on_a_terminal(tree):
    """Return what a terminal receives from the package."""
    ours, theirs = pty.openpty()
    environment = {key: value for key, value in os.environ.items() if not key.startswith("NUMBA_")}
    environment |= {"TERM": "xterm", "COLUMNS": "200"}
    command = [sys.executable, str(tree / "run.py"), str(tree)]
    process = subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=theirs, env=environment)
    os.close(theirs)
    found = b""
    while True:
        try:
            read = os.read(ours, 4096)
        except OSError:  # Linux reports the closed other end this way
            read = b""
        if not read:
            break
        found += read
    os.close(ours)
    assert process.wait() == 0, found
    return found.decode()


NO_RICH = "import sys\nsys.modules['rich'] = None\n"


@pytest.mark.parametrize(
    "prefix, line", [("", "compiling"), (NO_RICH, "\rstardeck: shared kernels: entry_point, 1 functions")]
)
def test_on_a_terminal_a_bar_names_what_is_compiled(tmp_path, prefix, line):
    tree = planted(tmp_path)
    (tree / "run.py").write_text(prefix + RUN)
    told = on_a_terminal(tree)
    first, _, rest = told.partition("\n")
    assert first.startswith("stardeck: compiling shared kernels (first run of this version)")
    assert line in rest and "entry_point, 2 functions" in rest
    assert on_a_terminal(tree) == ""


def test_a_game_is_named_by_the_type_of_its_states(tmp_path):
    tree = planted(tmp_path)
    (tree / "kernels" / "outer.py").write_text(
        "import numpy as np\nSTATE = np.dtype([('seat', np.int64)])\nfrom stardeck.kernels.compile.jit import NOTICE\n"
        + "NOTICE.games[STATE] = 'chess'\n" + OUTER.replace("inner(x)", "inner(x[0].seat)")
    )  # fmt: skip
    (tree / "run.py").write_text(
        RUN.replace("import entry_point", "import STATE, entry_point").replace("np.int64(1)", "np.ones(1, STATE)")
    )
    assert "compiling chess (first run" in run(tree)[3]


def test_an_edit_says_that_it_is_the_first_run(tmp_path):
    tree = planted(tmp_path)
    assert "first run of this version" in run(tree)[3]
    (tree / "kernels" / "inner.py").write_text(INNER.replace("100", "101"))
    value, _, _, told = run(tree)
    assert value == 102 and "first run of this version" in told
