"""Games on a cluster, always under way: who learns takes what has arrived, and waits for no single stretch of them.

A round takes as many games as it needs, the first that arrive; those that arrive later are part of the next one. Which
these are depends on the cluster, so that two trainings of the same seed differ. Games are asked for until so many are
ahead of what was taken, so that players do not run away from a learner that is slower.
"""

import queue
import threading
from collections.abc import Callable, Iterator
from contextlib import ExitStack, closing
from typing import Any

from stardeck.benchmarks.arena.executors import Executor
from stardeck.training.expert.search_selfplay import Games, Stretch

AHEAD = 2  # rounds that are asked for before they are taken
LOOK = 0.5  # seconds between two looks at whether there is room for more


class Players:
    """Whoever plays, as a context. first: the number of the first game; `asked`: of the first that nobody plays yet."""

    def __init__(self, executor: Executor, games: Games, first: int, round_size: int) -> None:
        self._executor, self._games, self._size = executor, games, round_size
        self.asked = self._taken = first
        self._arrived: queue.SimpleQueue[Stretch | BaseException] = queue.SimpleQueue()
        self._ended = threading.Event()
        self._open = ExitStack()

    def __enter__(self) -> "Players":
        self._open.enter_context(self._executor.connected())
        self._thread = threading.Thread(target=self._play, daemon=True)
        self._thread.start()
        return self

    def __exit__(self, *_: object) -> None:
        self._ended.set()
        self._thread.join()
        self._open.close()

    def follow(self, games: Games) -> None:
        """Play these from now on; what is under way comes to its end."""
        self._games = games

    def take(self, count: int, progress: Callable[[int], None]) -> list[Stretch]:
        """What has arrived, `count` games or more; waits until there are so many. Raises what players have raised."""
        taken: list[Stretch] = []
        while (games := sum(stretch.games for stretch in taken)) < count:
            progress(games)
            found = self._arrived.get()
            if isinstance(found, BaseException):
                raise found
            taken.append(found)
            self._taken += found.games
        return taken

    def _play(self) -> None:
        try:
            while not self._ended.wait(LOOK if self._is_far_ahead() else 0):
                self._until_far_ahead()
        except BaseException as error:  # for who takes
            self._arrived.put(error)

    def _until_far_ahead(self) -> None:
        with closing(self._executor.run(self._wanted())) as finished:
            for _, stretch in finished:
                self._arrived.put(stretch)
                if self._ended.is_set():
                    return

    def _wanted(self) -> Iterator[tuple[Any, int, int]]:
        while not (self._is_far_ahead() or self._ended.is_set()):
            games, start = self._games, self.asked
            self.asked += self._executor.size(games, self._size)
            yield games, start, self.asked

    def _is_far_ahead(self) -> bool:
        return self.asked - self._taken >= AHEAD * self._size
