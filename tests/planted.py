"""A small package that compiles like the real one, for tests of compilation and caches."""

import os
import shutil
import subprocess
import sys
from pathlib import Path

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
from stardeck.kernels.compile.jit import kernel
@kernel
def inner(x):
    return x + 100
"""
OUTER = """
from stardeck.kernels.inner import inner
from stardeck.kernels.compile.jit import entry
@entry
def entry_point(x):
    return inner(x)
"""


def planted(folder):
    """Create a package with the real compile modules and two kernels; one calls the other in another file."""
    kernels = folder / "kernels"
    kernels.mkdir()
    compiling = kernels / "compile"
    compiling.mkdir()
    (folder / "agents").mkdir()
    (folder / "temporary").mkdir()
    for name in ("jit.py", "numba_private.py", "outside.py", "cache_folders.py", "messages.py"):
        shutil.copy(ROOT / "kernels" / "compile" / name, compiling)
    shutil.copy(ROOT / "kernels" / "errors.py", kernels)
    (kernels / "__init__.py").touch()
    (compiling / "__init__.py").touch()
    (kernels / "inner.py").write_text(INNER)
    (kernels / "outer.py").write_text(OUTER)
    (folder / "run.py").write_text(RUN)
    return folder


def start(tree, **environment):
    clean = {key: value for key, value in os.environ.items() if not key.startswith("NUMBA_")}
    clean |= {"HOME": str(tree / "home"), "TMPDIR": str(tree / "temporary")}  # other tests compile the same code
    command = [sys.executable, str(tree / "run.py"), str(tree)]
    return subprocess.Popen(command, env=clean | environment, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)


def run(tree, **environment):
    process = start(tree, **environment)
    out, err = process.communicate(timeout=120)
    assert process.returncode == 0, err
    value, hits, misses = map(int, out.split())
    return value, hits, misses, err
