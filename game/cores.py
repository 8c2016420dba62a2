"""The processor cores of this process: how many are busy, and threads that help on idle ones.

Work that can use several cores asks for idle ones. Whoever keeps a core busy says so, so that games which already play
on all cores get no further threads.
"""

import os
import threading
from collections import deque
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor, wait
from contextlib import contextmanager
from typing import Any

MOST_HELPERS = 1024  # threads; no more run than there are idle cores


def available_cores() -> int:
    """Return the number of processor cores that this process may use."""
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1


class Cores:
    """The cores of a process and their helper threads. A forked process begins anew."""

    def __init__(self) -> None:
        self._begin()
        if hasattr(os, "register_at_fork"):
            os.register_at_fork(after_in_child=self._begin)

    def _begin(self) -> None:
        self._lock = threading.Lock()
        self._busy = 0
        self._here = threading.local()
        self._pool: ThreadPoolExecutor | None = None

    @contextmanager
    def working(self) -> Iterator[None]:
        """Count the calling thread as busy. Calls within each other count once."""
        if getattr(self._here, "working", False):
            yield
            return
        self._here.working = True
        with self._lock:
            self._busy += 1
        try:
            yield
        finally:
            self._here.working = False
            with self._lock:
                self._busy -= 1

    @contextmanager
    def reserved(self, wanted: int | None = None) -> Iterator[int]:
        """Reserve up to `wanted` idle cores, by default all, and yield how many there are."""
        with self._lock:
            idle = max(0, available_cores() - self._busy)
            found = idle if wanted is None else min(wanted, idle)
            self._busy += found
        try:
            yield found
        finally:
            with self._lock:
                self._busy -= found

    def run(self, jobs: Sequence[Callable[[], Any]], helpers: int, stop: Callable[[], Any]) -> None:
        """Run jobs on the calling thread and on helper threads, and wait for all.

        Args:
            jobs: The jobs. The calling thread begins with the first one.
            helpers: Number of helper threads, for which cores are `reserved`.
            stop: Function that is called at an error, to end the other jobs early. The error is then raised.
        """
        waiting = deque(jobs)

        def work() -> None:
            while (job := _first(waiting)) is not None:
                try:
                    job()
                except BaseException:
                    waiting.clear()
                    stop()
                    raise

        futures = [self._helper_pool().submit(work) for _ in range(min(helpers, len(jobs) - 1))]
        try:
            work()
            wait(futures)
        except BaseException:  # also Ctrl-C while it waits
            stop()
            wait(futures)
            raise
        for future in futures:
            future.result()

    def _helper_pool(self) -> ThreadPoolExecutor:
        with self._lock:
            if self._pool is None:
                self._pool = ThreadPoolExecutor(MOST_HELPERS, thread_name_prefix="stardeck-helper")
            return self._pool


def _first(waiting: deque[Callable[[], Any]]) -> Callable[[], Any] | None:
    """Take the first job out; None if another thread has taken the last one."""
    try:
        return waiting.popleft()
    except IndexError:
        return None


CORES = Cores()
