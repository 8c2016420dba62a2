"""A run over the entry points, each in a process of its own; the table of attempts, and the exit code."""

import argparse
import faulthandler
import json
import os
import random
import subprocess
import sys
import tempfile
import time
import traceback
import warnings
from dataclasses import asdict, dataclass, field
from pathlib import Path

from attack.playing import ROOT, Broken, is_refusal

SHOWN = 600  # characters of a failure
SPARE = 1200  # seconds for compiling
COMPILED = 3.0  # an input that takes longer has compiled something, and does not count


@dataclass
class Tally:
    """Results of the inputs at one entry point."""

    door: str
    refused: int = 0
    accepted: int = 0
    failures: list = field(default_factory=list)

    @property
    def tried(self) -> int:
        """Number of inputs."""
        return self.refused + self.accepted + len(self.failures)


def attack(name, door, inputs, seconds=3600.0, seed=0, begin=lambda text: None) -> Tally:
    """Try an entry point a number of times, or until time is up. begin: called with each input before the attempt."""
    tally = Tally(name)
    with tempfile.TemporaryDirectory() as folder:
        rng = random.Random(f"{seed} {name}")
        spent = 0.0
        while tally.tried < inputs and spent < seconds:
            began = time.monotonic()
            text, call = door(rng, folder)
            begin(text)
            _try(tally, text, call)
            took = time.monotonic() - began
            spent += took if took < COMPILED else 0
    return tally


def _try(tally, text, call):
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            call()
        tally.accepted += 1
    except Exception as error:
        if is_refusal(error):
            tally.refused += 1
        else:
            where = traceback.extract_tb((error.__cause__ or error).__traceback__)[-1]
            place = "" if isinstance(error, Broken) else f"{type(error).__name__} in {Path(where.filename).name}: "
            tally.failures.append(f"{text[:SHOWN]} -> {place}{str(error)[:SHOWN]}")


def doors():
    """Return all entry points by name, those of the library first."""
    from attack import commands, foreign, library

    return library.DOORS | commands.DOORS | foreign.DOORS


def _child(arguments):
    """Attack one entry point and print the results, with each input on a line before its attempt."""
    faulthandler.enable()
    last = open(arguments.last, "w", encoding="utf-8", errors="replace")  # noqa: SIM115 open until the end

    def begin(text):
        last.seek(0)
        last.truncate()
        last.write(text[:SHOWN])
        last.flush()

    name = arguments.door
    tally = attack(name, doors()[name], arguments.inputs, arguments.seconds, arguments.seed, begin)
    Path(arguments.result).write_text(json.dumps(asdict(tally)), encoding="utf-8")


def _in_own_process(name, arguments, folder):
    """Attack an entry point in a process of its own, where a crash counts as a failure, and return the tally."""
    last, result = Path(folder, "last"), Path(folder, "result")
    result.unlink(missing_ok=True)
    last.write_text("nothing yet")
    command = [sys.executable, "-m", "attack", "--door", name, "--last", str(last), "--result", str(result)]
    for option in ("inputs", "seconds", "seed"):
        command += [f"--{option}", str(getattr(arguments, option))]
    checked = {"NUMBA_BOUNDSCHECK": "1", "NUMBA_CACHE_DIR": str(Path(ROOT, "kernels", "__pycache__", "boundscheck"))}
    try:
        process = subprocess.run(
            command, env=os.environ | checked, cwd=Path(ROOT, "tests"), stdout=subprocess.DEVNULL,
            stderr=subprocess.PIPE, timeout=arguments.seconds + SPARE, text=True, errors="replace",
        )  # fmt: skip
        end = f"ended with {process.returncode}: {process.stderr[-SHOWN:]}"
    except subprocess.TimeoutExpired:
        end = "did not come back"
    if result.exists():
        return Tally(**json.loads(result.read_text(encoding="utf-8")))
    return Tally(name, failures=[f"{last.read_text(encoding='utf-8')} -> the process {end}"])


def table(tallies) -> str:
    """Return the table of attempts for each entry point."""
    rows = [("door", "inputs", "refused", "accepted and played on", "failures")]
    rows += [(t.door, t.tried, t.refused, t.accepted, len(t.failures)) for t in tallies]
    rows.append(("all", *(sum(row[k] for row in rows[1:]) for k in range(1, 5))))
    return "\n".join(
        f"{row[0]:<16}" + "".join(f"{value!s:>{len(rows[0][k]) + 3}}" for k, value in enumerate(row) if k)
        for row in rows
    )


def main():
    """Attack all entry points, or the named ones; return 1 after a failure."""
    parser = argparse.ArgumentParser(prog="attack", description="bad inputs over every door")
    parser.add_argument("doors", nargs="*", help="by default all")
    parser.add_argument("--inputs", type=int, default=2000, help="at each door, at most")
    parser.add_argument("--seconds", type=float, default=60, help="at each door, at most, without compiling")
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--door", help=argparse.SUPPRESS)
    parser.add_argument("--last", help=argparse.SUPPRESS)
    parser.add_argument("--result", help=argparse.SUPPRESS)
    arguments = parser.parse_args()
    if arguments.door:
        return _child(arguments)
    known = doors()
    if strangers := set(arguments.doors) - set(known):
        parser.error(f"{', '.join(strangers)}: must be of {', '.join(known)}")
    tallies = []
    with tempfile.TemporaryDirectory() as folder:
        for name in arguments.doors or known:
            tallies.append(_in_own_process(name, arguments, folder))
            print("\n".join([f"{name}: {tallies[-1].tried} inputs", *tallies[-1].failures]), flush=True)
    print(table(tallies))
    sys.exit(any(tally.failures for tally in tallies))
