"""Games that run on a cluster all the time: the learner takes the games that have arrived, and waits for no others.

A round takes as many games as it needs, the first to arrive; later ones are part of the next round. The order depends
on the cluster, so two trainings of the same seed differ. New games are requested only up to a limit ahead of the games
taken, so players do not run away from a slower learner.
"""

import queue
import threading
from collections.abc import Callable, Iterator
from contextlib import ExitStack, closing
from typing import Any

from stardeck.benchmarks.arena.executors import Executor
from stardeck.training.expert.search_selfplay import GameChunk, Games

AHEAD = 2  # rounds that are requested before they are taken
LOOK = 0.5  # seconds between two checks for room


class Players:
    """The players of a cluster, as a context.

    Args:
        executor: Executor of the games.
        games: The games to play.
        first: Number of the first game.
        round_size: Number of games in a round.

    Attributes:
        asked: Number of the first game that has not been requested yet.
    """

    def __init__(self, executor: Executor, games: Games, first: int, round_size: int) -> None:
        self._executor, self._games, self._size = executor, games, round_size
        self.asked = self._taken = first
        self._arrived: queue.SimpleQueue[GameChunk | BaseException] = queue.SimpleQueue()
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
        """Play these games from now on; running games are finished."""
        self._games = games

    def take(self, count: int, progress: Callable[[int], None]) -> list[GameChunk]:
        """Wait for at least `count` games, and return all that have arrived. Raises the errors of players."""
        taken: list[GameChunk] = []
        while (games := sum(chunk.games for chunk in taken)) < count:
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
        except BaseException as error:  # passed on to `take`
            self._arrived.put(error)

    def _until_far_ahead(self) -> None:
        with closing(self._executor.run(self._wanted())) as finished:
            for _, chunk in finished:
                self._arrived.put(chunk)
                if self._ended.is_set():
                    return

    def _wanted(self) -> Iterator[tuple[Any, int, int]]:
        while not (self._is_far_ahead() or self._ended.is_set()):
            games, start = self._games, self.asked
            self.asked += self._executor.size(games, self._size)
            yield games, start, self.asked

    def _is_far_ahead(self) -> bool:
        return self.asked - self._taken >= AHEAD * self._size
