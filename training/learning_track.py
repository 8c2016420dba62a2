"""The learning track of Stardeck-8: ways to train with the same number of decisions, each with several seeds.

A task gives the points of an agent (benchmarks/suite/points.py), from 60 games of each level. The curve has the
interquartile mean over the seeds at each point of the training, with a 95 % bootstrap interval over the seeds.

The folder gets `learning.json`, `learning_curve.png`, and a folder for each seed with `curve.json`:

- `benchmark`, `version`, `task`, `trainer`, `decisions` (of the budget), `games` (of each level at each point).
- `code`: hash of a function of your own, with all that it refers to; null for a way to train of the package.
- `seeds`: {seed, curve}, where `curve` is [{decisions, points, low, high}]; intervals are over the deals.
- `curve`: the same over the seeds; `decisions` is then a mean. `points`, `low`, `high`: its last point.
- `origin`: {version, command, date, machine}.
"""

import json
import uuid
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numpy as np

from stardeck.agents.identity import digest
from stardeck.agents.names import get, honest
from stardeck.benchmarks.arena.options import Progress, silent
from stardeck.benchmarks.results.atomic_files import parse_json, write_whole
from stardeck.benchmarks.results.filesystems import folder_here
from stardeck.benchmarks.results.folder_lock import only_writer
from stardeck.benchmarks.results.provenance import origin
from stardeck.benchmarks.suite.levels import check_frozen, outcomes_of, series_of, whole_blocks
from stardeck.benchmarks.suite.points import points, shares
from stardeck.benchmarks.suite.tasks import SUITE, Task, tasks_named
from stardeck.game.agent import Agent
from stardeck.kernels.errors import shown
from stardeck.kernels.files import read_text
from stardeck.training.recipe import check_seed
from stardeck.training.several_seeds import interquartile_mean
from stardeck.training.track_trainers import Budget, Trainer, measured, trainer_named

LEAST = 1_000  # decisions of a budget
MOST = 10**10


def learning_track(
    trainer: str | Trainer, task: str = "core-duel", out: str | Path | None = None, decisions: int = 1_000_000,
    seeds: Sequence[int] = range(5), progress: Progress | None = None,
) -> dict[str, Any]:  # fmt: skip
    """Train with a budget of decisions, once for each seed, and measure the agents on a task.

    Args:
        trainer: `ppo` or `expert`, or a function `train(game, decisions, seed, checkpoint)`, or its place as
            `mine.py:NAME`.
        task: Name of the task.
        out: Folder, by default `results/learning-<task>-<trainer>`. The same call continues an interrupted one.
        decisions: Decisions that a training may learn from.
        seeds: Seeds of the trainings.
        progress: Function that is called as `progress(done, seeds)`.

    Returns:
        The result, which the head of this file describes.

    Raises:
        ValueError: An argument is invalid, the trainer has failed or has exceeded its budget, or the folder holds
            another result.
    """
    from stardeck.benchmarks.plots import learning, save

    found = trainer_named(trainer) if isinstance(trainer, str) else trainer
    name = trainer if isinstance(trainer, str) else getattr(trainer, "__name__", "trainer")
    chosen = tasks_named([task])[0]
    if type(decisions) is not int or not LEAST <= decisions <= MOST:
        raise ValueError(f"decisions={shown(decisions)}: must be a whole number from {LEAST:,} to {MOST:,}")
    wanted = list(seeds)
    if not wanted or len(set(wanted)) != len(wanted):
        raise ValueError(f"seeds={shown(wanted)}: must be one seed or more, all different")
    for seed in wanted:
        check_seed(seed)
    folder = Path(folder_here(out or f"results/learning-{task}-{name.replace('/', '-').replace(':', '-')}"))
    report = progress or silent
    head = {
        "benchmark": SUITE.name, "version": SUITE.version, "task": task, "trainer": name, "decisions": decisions,
        "games": SUITE.quick, "code": None if isinstance(found, str) else _code(found),
    }  # fmt: skip
    runs: list[dict[str, Any]] = []
    with only_writer(folder):
        _check_folder(folder, head)
        for number, seed in enumerate(wanted):
            report(number, len(wanted))
            curve = _curve(found, chosen, decisions, seed, folder / f"seed_{seed}")
            runs.append({"seed": seed, "curve": curve})
            result = head | {"seeds": runs} | _together([run["curve"] for run in runs]) | {"origin": origin()}
            write_whole(folder / "learning.json", json.dumps(result, indent=2) + "\n")
            save(learning(result), folder / "learning_curve.png")
        report(len(wanted), len(wanted))
    return result


def _code(trainer: Trainer) -> str:
    """Return the hash of a function's code; where it cannot be read, one that never comes again."""
    try:
        return digest(trainer)
    except TypeError:
        return f"cannot be read: {uuid.uuid4().hex}"


def _check_folder(folder: Path, head: dict[str, Any]) -> None:
    """Raise ValueError if a folder holds the learning track of something else."""
    path = folder / "learning.json"
    if not path.exists():
        return
    held = parse_json(read_text(path))
    if held.get("code") != head["code"]:
        raise ValueError(f"{folder}: holds results of another function {head['trainer']}; choose another folder")
    for key, value in head.items():
        if held.get(key) != value:
            raise ValueError(f"{folder}: holds results with {key} {held.get(key)}, not {value}; choose another folder")


def _curve(trainer: Trainer | str, task: Task, decisions: int, seed: int, folder: Path) -> list[dict[str, Any]]:
    """Return the curve of a seed, from its file if it has been measured."""
    path = folder / "curve.json"
    if path.exists():
        return list(parse_json(read_text(path)))
    folder.mkdir(parents=True, exist_ok=True)
    for level in task.levels:
        check_frozen(task, level)
    game = task.played(task.levels[0])
    budget = Budget(game, decisions, seed, folder / "training")
    curve = measured(trainer, budget, lambda agent, made: {"decisions": made, **_points(task, agent)})
    write_whole(path, json.dumps(curve, indent=2) + "\n")
    return curve


def _points(task: Task, agent: Agent) -> dict[str, float]:
    """Return the points of an agent on a task."""
    counted = []
    for level in task.levels:
        game = task.played(level)
        series = series_of(task, level, get(honest(agent), game), game)
        outcomes = outcomes_of(series, series.play(0, whole_blocks(series.block, SUITE.quick)).winners)
        counted.append((shares(outcomes, len(game.variant.sides)), len(game.variant.sides)))
    row = points([counted])["tasks"][0]
    return {name: row[name] for name in ("points", "low", "high")}


def _together(curves: Sequence[list[dict[str, Any]]]) -> dict[str, Any]:
    """Return the curve over all seeds, as far as all have points, and its last point."""
    together = []
    for entries in zip(*curves, strict=False):
        if len(entries) == 1:
            rate = {name: entries[0][name] for name in ("points", "low", "high")}
        else:
            found = interquartile_mean(np.array([[entry["points"]] for entry in entries]))
            rate = dict(zip(("points", "low", "high"), found, strict=True))
        together.append({"decisions": round(np.mean([entry["decisions"] for entry in entries])), **rate})
    last = together[-1]
    return {"curve": together} | {name: last[name] for name in ("points", "low", "high")}
