"""Fair scheduling of the few threads of the server that search.

Hints, analyses and agents that search wait in lines: one for each seat, page or game. Each line has at most one piece
of work on the threads, and lines take turns. A long line therefore delays only its owner. The number of threads bounds
the share of the machine that searches take.
"""

import asyncio
from collections.abc import Awaitable, Callable, Hashable, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from typing import Any

from stardeck.web.choices import RequestError

MOST_WAITING = 10  # requests in one line
MOST_LINES = 50  # at once; the server refuses further ones
Think = Callable[..., Awaitable[Any]]


class Busy(RequestError):
    """Refusal because too many searches wait. `status_code` is the HTTP status of the answer."""

    def __init__(self, text: str, status_code: int) -> None:
        super().__init__(text)
        self.status_code = status_code


class _WaitingLine:
    """The requests of one seat, page or game."""

    def __init__(self):
        self.requests = 0
        self.first = asyncio.Lock()  # held while a piece of work is on the threads


class SearchQueue:
    """A pool of threads, and the lines that wait for it."""

    def __init__(self, name: str, threads: int) -> None:
        self._pool = ThreadPoolExecutor(threads, thread_name_prefix=name)
        self._lines: dict[Hashable, _WaitingLine] = {}

    @contextmanager
    def place(self, who: Hashable, admitted: bool = False) -> Iterator[Think]:
        """Join the line of `who`. Yields `await think(work, *given)`, which runs a piece of work when its turn comes.

        Args:
            who: The seat, page or game that asks.
            admitted: Start the line even if there are too many.

        Raises:
            Busy: The line is too long (429), or there are too many lines (503).
        """
        if who not in self._lines and len(self._lines) >= MOST_LINES and not admitted:
            raise Busy(f"the server searches for {MOST_LINES} others already; try again later", 503)
        line = self._lines.setdefault(who, _WaitingLine())
        if line.requests >= MOST_WAITING:
            raise Busy(f"{MOST_WAITING} requests of yours wait for a search already; try again later", 429)

        async def think(work, *given):
            await line.first.acquire()
            loop, piece = asyncio.get_running_loop(), self._pool.submit(work, *given)
            piece.add_done_callback(lambda _: loop.call_soon_threadsafe(self._done, who))
            return await asyncio.wrap_future(piece)  # the caller may give up, but work on a thread runs to its end

        line.requests += 1
        try:
            yield think
        finally:
            line.requests -= 1
            self._leave(who)

    def _done(self, who):
        self._lines[who].first.release()
        self._leave(who)

    def _leave(self, who):
        line = self._lines[who]
        if not line.requests and not line.first.locked():
            del self._lines[who]

    def close(self) -> None:
        """Wait for the work on the threads, and drop the rest."""
        self._pool.shutdown(wait=True, cancel_futures=True)
