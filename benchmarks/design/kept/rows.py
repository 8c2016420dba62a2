"""Arrays with a row for each game or block of games, kept chunk by chunk in a folder, so that nothing is played twice.

A folder holds the chunks of several series. `identity.json` says what they are of; a folder of something else is
refused. A file `<series>/<start>-<stop>.npy` has the rows [start, stop) of a series.
"""

import json
import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from contextlib import closing
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from stardeck.benchmarks.arena.executors import cut_ranges, executor_for
from stardeck.benchmarks.design.part import Asked
from stardeck.benchmarks.results.atomic_files import parse_json, whole, write_whole
from stardeck.benchmarks.results.store import ResultsError
from stardeck.kernels.files import read_text, regular_file

IDENTITY = "identity.json"
_CHUNK = re.compile(r"(\d+)-(\d+)\.npy")


class Chunk(NamedTuple):
    """Rows [start, start + len(rows)) of a series, as an executor plays them."""

    start: int
    rows: NDArray[Any]


class Wanted(NamedTuple):
    """A series of which rows are wanted.

    Attributes:
        name: Name of its folder.
        series: The series, as executors play it; `play` returns a `Chunk`.
        rows: Number of rows.
    """

    name: str
    series: Any
    rows: int


class StoredChunks:
    """Chunks of series in a folder.

    Args:
        folder: The folder, which need not exist.
        identity: What the series are of, as plain data.

    Raises:
        ResultsError: The folder holds something else.
    """

    def __init__(self, folder: Path, identity: Mapping[str, Any]) -> None:
        self.folder = folder
        made_of = json.loads(json.dumps(identity))
        path = folder / IDENTITY
        folder.mkdir(parents=True, exist_ok=True)
        if path.exists():
            held = _read(path)
            for key in sorted({*held, *made_of}):
                if held.get(key) != made_of.get(key):
                    raise ResultsError(f"{folder}: holds results of another {key}; choose another folder")
        elif any(folder.iterdir()):
            raise ResultsError(f"{folder}: holds other files; choose an empty folder")
        else:
            write_whole(path, json.dumps(made_of, indent=2) + "\n")

    def add(self, name: str, chunk: Chunk) -> None:
        """Keep a chunk of a series."""
        (self.folder / name).mkdir(exist_ok=True)
        with whole(self.folder / name / f"{chunk.start}-{chunk.start + len(chunk.rows)}.npy") as path:
            with path.open("wb") as opened:
                np.save(opened, chunk.rows)

    def missing(self, name: str, rows: int) -> list[tuple[int, int]]:
        """Return the ranges of rows among the first `rows` that are not in the folder.

        Args:
            name: Name of the series.
            rows: Number of rows that are wanted.
        """
        gaps, end = [], 0
        for start, stop, _ in self._files(name):
            if start > end and end < rows:
                gaps.append((end, min(start, rows)))
            end = max(end, stop)
        return [*gaps, (end, rows)] if end < rows else gaps

    def load(self, name: str, rows: int) -> NDArray[Any]:
        """Return the first rows of a series, which must all be in the folder.

        Args:
            name: Name of the series.
            rows: Number of rows.
        """
        if missing := self.missing(name, rows):
            raise ResultsError(f"{self.folder / name}: rows {missing[0][0]} to {missing[0][1]} are missing")
        parts, end = [], 0
        for start, stop, path in self._files(name):
            if end < min(stop, rows):
                parts.append(np.load(regular_file(path), allow_pickle=False)[end - start : rows - start])
                end = stop
        return np.concatenate(parts)

    def _files(self, name: str) -> list[tuple[int, int, Path]]:
        """Return start, stop and path of each chunk, in order."""
        found = []
        for path in (self.folder / name).glob("*.npy"):
            if match := _CHUNK.fullmatch(path.name):
                found.append((int(match[1]), int(match[2]), path))
        return sorted(found)


def _read(path: Path) -> dict[str, Any]:
    try:
        return dict(parse_json(read_text(path)))
    except (OSError, TypeError, ValueError) as error:
        raise ResultsError(f"{path}: cannot be read ({error}); choose another folder") from error


class Counter:
    """Progress of a part that plays several lists of series one after the other.

    Args:
        asked: What the part measures.
        games: Number of games in all, an estimate.
    """

    def __init__(self, asked: Asked, games: int) -> None:
        self._progress, self._games, self._done = asked.progress, games, 0

    def add(self, games: int) -> None:
        """Report more finished games."""
        self._done += games
        self._games = max(self._games, self._done)
        self._progress(self._done, self._games)

    def finish(self) -> None:
        """Report that everything is done."""
        self._progress(self._done, self._done)

    def within(self) -> Callable[[int, int], None]:
        """Return a progress function for a measurement that reports its own games."""
        before = self._done

        def report(done: int, games: int) -> None:
            self.add(before + done - self._done)

        return report


def play_missing(store: StoredChunks, wanted: Sequence[Wanted], asked: Asked, counter: Counter) -> None:
    """Play what is missing of some series, and keep each chunk as it ends.

    Args:
        store: Folder of the chunks.
        wanted: The series.
        asked: What the part measures; it says where and on how many threads games are played.
        counter: Progress.
    """
    executor = executor_for(asked.on, asked.workers)
    names = {id(one.series): one.name for one in wanted}

    def stretches() -> Iterable[tuple[Any, int, int]]:
        for one in wanted:
            gaps = store.missing(one.name, one.rows)
            counter.add(one.rows - sum(stop - start for start, stop in gaps))
            yield from cut_ranges(executor, one.series, gaps)

    with closing(executor.run(stretches())) as finished:
        for series, chunk in finished:
            store.add(names[id(series)], chunk)
            counter.add(len(chunk.rows))
