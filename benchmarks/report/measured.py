"""Runs of the measurements of a report: each goes to its own folder, as its command would, or continues there."""

import hashlib
import math
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any, NamedTuple

from stardeck.benchmarks.advantage.measure import advantage
from stardeck.benchmarks.arena.executors import LOCAL, On
from stardeck.benchmarks.card_values.measure import worth
from stardeck.benchmarks.fairness.search import fair
from stardeck.benchmarks.league.tournament import league
from stardeck.benchmarks.report.declared import Measurement
from stardeck.benchmarks.results.filesystems import open_file
from stardeck.benchmarks.results.words import number_of

TRIALS = 400  # games with trials for each game of another kind: a trial informs about one card in one stage only
Bar = Callable[[str], Any]  # returns a context manager for a function progress(done, games)
RUN: dict[str, Callable[..., dict[str, Any]]] = {
    "advantage": advantage, "league": league, "fair": fair, "worth": worth,
}  # fmt: skip


class Result(NamedTuple):
    """The result of a measurement."""

    measurement: Measurement
    folder: Path
    summary: dict[str, Any]  # empty where it failed
    problem: str  # "" where it did not fail

    def hashes(self) -> dict[str, str]:
        """Return the SHA-256 of each file of results, by name."""
        paths = sorted([*self.folder.glob("*.parquet"), *self.folder.glob("*.json")])
        return {path.name: _sha256(path) for path in paths}


def _sha256(path):
    with open_file(path) as opened:
        return hashlib.file_digest(opened, "sha256").hexdigest()


def at_most(measurement: Measurement, games: int | None) -> Measurement:
    """Return the measurement with at most this number of games, and a precision that these games can reach.

    Args:
        measurement: The measurement.
        games: Most games, or None for no limit. A measurement of card values gets TRIALS times as many.
    """
    if games is None:
        return measurement
    given = dict(measurement.given)
    most = games * TRIALS if measurement.kind == "worth" else games
    given["games"] = min(given.get("games", most), most)
    if measurement.kind == "fair":  # a lower precision, because a search may stop at any number of games
        given["within"] = max(given.get("within", 0.3), _within(games))
        given.pop("games")
    return measurement._replace(given=given)


def _within(games):
    """Return half the 95 % interval of a win rate after a number of games, in points."""
    return round(98 / math.sqrt(games), 2)


def cut_to(games: int | None, kinds: set[str]) -> str:
    """Return a note on measurements with fewer games than declared; empty without a limit.

    Args:
        games: Most games of each measurement, or None for no limit.
        kinds: Kinds of the measurements.
    """
    if games is None:
        return ""
    parts = [f"at most {number_of(games, 'game')} each"]
    if "worth" in kinds:
        parts.append(f"at most {games * TRIALS:,} with trials")
    if "fair" in kinds:
        parts.append(f"searches to within {_within(games)} points")
    return f"Cut short: {', '.join(parts)}."


def run(
    measurements: list[Measurement], out: Path, bar: Bar, games: int | None = None, workers: int | None = None,
    on: On = LOCAL,
) -> Iterator[Result]:  # fmt: skip
    """Run measurements one after the other; one that fails does not stop the others.

    Args:
        measurements: The measurements.
        out: Folder of the report.
        bar: Function that opens a progress bar for the name of a measurement.
        games: Most games of each, or None for no limit.
        workers: Number of threads, or of tasks on a cluster.
        on: Executor of the games.

    Yields:
        The result of each measurement.
    """
    for measurement in measurements:
        folder = out / measurement.folder
        asked = at_most(measurement, games)
        given = {name.replace("-", "_"): value for name, value in asked.given.items()}
        try:
            with bar(measurement.folder) as progress:
                call = RUN[asked.kind]
                summary = call(asked.game, **given, out=folder, workers=workers, progress=progress, on=on)
            yield Result(asked, folder, summary, "")
        except (ValueError, OSError, RuntimeError) as error:
            yield Result(asked, folder, {}, " ".join(str(error).split()))
