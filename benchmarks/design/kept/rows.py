"""Arrays with a row for each game or block of games, kept chunk by chunk in a folder, so that nothing is played twice.

A folder holds the chunks of several series of one measurement, each in a folder of its own (arrays_by_name.py).
"""

from collections.abc import Callable, Iterable, Mapping, Sequence
from contextlib import closing
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from stardeck.benchmarks.arena.executors import cut_ranges, executor_for
from stardeck.benchmarks.design.kept.arrays_by_name import KeptChunks
from stardeck.benchmarks.design.part import Asked


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
        time: Time that a row takes about, in games of a fast agent; for progress.
    """

    name: str
    series: Any
    rows: int
    time: float = 1.0


class ShortChunks:
    """What executors ask of a series whose chunks end at once, so that nothing needs to stop them."""

    thread_safe = compiled = True

    def play(self, start: int, stop: int) -> Chunk:
        """Play rows [start, stop)."""
        raise NotImplementedError

    def play_away(self, start: int, stop: int) -> Chunk:
        """Play rows [start, stop) on another machine."""
        return self.play(start, stop)

    def warm_up(self) -> None:
        """Compile everything that the series needs."""
        self.play(0, 1)

    def stop(self) -> None:
        """Do nothing."""

    def allow(self) -> None:
        """Do nothing."""


class StoredChunks:
    """Chunks of series in a folder.

    Args:
        folder: The folder, which need not exist.
        identity: What the series are of, as plain data.

    Raises:
        ValueError: The folder holds something else.
    """

    def __init__(self, folder: Path, identity: Mapping[str, Any]) -> None:
        self.folder = folder
        KeptChunks(folder, identity)

    def _of(self, name: str) -> KeptChunks:
        return KeptChunks(self.folder / name, {"series": name})

    def add(self, name: str, chunk: Chunk) -> None:
        """Keep a chunk of a series."""
        self._of(name).add(chunk.start, chunk.start + len(chunk.rows), {"rows": chunk.rows})

    def missing(self, name: str, rows: int) -> list[tuple[int, int]]:
        """Return the ranges of rows among the first `rows` that are not in the folder.

        Args:
            name: Name of the series.
            rows: Number of rows that are wanted.
        """
        return self._of(name).missing(rows)

    def load(self, name: str, rows: int) -> NDArray[Any]:
        """Return the first rows of a series.

        Args:
            name: Name of the series.
            rows: Number of rows.

        Raises:
            ValueError: A row is missing, or a file is damaged.
        """
        if missing := self.missing(name, rows):
            raise ValueError(f"{self.folder / name}: rows {missing[0][0]} to {missing[0][1]} are missing")
        parts, end = [], 0
        for start, arrays in self._of(name).read():
            stop = start + len(arrays["rows"])
            if end < min(stop, rows):
                parts.append(arrays["rows"][end - start : rows - start])
                end = stop
        return np.concatenate(parts)


class Counter:
    """Progress of a part that plays several lists of series one after the other.

    Args:
        asked: What the part measures.
        games: Time of all of them, an estimate, in games of a fast agent.
    """

    def __init__(self, asked: Asked, games: float) -> None:
        self._progress, self._games, self._done = asked.progress, games, 0.0

    def expect(self, games: float) -> None:
        """Count more games that will be played."""
        self._games += games

    def add(self, games: float) -> None:
        """Report more finished games."""
        self._done += games
        self._games = max(self._games, self._done)
        self._progress(int(self._done), int(self._games))

    def finish(self) -> None:
        """Report that everything is done."""
        self._progress(int(self._done), int(self._done))

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
    by_series = {id(one.series): one for one in wanted}

    def stretches() -> Iterable[tuple[Any, int, int]]:
        for one in wanted:
            gaps = store.missing(one.name, one.rows)
            counter.add(one.time * (one.rows - sum(stop - start for start, stop in gaps)))
            yield from cut_ranges(executor, one.series, gaps)

    with closing(executor.run(stretches())) as finished:
        for series, chunk in finished:
            one = by_series[id(series)]
            store.add(one.name, chunk)
            counter.add(one.time * len(chunk.rows))
