"""Fair turns at the few threads of the server that search.

Hints, analyses and agents that search wait in lines: one for each seat, page or game. Each line has one piece of work
at the threads, and lines go in turn, so that a long line delays nobody but its owner. The number of threads bounds the
share of the machine that searches take.
"""

import asyncio
from collections.abc import Awaitable, Callable, Hashable, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from typing import Any

from stardeck.web.choices import Refused

MOST_WAITING = 10  # requests of one line
MOST_LINES = 50  # at once; further ones are refused
Think = Callable[..., Awaitable[Any]]


class Busy(Refused):
    """The server searches for too many already. `status_code` is the HTTP status of the answer."""

    def __init__(self, text: str, status_code: int) -> None:
        super().__init__(text)
        self.status_code = status_code


class _Line:
    """The requests of one seat, page or game."""

    def __init__(self):
        self.requests = 0
        self.first = asyncio.Lock()  # held while a piece of work is at the threads


class Turns:
    """A number of threads, and the lines that wait for them."""

    def __init__(self, name: str, threads: int) -> None:
        self._pool = ThreadPoolExecutor(threads, thread_name_prefix=name)
        self._lines: dict[Hashable, _Line] = {}

    @contextmanager
    def place(self, who: Hashable, admitted: bool = False) -> Iterator[Think]:
        """Join the line of `who`; yields `await think(work, *given)`, which does a piece of work in its turn.

        Args:
            who: The seat, page or game that asks.
            admitted: Whether the line may begin although there are too many.

        Raises:
            Busy: The line is too long (429), or there are too many lines (503).
        """
        if who not in self._lines and len(self._lines) >= MOST_LINES and not admitted:
            raise Busy(f"the server searches for {MOST_LINES} others already; try again later", 503)
        line = self._lines.setdefault(who, _Line())
        if line.requests >= MOST_WAITING:
            raise Busy(f"{MOST_WAITING} requests of yours wait for a search already; try again later", 429)

        async def think(work, *given):
            await line.first.acquire()
            loop, piece = asyncio.get_running_loop(), self._pool.submit(work, *given)
            piece.add_done_callback(lambda _: loop.call_soon_threadsafe(self._done, who))
            return await asyncio.wrap_future(piece)  # whoever waits may give up; what is at a thread goes on to its end

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
        """Wait for what is at the threads, and drop the rest."""
        self._pool.shutdown(wait=True, cancel_futures=True)
