"""Chunks of games on the threads of this process."""

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
        self.workers = workers or available_cores()

    def warm_up(self, series: Any) -> None:
        """Compile everything that the series needs."""
        series.warm_up()

    def size(self, series: Any, left: int) -> int:
        """Return the number of games between two looks at the clock."""
        return series.chunk

    def connected(self) -> AbstractContextManager[None]:
        """Return an empty context: threads need no connection."""
        return nullcontext()

    def run(self, stretches: Iterable[tuple[Any, int, int]]) -> Generator[tuple[Any, Any]]:
        """Play chunks (series, start, stop); closing the generator stops the threads at once."""
        pool = ThreadPoolExecutor(self.workers)
        pending: dict[Future[Any], Any] = {}
        try:
            for series, start, stop in stretches:
                if series.thread_safe:
                    pending[pool.submit(_play, series, start, stop)] = series
                else:
                    yield series, series.play(start, stop)
                while len(pending) > self.workers:
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
