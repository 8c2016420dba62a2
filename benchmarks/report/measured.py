"""The measurements of a report are run, each as its command would, into a folder of its own; or gone on with."""

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

TRIALS = 400  # a game with a trial tells of one card in one stage: of such there are so many for one of another kind
Bar = Callable[[str], Any]  # a context that gives what is called as progress(done, games)
RUN: dict[str, Callable[..., dict[str, Any]]] = {
    "advantage": advantage, "league": league, "fair": fair, "worth": worth,
}  # fmt: skip


class Measured(NamedTuple):
    """What came of a measurement."""

    measurement: Measurement
    folder: Path
    summary: dict[str, Any]  # empty where it failed
    problem: str  # "" where it did not

    def hashes(self) -> dict[str, str]:
        """SHA-256 of the results that were kept."""
        paths = sorted([*self.folder.glob("*.parquet"), *self.folder.glob("*.json")])
        return {path.name: _sha256(path) for path in paths}


def _sha256(path):
    with open_file(path) as opened:
        return hashlib.file_digest(opened, "sha256").hexdigest()


def at_most(measurement: Measurement, games: int | None) -> Measurement:
    """The same with no more games than so many, or than tell as much, and no better known than they can tell."""
    if games is None:
        return measurement
    given = dict(measurement.given)
    most = games * TRIALS if measurement.kind == "worth" else games
    given["games"] = min(given.get("games", most), most)
    if measurement.kind == "fair":  # a search that may stop at any time, instead of one that is cut short
        given["within"] = max(given.get("within", 0.3), _within(games))
        given.pop("games")
    return measurement._replace(given=given)


def _within(games):
    """How well a win rate is known after so many games: half its interval at 95 %, in points."""
    return round(98 / math.sqrt(games), 2)


def cut_to(games: int | None, kinds: set[str]) -> str:
    """What a reader has to know of measurements of these kinds with no more games than so many; "" of whole ones."""
    if games is None:
        return ""
    parts = [f"at most {games:,} games each"]
    if "worth" in kinds:
        parts.append(f"at most {games * TRIALS:,} with trials")
    if "fair" in kinds:
        parts.append(f"searches to within {_within(games)} points")
    return f"Cut short: {', '.join(parts)}."


def run(
    measurements: list[Measurement], out: Path, bar: Bar, games: int | None = None, workers: int | None = None,
    on: On = LOCAL,
) -> Iterator[Measured]:  # fmt: skip
    """Run measurements one after the other; one that fails does not stop the others.

    out: the folder of the report. bar: called with the name of each. games: the most of each.
    """
    for measurement in measurements:
        folder = out / measurement.folder
        asked = at_most(measurement, games)
        given = {name.replace("-", "_"): value for name, value in asked.given.items()}
        try:
            with bar(measurement.folder) as progress:
                call = RUN[asked.kind]
                summary = call(asked.game, **given, out=folder, workers=workers, progress=progress, on=on)
            yield Measured(asked, folder, summary, "")
        except (ValueError, OSError, RuntimeError) as error:
            yield Measured(asked, folder, {}, " ".join(str(error).split()))
