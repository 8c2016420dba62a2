"""Training with several seeds: one training after another, and what they have in common.

One training says little about a recipe, for win rates differ from seed to seed. The summary therefore has interquartile
means over the seeds, with bootstrap intervals (Agarwal et al., "Deep reinforcement learning at the edge of the
statistical precipice", 2021). They need no more than SciPy. rliable, the library of the paper, fails to import with
pandas 3 through one of its dependencies.

The paper draws the runs of each task anew, for there each run plays one task. Here one network meets the whole panel,
so a seed is drawn with all of its win rates.
"""

import json
import time
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from stardeck.benchmarks.progress import Report
from stardeck.benchmarks.results.atomic_files import write_whole
from stardeck.benchmarks.results.folder_lock import only_writer
from stardeck.benchmarks.results.provenance import origin
from stardeck.kernels.errors import number_from
from stardeck.training.checkpoints import CheckpointError

TRIMMED = 0.25  # share of the values that an interquartile mean leaves out at either end
RESAMPLES = 2_000
LEVEL = 0.95
SHORTEST = 1e-9  # minutes: a seed whose time is up still makes one step
SHARED = "variant settings tables method device processes identities recipe opponent fair_share".split()

TrainOne = Callable[[int, Path, Report, float | None], dict[str, Any]]  # called as (seed, folder, report, minutes)


def check_seeds(seeds: Any) -> int:
    """Return a number of seeds. Raises ValueError if it is not a whole number from 1 on."""
    return number_from(seeds, "seeds", 1)


def folder_of(out: Path, seed: int) -> Path:
    """Return the folder of one seed within that of all."""
    return out / f"seed_{seed}"


def check_folder(out: Path, several: bool) -> None:
    """Raise CheckpointError if a folder holds a training of one seed and several are wanted, or the reverse."""
    if several and (out / "course.json").exists():
        held = "a training of one seed, not of several"
    elif not several and any(out.glob("seed_*/course.json")):
        held = "trainings of several seeds, not of one"
    else:
        return
    raise CheckpointError(f"{out}: holds {held}; choose another folder (--out)")


def train_seeds(
    train_one: TrainOne, seeds: Sequence[int], out: Path, progress: Report, minutes: float | None = None
) -> dict[str, Any]:
    """Train one seed after another, each in a folder of its own, and return the summary of those that have finished.

    The summary is written after each seed. Seeds that have finished take seconds.

    Args:
        train_one: Function that trains one seed, from its last checkpoint if there is one, and returns its summary.
        seeds: The seeds.
        out: Folder of all.
        progress: Function that reports the progress of all.
        minutes: Time after which the training stops with a checkpoint; None: no limit.
    """
    from stardeck.benchmarks import plots

    summaries: list[dict[str, Any]] = []
    summary: dict[str, Any] = {}
    began = time.monotonic()
    with only_writer(out):
        for number, seed in enumerate(seeds):
            left = None if minutes is None else max(SHORTEST, minutes - (time.monotonic() - began) / 60)
            one = train_one(seed, folder_of(out, seed), _part(progress, number, len(seeds), seed), left)
            if one["finished"] or not summaries:
                summaries.append(one)
            summary = summary_of(summaries) | {"finished": one["finished"] and number == len(seeds) - 1}
            write_whole(out / "summary.json", json.dumps(summary, indent=2) + "\n")
            plots.save(plots.training(summary), out / "learning_curve.png")
            if not one["finished"]:
                break
    return summary


def _part(progress, number, count, seed):
    """Return a function that reports the progress of one seed as that of all."""
    return lambda done, total, note: progress(number * total + min(done, total), count * total, f"seed {seed}: {note}")


def summary_of(summaries: Sequence[dict[str, Any]]) -> dict[str, Any]:
    """Return the summary of the trainings of several seeds, in the form of the summary of one.

    Win rates in `evaluations` are interquartile means over the seeds, with 95 % intervals; `decisions` and `seconds`
    there are means. The `seconds` of the summary are totals. More keys are `seeds`, `runs` (the final win rates of each
    seed: {seed, decisions, panel}), and `all`, the interquartile mean of all of them: {win_rate, low, high}, or null.
    Of a single seed, intervals are those over its games.

    Args:
        summaries: Summaries of the seeds.
    """
    first = summaries[0]
    points = [_evaluation(entries) for entries in zip(*(one["evaluations"] for one in summaries), strict=True)]
    last = [one["evaluations"][-1] for one in summaries]
    return {
        **{name: first[name] for name in SHARED if name in first},
        "seed": first["seed"],
        "seeds": [one["seed"] for one in summaries],
        "decisions": round(np.mean([one["decisions"] for one in summaries])),
        "seconds": {name: sum(one["seconds"].get(name, 0.0) for one in summaries) for name in first["seconds"]},
        "evaluations": points,
        "runs": [
            {"seed": one["seed"], "decisions": one["decisions"], "panel": entry["panel"]}
            for one, entry in zip(summaries, last, strict=True)
        ],
        "all": _rate([list(entry["panel"].values()) for entry in last])
        if len(last) > 1 and len(last[0]["panel"]) > 1
        else None,
        "origin": origin(),
    }


def _evaluation(entries):
    """Return the evaluation of all seeds after equally many decisions."""
    panel = {name: _rate([[entry["panel"][name]] for entry in entries]) for name in entries[0]["panel"]}
    yardstick = _rate([[entry] for entry in entries])
    before = [[entry["before"]] for entry in entries if entry["before"]]
    return {
        "decisions": round(np.mean([entry["decisions"] for entry in entries])),
        "seconds": float(np.mean([entry["seconds"] for entry in entries])),
        **yardstick,
        "panel": panel,
        "before": _rate(before) if len(before) == len(entries) else None,
    }


def _rate(rates):
    """Return the interquartile mean of win rates, [seeds][opponents], with its interval; a single one as it is."""
    if len(rates) == 1:  # of one seed and one opponent
        return {name: rates[0][0][name] for name in ("win_rate", "low", "high")}
    won = np.array([[rate["win_rate"] for rate in row] for row in rates], np.float64)
    return dict(zip(("win_rate", "low", "high"), interquartile_mean(won), strict=True))


def interquartile_mean(values: NDArray[np.float64]) -> tuple[float, float, float]:
    """Return the interquartile mean of all values, and the ends of its 95 % bootstrap interval over seeds.

    It is the mean of what remains when a quarter of the values is left out at either end, rounded down.

    Args:
        values: float64[seeds, tasks], of two seeds or more.
    """
    from scipy.stats import bootstrap, trim_mean

    def statistic(*columns, axis):
        return trim_mean(np.concatenate(columns, axis=axis), TRIMMED, axis=axis)

    found = bootstrap(
        tuple(values.T), statistic, paired=True, vectorized=True, n_resamples=RESAMPLES, confidence_level=LEVEL,
        method="percentile", rng=np.random.default_rng(0),
    ).confidence_interval  # fmt: skip
    return float(trim_mean(values, TRIMMED, axis=None)), float(found.low), float(found.high)
