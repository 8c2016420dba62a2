"""Entry points of the commands: files that they read, folders that they continue, and arguments."""

import contextlib
import functools
import io
import json
import os
import shutil
import sys
from pathlib import Path
from unittest import mock

import yaml

from attack.inputs import spoiled, spoiled_bytes
from attack.playing import ROOT, Broken
from helpers import scaled
from stardeck.kernels.errors import shown

GAMES = scaled(300, 1)  # in half a series


class Refused(ValueError):
    """A command that ended with exit code 2 and one line of explanation."""


def command(*arguments) -> str:
    """Return the output of a command; raise Refused if it refuses, and Broken unless it ends as documented."""
    from stardeck.commands.cli import main

    printed, complaint = io.StringIO(), io.StringIO()
    with (
        mock.patch.object(sys, "argv", ["stardeck", *map(str, arguments)]),
        contextlib.redirect_stdout(printed),
        contextlib.redirect_stderr(complaint),
    ):
        try:
            main()
            code = 0
        except SystemExit as end:
            code = end.code or 0
    lines = complaint.getvalue().strip().splitlines()
    if code == 2:
        if not lines or "Traceback" in complaint.getvalue() or len(lines[-1]) > 6000:
            raise Broken(f"exit code 2 and {complaint.getvalue()[-300:]!r}")
        raise Refused(lines[-1])
    if code not in (0, 1):
        raise Broken(f"exit code {code}: {complaint.getvalue()[-300:]!r}")
    return printed.getvalue()


def scenarios(rng, folder):
    """Try scenario files with corrupted values or text."""
    sources = sorted(Path(ROOT, "tests", "scenarios").rglob("*.yaml"))
    path = Path(folder, "spoiled.yaml")
    source = rng.choice(sources)
    original = source.read_bytes()
    if rng.random() < 0.8:
        listed = yaml.load(original, getattr(yaml, "CSafeLoader", yaml.SafeLoader))
        one = rng.choice(listed)
        content = json.dumps(spoiled(rng, [one])).encode("utf-8", "replace")
    else:
        content = spoiled_bytes(rng, original[: rng.randrange(1, 4000)])

    def call():
        path.write_bytes(content)
        command("scenario", path, "--json")

    return f"scenario {source.name}: {content[:2000]!r}", call


def saved_games(rng, folder):
    """Try corrupted recorded games."""
    good = Path(folder, "good.jsonl")
    if not good.exists():
        command("watch", "star_realms", "--agents", "rules", "--max-turns", scaled(500, 4), "--save", good)
        command("watch", "interstellar_empire", "--agents", "simple", "--save", good)
    lines = good.read_text(encoding="utf-8").splitlines()
    path = Path(folder, "spoiled.jsonl")
    line = rng.choice(lines)
    if rng.random() < 0.8:
        content = json.dumps(_with_fewer_moves(rng, spoiled(rng, json.loads(line)))).encode("utf-8", "replace")
    else:
        content = spoiled_bytes(rng, line.encode())

    def call():
        path.write_bytes(content)
        command("replay", path, "--json")

    return f"replay {content[:600]!r}", call


def _with_fewer_moves(rng, record):
    """Drop some moves, because most changes hit one of a thousand moves otherwise."""
    if isinstance(record, dict) and isinstance(record.get("moves"), list) and rng.random() < 0.5:
        record["moves"] = spoiled(rng, record["moves"][: rng.randrange(4)])
    return record


_SERIES = ("advantage", "star_realms", "--agents", "simple", "--max-turns", scaled(500, 3), "--json", "--games")


def results(rng, folder):
    """Try results with a file corrupted, renamed or missing; a rerun must refuse or give the same results."""
    good, path = Path(folder, "good"), Path(folder, "spoiled")
    expected = _begun(good)
    _copy(good, path)
    files = [each for each in sorted(path.rglob("*")) if each.is_file()]
    chosen = rng.choice([each for each in files if each.suffix == ".parquet"] or files)
    kind = rng.choice(("bytes", "bytes", "bytes", "gone", "renamed", "folder"))
    name, content = chosen.name, spoiled_bytes(rng, chosen.read_bytes())

    def call():
        _copy(good, path)
        _spoil_file(chosen, kind, content)
        if _wins(command(*_SERIES, 2 * GAMES, "--out", path)) != expected:
            raise Broken("other results without a word")

    return f"results: {name}: {kind}, {len(content)} bytes", call


@functools.lru_cache(1)
def _begun(folder):
    """Play half of a series into a folder, and return the expected summary of the whole series."""
    command(*_SERIES, GAMES, "--out", folder)
    whole = _copy(folder, folder.with_name("whole"))
    return _wins(command(*_SERIES, 2 * GAMES, "--out", whole))


def _copy(source, target):
    shutil.rmtree(target, ignore_errors=True)
    shutil.copytree(source, target)
    return target


def _spoil_file(path, kind, content):
    if kind == "bytes":
        path.write_bytes(content)
    elif kind == "renamed":
        (path.parent / "parts").mkdir(exist_ok=True)
        os.replace(path, path.parent / "parts" / f"{GAMES:012}-{2 * GAMES:012}.parquet")
    else:
        path.unlink()
        if kind == "folder":
            path.mkdir()


def _wins(printed):
    """Return a summary without the parts that differ between runs."""
    summary = json.loads(printed)
    return {
        key: value for key, value in summary.items() if "second" not in key and key not in ("folder", "out", "origin")
    }


_ARGUMENTS = (
    ["advantage", "star_realms", "--agents", "simple", "--games", "3", "--workers", "1"],
    ["league", "star_realms", "--agents", "simple,random", "--games", "4", "--workers", "1"],
    ["watch", "star_realms", "--agents", "simple", "--json"],
    ["watch", "empire_of_the_stars", "--agents", "random", "--json"],
    ["list", "--json"],
    ["scenario", "none.yaml"],
    ["replay", "none.jsonl"],
)
_OPTIONS = (
    "--agents", "--seed", "--set", "--format", "--players", "--gambits", "--opening-hands", "--sides", "--block",
    "--cards", "--tables", "--upgraded", "--max-turns", "--out", "--save", "--x", "--scenario",
)  # fmt: skip
_TEXTS = (
    "", " ", "-1", "0", "1", "2", "nan", "inf", "1e9", "x" * 5000, "9" * 5000, "core", "3,5", ",", "1,,2", "simple",
    "rules,", "search:2", "search:x", "/", "/dev/null", "/nowhere/x", "\udcff", "é", "true", "none,none",
)  # fmt: skip


def arguments(rng, folder):
    """Try arguments: options of other commands, values of any kind, repeated, without a value."""
    given = list(rng.choice(_ARGUMENTS))
    for _ in range(rng.choice((1, 1, 2, 3))):
        option = rng.choice(_OPTIONS)
        given += [option, rng.choice(_TEXTS)] if rng.random() < 0.9 else [option]
    if rng.random() < 0.2:
        given[rng.randrange(len(given))] = rng.choice(_TEXTS)
    if given[0] in ("advantage", "league") and "--out" not in given:
        given += ["--out", str(Path(folder, f"out{rng.randrange(10**9)}"))]

    def call():
        with contextlib.chdir(folder):
            command(*given)

    return f"stardeck {shown(given)}", call


DOORS = {each.__name__.replace("_", " "): each for each in (scenarios, saved_games, results, arguments)}
