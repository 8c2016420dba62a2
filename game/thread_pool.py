"""Thread pool for the rows of a batch. Kernels release the GIL, so each thread has a core."""

from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from typing import Any

from stardeck.kernels.errors import shown, whole_number

MOST = 1024  # threads


class ThreadPool:
    """Pool of `threads` threads for `rows` rows. `slices` holds the rows of each thread, in equal shares.

    The caller's thread is one of them, so a pool of one starts no thread. Copies and pickles leave the threads out and
    start new ones.
    """

    def __init__(self, rows: int, threads: int = 1) -> None:
        count = whole_number(threads, "threads")
        if not 1 <= count <= MOST:
            raise ValueError(f"threads={shown(threads)}: must be from 1 to {MOST}")
        count = min(count, rows)
        self.slices = [slice(k * rows // count, (k + 1) * rows // count) for k in range(count)]
        self._pool: ThreadPoolExecutor | None = None

    def run(self, work: Callable[[int, slice], Any]) -> None:
        """Call `work(number, rows)` for every slice at once and wait for all; the first error is raised."""
        first, *others = enumerate(self.slices)
        if others and self._pool is None:
            self._pool = ThreadPoolExecutor(len(others), thread_name_prefix="stardeck-rows")
        jobs = [self._pool.submit(work, *other) for other in others if self._pool]
        try:
            work(*first)
        finally:
            for job in jobs:
                job.exception()  # waits
        for job in jobs:
            job.result()

    def __getstate__(self) -> dict[str, Any]:
        return self.__dict__ | {"_pool": None}
