"""The loader of data sets: games as episodes with observations, masks and actions, made again from deals and moves.

A data set keeps deals and moves alone. Observations of 100,000 games of the core set would take 12 GB. The installed
version of the package computes them on demand, in microseconds each.
"""

from collections.abc import Iterator
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from stardeck.benchmarks.frames import Results
from stardeck.benchmarks.frames import load as load_results
from stardeck.benchmarks.results.arrow_columns import array_of, members_of
from stardeck.benchmarks.results.artifacts import rows_in
from stardeck.benchmarks.results.store import ResultsError
from stardeck.benchmarks.results.words import number_of
from stardeck.game.game import Game
from stardeck.kernels.errors import IllegalAction

AT_ONCE = 128  # games that are replayed together


class Episode(NamedTuple):
    """A game, decision by decision.

    Attributes:
        number: Number of the game.
        seed: Seed of its deal.
        seats: int64[n], the seat that took each decision.
        observations: uint8[n, observation_size], what this seat saw.
        masks: int8[n, num_actions], 1 where an action was legal.
        actions: int64[n], the actions.
        returns: float32[seats], the results.
        truncated: True if the game was truncated.
        final: uint8[seats, observation_size], what each seat saw at the end.
    """

    number: int
    seed: int
    seats: NDArray[np.int64]
    observations: NDArray[np.uint8]
    masks: NDArray[np.int8]
    actions: NDArray[np.int64]
    returns: NDArray[np.float32]
    truncated: bool
    final: NDArray[np.uint8]

    @property
    def rewards(self) -> NDArray[np.float32]:
        """The rewards of the seats after each decision, float32[n, seats]: 0, and the returns after the last one."""
        made = np.zeros((len(self.actions), len(self.returns)), np.float32)
        made[-1] = self.returns
        return made


class Dataset:
    """A data set in a folder.

    Attributes:
        folder: The folder.
        results: Its tables as data frames: `results.games`, `results.events` (`stardeck.results.load`).
        game: The game, with the settings of the data set.
    """

    def __init__(self, folder: Path, results: Results) -> None:
        self.folder, self.results, self.game = folder, results, results.game

    def __len__(self) -> int:
        """Return the number of games."""
        return int(self.results.summary["games"])

    def __repr__(self) -> str:
        return f"<data set of {number_of(len(self), 'game')} of {self.results.variant}>"

    def episodes(self, start: int = 0, stop: int | None = None) -> Iterator[Episode]:
        """Yield the games [start, stop) as episodes.

        Args:
            start: Number of the first game.
            stop: Number after the last game; None: all games from `start` on.

        Raises:
            ValueError: There are no such games.
            ResultsError: The files are damaged, or the rules have changed since they were made.
        """
        stop = len(self) if stop is None else stop
        if not 0 <= start <= stop <= len(self):
            raise ValueError(f"start={start}, stop={stop}: must be in this order, from 0 to {len(self)}")
        seeds = np.concatenate([array_of(rows["seed"]) for rows in rows_in(self.folder / "games.parquet")])
        for index, actions in _moves(self.folder / "moves.parquet", start, stop):
            yield from replayed(self.game, index, seeds[index], actions)


def load(folder: str | Path) -> Dataset:
    """Return the data set in a folder, as `stardeck dataset` writes it.

    Args:
        folder: Folder of the data set; a folder of `stardeck advantage --collect moves` is one too.

    Raises:
        ResultsError: The folder holds no data set, or it is damaged, or this version has other cards.
    """
    results = load_results(folder)
    path = Path(folder)
    if results.kind != "first-player advantage" or not (path / "moves.parquet").exists():
        raise ResultsError(f"{folder}: holds no data set: moves.parquet is missing; `stardeck dataset` makes one")
    found = Dataset(path, results)
    if found.game.variant.tables != results.summary.get("tables", found.game.variant.tables):
        raise ResultsError(f"{folder}: the tables of {found.game.id} have changed since its games were played")
    return found


def _moves(path: Path, start: int, stop: int) -> Iterator[tuple[NDArray[np.int64], list[NDArray[np.int64]]]]:
    """Yield the numbers and the actions of games, some at a time."""
    for table in rows_in(path):
        index = array_of(table["index"])
        lengths, numbers = members_of(table["actions"])
        actions = np.split(numbers.astype(np.int64), lengths.cumsum()[:-1])
        for at in range(0, len(index), AT_ONCE):
            rows = [row for row in range(at, min(at + AT_ONCE, len(index))) if start <= index[row] < stop]
            if rows:
                yield index[rows], [actions[row] for row in rows]
        if len(index) and index[-1] >= stop - 1:
            return


def replayed(
    game: Game, index: NDArray[np.int64], seeds: NDArray[np.uint64], actions: list[NDArray[np.int64]]
) -> Iterator[Episode]:
    """Yield games that are played again.

    Args:
        game: The game.
        index: Numbers of the games, int64[n].
        seeds: Seeds of their deals, uint64[n].
        actions: For each game, its actions.

    Raises:
        ResultsError: An action is not legal, or a game does not end with its actions.
    """
    states = game.deal(seeds)
    lengths = np.array([len(one) for one in actions])
    shown: list[list[Any]] = [[] for _ in actions]
    for ply in range(lengths.max(initial=0)):
        rows = np.flatnonzero(lengths > ply)
        chosen = game.take(states, rows)
        made = np.array([actions[row][ply] for row in rows.tolist()], np.int64)
        try:
            game.check_actions(chosen, made)
        except IllegalAction as error:
            raise ResultsError(f"games {index[0]} to {index[-1]}: decision {ply}: {error}") from error
        seen = zip(rows.tolist(), game.to_act(chosen), game.observe(chosen), game.legal_actions(chosen), strict=True)
        for row, *decision in seen:
            shown[row].append(decision)
        game.apply(chosen, made)
        game.put(states, rows, chosen)
    if not game.is_over(states).all():
        raise ResultsError(f"game {index[game.is_over(states).argmin()]}: does not end with its last move")
    final = np.stack([game.observe(states, np.full(len(states), seat)) for seat in range(game.players)], axis=1)
    returns, truncated = game.returns(states), game.truncated(states)
    for row, decisions in enumerate(shown):
        seats, observations, masks = zip(*decisions, strict=True)
        yield Episode(
            int(index[row]), int(seeds[row]), np.array(seats, np.int64), np.array(observations), np.array(masks),
            actions[row], returns[row], bool(truncated[row]), final[row],
        )  # fmt: skip
