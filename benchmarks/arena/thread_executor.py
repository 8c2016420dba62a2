"""Chunks of games on the threads of this process."""

import math
from collections.abc import Generator, Iterable
from concurrent.futures import FIRST_COMPLETED, Future, ThreadPoolExecutor, wait
from contextlib import AbstractContextManager, nullcontext
from typing import Any

from stardeck.game.cores import CORES, available_cores


class ThreadExecutor:
    """An executor that plays chunks on `workers` threads, by default one for each core (see `Executor`).

    The calling thread plays a series that is not `thread_safe`. Each of the threads counts as busy, so a search on it
    uses no further core unless one is idle.
    """

    away = False

    def __init__(self, workers: int | None = None) -> None:
        self._workers = workers or available_cores()

    def warm_up(self, series: Any) -> None:
        """Compile everything that the series needs."""
        series.warm_up()

    def size(self, series: Any, left: int) -> int:
        """Return the number of games between two looks at the clock."""
        return series.chunk

    def equal_size(self, games: int, block: int, most: int) -> int:
        """Return a number of games for each chunk that gives all threads about equal work, in few chunks.

        Args:
            games: Number of games.
            block: Sizes are multiples of this number of games.
            most: Games of the largest chunk.
        """
        rounds = max(1, math.ceil(games / self._workers / most))
        return min(most, block * max(1, math.ceil(games / self._workers / rounds / block)))

    def connected(self) -> AbstractContextManager[None]:
        """Return an empty context: threads need no connection."""
        return nullcontext()

    def run(self, stretches: Iterable[tuple[Any, int, int]]) -> Generator[tuple[Any, Any]]:
        """Play chunks (series, start, stop); closing the generator stops the threads at once."""
        pool = ThreadPoolExecutor(self._workers)
        pending: dict[Future[Any], Any] = {}
        try:
            for series, start, stop in stretches:
                if series.thread_safe:
                    pending[pool.submit(_play, series, start, stop)] = series
                else:
                    yield series, series.play(start, stop)
                while len(pending) > self._workers:
                    yield from _finished(pending)
            while pending:
                yield from _finished(pending)
        finally:
            running = set(pending.values())
            for series in running:
                series.stop()
            pool.shutdown(wait=True, cancel_futures=True)
            for series in running:
                series.allow()


def _play(series, start, stop):
    with CORES.working():
        return series.play(start, stop)


def _finished(pending):
    """Wait for one or more of the running chunks, and take them out."""
    for future in wait(pending, return_when=FIRST_COMPLETED).done:
        yield pending.pop(future), future.result()
