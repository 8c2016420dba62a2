"""The games of a level: the entry on one side, the opponent on all others, on deals that are the same for everyone.

The series of a level has a seed of its own, drawn from the names of suite, task and level. So every entry meets the
same deals, sides rotate on each of them, and nobody chooses them.
"""

import copy
import json
from collections.abc import Sequence
from functools import cache
from hashlib import blake2b
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from stardeck import agents as players
from stardeck.benchmarks.arena.series import Chunk, Series
from stardeck.benchmarks.results.arrow import pa
from stardeck.benchmarks.results.arrow_columns import members_of
from stardeck.benchmarks.suite.tasks import SUITE, Level, Task
from stardeck.game.agent import Agent
from stardeck.game.game import Game

CHECKED = 4  # games of the digest of a level, rounded up to whole blocks


class ChangedTask(ValueError):
    """A level is not played as the suite's version says."""


class Outcomes(NamedTuple):
    """What the entry has achieved, by block: the games that share a deal.

    Attributes:
        won: int64[blocks], games that the entry has won.
        undecided: int64[blocks], games without a winner, where one side at least could have been another one.
        block: Games of a block.
    """

    won: NDArray[np.int64]
    undecided: NDArray[np.int64]
    block: int


def seed_of(task: Task, level: Level) -> int:
    """Return the seed of the series of a level."""
    text = json.dumps([SUITE.name, SUITE.version, task.name, level.name])
    return int.from_bytes(blake2b(text.encode(), digest_size=8).digest())


def series_of(task: Task, level: Level, entry: Agent, game: Game | None = None) -> Series:
    """Return the series of a level, which records actions.

    Args:
        task: The task.
        level: The level.
        entry: The agent that is measured; the first agent of the series.
        game: Game of the level, if it is at hand.
    """
    game = game or task.played(level)
    opponents = _opponents(game, level.opponent)
    if entry in opponents:  # against itself: two players all the same, which take turns on the sides
        entry = copy.copy(entry)
    return Series(game, [entry, *opponents], seed_of(task, level), by_side=True, record_actions=True)


def _opponents(game: Game, opponent: str | None) -> list[Agent]:
    """Return the agents on the other sides, which are one agent."""
    others = len(game.variant.sides) - 1
    return [] if opponent is None else [players.get(opponent, game)] * others


def whole_blocks(block: int, games: int) -> int:
    """Return a number of games, rounded up to whole blocks of games that share a deal, two at least.

    Args:
        block: Games of a block.
        games: Number of games.
    """
    return max(2, -(-games // block)) * block


def outcomes_of(series: Series, winners: NDArray[np.bool_]) -> Outcomes:
    """Return the outcomes of the games [0, n) of a series of a level; n is a number of whole blocks.

    Args:
        series: The series.
        winners: The seats that have won, bool[n, seats].
    """
    sides = series.game.variant.sides
    won = np.column_stack([winners[:, list(seats)].any(axis=1) for seats in sides])
    mine = (np.array(series.orders) == 0)[np.arange(len(winners)) % len(series.orders)]
    undecided = ~winners.any(axis=1) & (len(sides) > 1)
    won_of_block, undecided_of_block = (
        column.reshape(-1, series.block).sum(axis=1) for column in ((won & mine).any(axis=1), undecided)
    )
    return Outcomes(won_of_block, undecided_of_block, series.block)


def winners_of(games: pa.Table, seats: int) -> NDArray[np.bool_]:
    """Return the seats that have won each of some stored games: bool[n, seats]."""
    lengths, winners = members_of(games["winner"])
    won = np.zeros((len(games), seats), bool)
    won[np.repeat(np.arange(len(games)), lengths), winners] = True
    return won


def digest_of(actions: Sequence[NDArray[np.integer]], seats: Sequence[NDArray[np.integer]]) -> str:
    """Return the hash of games: their actions, and the seats that took them, in order.

    Args:
        actions: For each game, int[decisions].
        seats: For each game, int[decisions].
    """
    made = blake2b(digest_size=8)
    for one, by in zip(actions, seats, strict=True):
        made.update(len(one).to_bytes(4, "little") + one.astype("<u2").tobytes() + by.astype(np.uint8).tobytes())
    return made.hexdigest()


def by_game(chunk: Chunk) -> tuple[list[NDArray[np.integer]], list[NDArray[np.integer]]]:
    """Return the actions and the seats of each game of a chunk."""
    ends = chunk.decisions.cumsum()[:-1]
    return np.split(chunk.actions, ends), np.split(chunk.seats, ends)


@cache
def played_digest(task_name: str, level_name: str) -> str:
    """Return the digest that a level has today."""
    task = next(task for task in SUITE.tasks if task.name == task_name)
    level = next(level for level in task.levels if level.name == level_name)
    game = task.played(level)
    series = series_of(task, level, players.get("rules", game), game)
    return digest_of(*by_game(series.play(0, whole_blocks(series.block, CHECKED))))


def check_frozen(task: Task, level: Level) -> None:
    """Raise ChangedTask if this version of the package plays a level otherwise than the suite says."""
    found = played_digest(task.name, level.name)
    if found != level.digest:
        raise ChangedTask(
            f"{task.name}, level {level.name}: this version of stardeck plays it otherwise than {SUITE.name} "
            f"{SUITE.version} does (digest {found}, not {level.digest}); results would not be comparable"
        )
