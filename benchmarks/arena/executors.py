"""Executors: the threads of this process, or a Ray cluster. The arena knows nothing else about either.

`local` plays on threads. `ray` plays on the Ray of this machine, which it joins or starts; `RAY_ADDRESS` names another.
`ray://host:port` plays on a cluster, through Ray's client. Each executor plays the same games.
"""

import re
from collections.abc import Generator, Iterable, Iterator
from contextlib import AbstractContextManager
from typing import Any, Protocol, TypeVar

from stardeck.benchmarks.arena.thread_executor import ThreadExecutor
from stardeck.benchmarks.optional_dependencies import require
from stardeck.game.game import Game
from stardeck.kernels.errors import number_from, shown

LOCAL = "local"
_ON_RAY = re.compile(r"ray|ray://[^\s/:]+:\d{1,5}")


class PlayableSeries(Protocol):
    """A series, as an executor sees it. It is pickled by content for other machines."""

    game: Game
    agents: list[Any]  # all that play, for errors of those that cannot be sent to other machines
    chunk: Any  # int: games between two looks at the clock
    compiled: bool
    thread_safe: bool

    def warm_up(self) -> None:
        """Compile everything that the series needs."""
        ...

    def play(self, start: int, stop: int) -> Any:
        """Play games [start, stop)."""
        ...

    def play_away(self, start: int, stop: int) -> Any:
        """Play games [start, stop) on another machine."""
        ...

    def stop(self) -> None:
        """Make the threads that play it stop."""
        ...

    def allow(self) -> None:
        """Allow the series to be played again."""
        ...


S = TypeVar("S", bound=PlayableSeries)


class Executor(Protocol):
    """A player of chunks of series, several at once.

    Attributes:
        away: True if it plays on other machines.
    """

    away: bool

    def warm_up(self, series: Any) -> None:
        """Compile everything that is needed here; measured times then contain no compilation."""
        ...

    def size(self, series: Any, left: int) -> int:
        """Return the number of games in the next chunk of a series, at least 1. left: games that remain."""
        ...

    def connected(self) -> AbstractContextManager[None]:
        """Return a context for several runs, which keeps connections and sent series until it ends."""
        ...

    def run(self, stretches: Iterable[tuple[Any, int, int]]) -> Generator[tuple[Any, Any]]:
        """Play chunks (series, start, stop), and yield (series, Chunk) as each ends, in any order.

        It takes a chunk when there is room for it, so the generator of chunks can read the results so far. Closing this
        generator stops the chunks that are running.
        """
        ...


On = str | Executor  # local, ray or ray://host:port, or an executor


def executor_for(on: On, workers: int | None = None) -> Executor:
    """Return the executor that `on` names. It starts nothing before it runs.

    Args:
        on: Executor, or "local", "ray" or "ray://host:port".
        workers: Number of chunks that are played at once, by default one for each core.

    Raises:
        ValueError: `on` is another text, or `workers` is less than 1.
        MissingExtra: Ray is not installed.
    """
    if workers is not None:
        workers = number_from(workers, "workers", 1)
    if not isinstance(on, str):
        return on
    if on == LOCAL:
        return ThreadExecutor(workers)
    if not _ON_RAY.fullmatch(on):
        raise ValueError(f"on={shown(on)}: must be {LOCAL}, ray, or ray://host:port")
    require("cluster")
    from stardeck.benchmarks.arena.ray_executor import RayExecutor

    return RayExecutor(None if on == "ray" else on, workers)


def cut_ranges(
    executor: Executor, series: S, ranges: Iterable[tuple[int, int]], most: int | None = None
) -> Iterator[tuple[S, int, int]]:
    """Cut ranges of games into chunks of the size that the executor asks for while it plays them.

    Args:
        executor: Executor that plays the chunks.
        series: Series of the games.
        ranges: Ranges (start, stop) of games.
        most: Number of games of the largest chunk, where that is less than the executor asks for.

    Yields:
        Chunks (series, start, stop).
    """
    waiting = list(ranges)
    left = sum(stop - start for start, stop in waiting)
    for start, stop in waiting:
        while start < stop:
            size = executor.size(series, left)
            end = min(next_multiple(start, min(size, most or size)), stop)
            yield series, start, end
            left -= end - start
            start = end


def next_multiple(start: int, size: int) -> int:
    """Return the end of a chunk of up to `size` games; the next chunks then begin at multiples of the size.

    Args:
        start: First game of the chunk.
        size: Number of games of whole chunks.
    """
    return start - start % size + size
