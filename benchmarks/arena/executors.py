"""Where games are played: on the threads of this process, or on a Ray cluster. The arena knows nothing else of either.

`local` plays on threads; `ray` on the Ray of this machine, which it joins or starts (`RAY_ADDRESS` names another);
`ray://host:port` on a cluster, through Ray's client. The games are the same wherever they are played.
"""

import re
from collections.abc import Generator, Iterable, Iterator
from contextlib import AbstractContextManager
from typing import Any, Protocol, TypeVar

from stardeck.benchmarks.arena.thread_executor import Threads
from stardeck.benchmarks.optional_dependencies import require
from stardeck.kernels.errors import shown

LOCAL = "local"
_ON_RAY = re.compile(r"ray|ray://[^\s/:]+:\d{1,5}")


class Played(Protocol):
    """A series as an executor sees it."""

    chunk: Any  # int: games between two looks at the clock
    thread_safe: bool

    def play(self, start: int, stop: int) -> Any:
        """Play games [start, stop)."""
        ...

    def stop(self) -> None:
        """Have threads that play it break off."""
        ...

    def allow(self) -> None:
        """Let it be played again."""
        ...


S = TypeVar("S", bound=Played)


class Executor(Protocol):
    """Plays stretches of series, several at once. away: whether on other machines."""

    away: bool

    def warm_up(self, series: Any) -> None:
        """Compile what is needed here, so that measured times are those of playing."""
        ...

    def size(self, series: Any, left: int) -> int:
        """How many games the next stretch of a series should have, of `left` that are still to be played: 1 or more."""
        ...

    def connected(self) -> AbstractContextManager[None]:
        """Ready for several runs: what is started and sent for the first one stays until the last."""
        ...

    def run(self, stretches: Iterable[tuple[Any, int, int]]) -> Generator[tuple[Any, Any]]:
        """Play stretches (series, start, stop); yields (series, Chunk) as each is finished, in any order.

        A stretch is taken when there is room for it: what yields them can look at the results so far. Closing the
        generator ends what is under way.
        """
        ...


On = str | Executor  # local, ray or ray://host:port, or what these name


def executor_for(on: On, workers: int | None = None) -> Executor:
    """The executor that `on` names: local, ray or ray://host:port. Nothing is started before it runs.

    workers: how many stretches are played at once, by default one on each core. ValueError for any other text and for
    fewer workers than 1; MissingExtra where Ray is not installed.
    """
    if workers is not None and workers < 1:
        raise ValueError(f"workers={workers}: must be at least 1")
    if not isinstance(on, str):
        return on
    if on == LOCAL:
        return Threads(workers)
    if not _ON_RAY.fullmatch(on):
        raise ValueError(f"on={shown(on)}: must be {LOCAL}, ray, or ray://host:port")
    require("cluster")
    from stardeck.benchmarks.arena.ray_executor import OnRay

    return OnRay(None if on == "ray" else on, workers)


def cut(executor: Executor, series: S, ranges: Iterable[tuple[int, int]]) -> Iterator[tuple[S, int, int]]:
    """Ranges of games of a series as stretches of the size that the executor asks for while it plays them."""
    waiting = list(ranges)
    left = sum(stop - start for start, stop in waiting)
    for start, stop in waiting:
        while start < stop:
            end = min(next_multiple(start, executor.size(series, left)), stop)
            yield series, start, end
            left -= end - start
            start = end


def next_multiple(start: int, size: int) -> int:
    """Where a stretch of up to `size` games ends, so that the next ones begin at multiples of the size."""
    return start - start % size + size
