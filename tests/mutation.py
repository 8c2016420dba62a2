"""Mutation tests of the statistics and of a sample of rules: `make mutate`.

Cosmic Ray changes one operator or number of a module at a time, and the tests that cover the module run as plain
Python. A change that no test notices survives. `tool.mutation` in pyproject.toml lists the modules with their tests.
"""

import argparse
import importlib
import json
import os
import queue
import random
import shlex
import shutil
import signal
import subprocess
import sys
import tomllib
from collections import Counter
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import cosmic_ray.mutating
import pytest
import toml
from cosmic_ray.commands import execute
from cosmic_ray.config import load_config
from cosmic_ray.work_db import WorkDB, use_db
from cosmic_ray.work_item import TestOutcome, WorkerOutcome, WorkResult

ROOT = Path(__file__).resolve().parents[1]
WORK = ROOT / "build" / "mutation"
TESTS = ["-x", "-q", "-p", "no:cacheprovider", "-p", "no:xdist"]
LIBRARIES = ("choix", "numba", "pyarrow.parquet", "scipy.optimize", "scipy.stats", "statsmodels.api", "yaml")
TIMEOUT = 120  # seconds of one mutant: those that never end are rare
# Of many similar changes the one that is easiest to make by mistake: the opposite, or the neighbour of a bound.
KEPT = {
    "Binary": "Add_Sub|Sub_Add|Mul_Div|Div_Mul|FloorDiv_Mul|Mod_FloorDiv|Pow_Mul|BitAnd_BitOr|BitOr_BitAnd"
    "|LShift_RShift|RShift_LShift",
    "Comparison": "Lt_LtE|Lt_GtE|LtE_Lt|LtE_Gt|Gt_GtE|Gt_LtE|GtE_Gt|GtE_Lt|Eq_NotEq|NotEq_Eq|Is_IsNot|IsNot_Is"
    "|In_NotIn|NotIn_In",
    "Unary": "Delete_.*",
}
LEFT_OUT = [f"core/Replace{kind}Operator_(?!({kept})$)" for kind, kept in KEPT.items()] + ["core/RemoveDecorator"]


def copy_package(folder: Path) -> Path:
    """Copy what git knows of the package into a folder, with bytecode that is checked by content; return the copy."""
    shutil.rmtree(folder, ignore_errors=True)
    package = folder / "stardeck"
    listed = subprocess.run(
        ["git", "ls-files", "--cached", "--others", "--exclude-standard"],
        cwd=ROOT, check=True, capture_output=True, text=True,
    )  # fmt: skip
    for name in listed.stdout.splitlines():
        if (ROOT / name).is_file() and not name.startswith("docs/"):
            (package / name).parent.mkdir(parents=True, exist_ok=True)
            shutil.copy2(ROOT / name, package / name)
    compiling = [sys.executable, "-m", "compileall", "-q", "--invalidation-mode", "checked-hash", str(package)]
    subprocess.run(compiling, check=True)
    return package


def environment(package: Path) -> dict[str, str]:
    """Return the environment variables with which Python imports the copy and runs kernels uncompiled."""
    added = {"PYTHONPATH": str(package.parent), "NUMBA_DISABLE_JIT": "1", "PYTHONDONTWRITEBYTECODE": "1"}
    return os.environ | added | {"OMP_NUM_THREADS": "1"}


def sample(session: Path, most: int, seed: int) -> None:
    """Keep `most` mutants of a session, drawn at random, and leave out the others."""

    def drawn(item):
        (mutation,) = item.mutations  # the number of a job is new in every session
        return random.Random(f"{seed} {mutation.operator_name} {mutation.occurrence}").random()

    with use_db(str(session), WorkDB.Mode.open) as db:
        pending = sorted(db.pending_work_items, key=drawn)
        db.set_multiple_results([item.job_id for item in pending[most:]], WorkResult(WorkerOutcome.SKIPPED))


def execute_session(config: str, session: str) -> None:
    """Try the mutants of a session, each in a process that has the libraries loaded, but no module of the package."""
    for name in LIBRARIES:
        importlib.import_module(name)
    cosmic_ray.mutating.run_tests = run_in_a_fork
    with use_db(session, WorkDB.Mode.open) as db:
        execute(db, load_config(config))


def run_in_a_fork(command: str, timeout: float) -> tuple[TestOutcome, str]:
    """Run pytest with the arguments of `command`, in place of Cosmic Ray's `run_tests`."""
    child = os.fork()
    if not child:
        try:
            signal.alarm(int(timeout))  # ends the process
            for stream in (1, 2):
                os.dup2(os.open(os.devnull, os.O_WRONLY), stream)
            os._exit(pytest.main(shlex.split(command)))
        finally:
            os._exit(1)
    _, status = os.waitpid(child, 0)
    return TestOutcome.KILLED if status else TestOutcome.SURVIVED, ""


def mutate(package: Path, module: str, tests: list[str], most: int, seed: int) -> list[tuple[str, str]]:
    """Try the mutants of a module, and return the outcome and the diff of each.

    Raises:
        RuntimeError: The tests fail without a mutant.
    """
    run = {"cwd": package, "env": environment(package), "check": True, "capture_output": True, "text": True}
    try:
        subprocess.run([sys.executable, "-m", "pytest", *TESTS, *tests], **run)
    except subprocess.CalledProcessError as error:
        raise RuntimeError(f"{module}: its tests fail without a mutant:\n{error.stdout[-3000:]}") from error
    config, session = package.parent / "cosmic-ray.toml", package.parent / "session.sqlite"
    session.unlink(missing_ok=True)
    written = {
        "module-path": [module],
        "timeout": float(TIMEOUT),
        "excluded-modules": [],
        "test-command": shlex.join([*TESTS, *tests]),
        "distributor": {"name": "local"},
        "filters": {"operators-filter": {"exclude-operators": LEFT_OUT}},
    }
    config.write_text(toml.dumps({"cosmic-ray": written}), encoding="utf-8")
    tool = Path(sys.executable).parent  # of the environment, whatever is first on the path
    subprocess.run([tool / "cosmic-ray", "init", config, session], **run)
    subprocess.run([tool / "cr-filter-operators", session, config], **run)
    sample(session, most, seed)
    subprocess.run([sys.executable, __file__, "--execute", config, session], **run)
    with use_db(str(session), WorkDB.Mode.open) as db:
        done = [result for _, result in db.completed_work_items if result.worker_outcome == WorkerOutcome.NORMAL]
    return [(result.test_outcome.value, result.diff or "") for result in done]


def main() -> None:
    """Try the mutants of every module that is listed, and print how many were killed and which survived."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--mutants", type=int, default=60, help="the most mutants of each module, drawn by chance")
    parser.add_argument("--seed", type=int, default=0, help="of what is drawn")
    parser.add_argument("--only", default="", help="modules whose path has this text")
    parser.add_argument("--execute", nargs=2, help=argparse.SUPPRESS)
    given = parser.parse_args()
    if given.execute:
        execute_session(*given.execute)
        return
    listed = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["tool"]["mutation"]
    chosen = {module: tests for module, tests in listed.items() if given.only in module}
    packages: queue.Queue[Path] = queue.Queue()
    cores = min(len(os.sched_getaffinity(0)), len(chosen)) or 1
    for number in range(cores):
        packages.put(copy_package(WORK / str(number)))

    def tried(module):
        package = packages.get()
        try:
            return module, mutate(package, module, chosen[module], given.mutants, given.seed)
        finally:
            packages.put(package)

    total: Counter[str] = Counter()
    found = {}
    with ThreadPoolExecutor(cores) as pool:
        for module, results in pool.map(tried, chosen):
            counted = Counter(outcome for outcome, _ in results)
            total += counted
            found[module] = [diff for outcome, diff in results if outcome == "survived"]
            print(score(module, counted), *found[module], sep="\n", flush=True)
    print(score("all", total))
    (WORK / "survivors.json").write_text(json.dumps(found, indent=1), encoding="utf-8")


def score(name: str, counted: Counter[str]) -> str:
    """Return a line with the number of killed mutants."""
    tried = counted.total()
    killed = tried - counted["survived"]
    return f"{name}: {killed} of {tried} mutants killed ({100 * killed / max(tried, 1):.0f} %)"


if __name__ == "__main__":
    main()
