"""A run of the suite: an agent against every level of every task, into a folder that a later call continues.

The folder holds `result.json` (result_file.py), and for each level `games/TASK/LEVEL/` with its games and moves.
Agents of your own see no hidden cards: everything that their seat cannot know is drawn again before they decide.
"""

import re
from collections.abc import Iterable, Iterator
from contextlib import closing
from pathlib import Path
from typing import Any, NamedTuple, Unpack

import numpy as np
from numpy.typing import NDArray

from stardeck import agents as players
from stardeck.agents.honest_agent import HonestAgent
from stardeck.agents.identity import identity_of
from stardeck.benchmarks.advantage.measure import identity
from stardeck.benchmarks.arena.executors import Executor, cut_ranges, executor_for
from stardeck.benchmarks.arena.options import DEFAULTS, PlayOptions, silent
from stardeck.benchmarks.arena.series import Series
from stardeck.benchmarks.results.arrow import pa
from stardeck.benchmarks.results.arrow_columns import members_of
from stardeck.benchmarks.results.artifacts import SeriesStore, rows_in
from stardeck.benchmarks.results.atomic_files import parse_json
from stardeck.benchmarks.results.filesystems import folder_here
from stardeck.benchmarks.results.folder_lock import only_writer
from stardeck.benchmarks.results.provenance import origin
from stardeck.benchmarks.results.store import ResultsError
from stardeck.benchmarks.suite.levels import (
    CHECKED,
    check_frozen,
    digest_of,
    outcomes_of,
    series_of,
    whole_blocks,
    winners_of,
)
from stardeck.benchmarks.suite.pace import decisions_per_second
from stardeck.benchmarks.suite.result_file import level_row, packed, with_points, write_result
from stardeck.benchmarks.suite.tasks import SUITE, Level, Task, tasks_named
from stardeck.game.agent import Agent, AgentLike
from stardeck.game.game import Game
from stardeck.kernels.errors import number_from, shown
from stardeck.kernels.files import read_text

BOSS = "Boss"
NAMES = re.compile(r"[^|<>`\x00-\x1f\x7f]{1,200}")  # as in result.schema.json
MOST_GAMES = 100_000  # of a level: intervals are known to a tenth of a point then


class LevelRun(NamedTuple):
    """The games of a level that a run plays."""

    task: Task
    level: Level
    series: Series
    games: int  # to play, whole blocks
    store: SeriesStore
    folder: Path


def benchmark(
    agent: AgentLike, out: str | Path, games: int | None = None, tasks: Iterable[str] | None = None,
    **options: Unpack[PlayOptions],
) -> dict[str, Any]:  # fmt: skip
    """Measure an agent on the tasks of Stardeck-8, and write the result.

    Args:
        agent: Agent to measure, as every other function takes it.
        out: Folder. An interrupted run continues there, and a finished one is extended.
        games: Games of each level, rounded up to whole blocks of games that share a deal, two at least; None: a full
            run.
        tasks: Names of the tasks to play. None plays all that the agent can play.
        **options: Options of `PlayOptions`.

    Returns:
        The result, which benchmarks/suite/result_file.py describes.

    Raises:
        ValueError: An option or the agent is invalid, the agent cannot play a task that is named, the folder holds
            other results, or this version of the package plays a task otherwise than the suite says.
        KeyboardInterrupt: The run was stopped. The folder holds all finished chunks.
    """
    games = SUITE.games if games is None else games
    games = number_from(games, "games", 1, MOST_GAMES)
    for name in options:
        if name not in PlayOptions.__optional_keys__:
            raise ValueError(f"{name}: must be among {', '.join(sorted(PlayOptions.__optional_keys__))}")
    chosen = DEFAULTS | options
    name = _name(agent)
    if not NAMES.fullmatch(name):
        raise ValueError(f"agent {shown(name)}: its name must have 1 to 200 printable characters, none of them | < > `")
    executor, progress = executor_for(chosen["on"], chosen["workers"]), chosen["progress"] or silent
    entries, not_played = _entries(agent, tasks)
    folder = Path(folder_here(out))
    with only_writer(folder):
        found = _play(folder, entries, games, executor, progress)
        result = {
            "benchmark": SUITE.name,
            "version": SUITE.version,
            "agent": name,
            "games": games,
            **found,
            "not_played": not_played,
            "origin": origin(),
        }
        _keep(folder / "result.json", result)
        write_result(folder / "result.json", result)
    return result


def _keep(path: Path, result: dict[str, Any]) -> None:
    """Copy from an earlier result what no games give: the exploitability of the agent, and what its authors say."""
    if not path.exists():
        return
    try:
        held = parse_json(read_text(path))
        earlier = {(row["task"], row["agent"]): row for row in held["tasks"]}
    except (ValueError, LookupError, TypeError):  # a damaged file, which is written anew
        return
    if "about" in held:
        result["about"] = held["about"]
    for row in result["tasks"]:
        before = earlier.get((row["task"], row["agent"]), {})
        if "exploitability" in before:
            row["exploitability"] = before["exploitability"]


def _name(agent: AgentLike) -> str:
    """Return the name of an agent in the result: the text that names it, or its own name."""
    return str(agent) if isinstance(agent, str | Path) else agent.name


def _identity(agent: Agent) -> str:
    """Return the identity of an agent itself: every agent of your own plays honestly here."""
    return agent.identity if isinstance(agent, HonestAgent) else identity_of(agent)


class Entry(NamedTuple):
    """An agent on a task: for each level, the agent and the game."""

    task: Task
    agents: dict[str, Agent]
    games: dict[str, Game]


def _entries(agent, names) -> tuple[list[Entry], dict[str, str]]:
    """Return the entries of the tasks to play, and the reasons why others are not played."""
    found, refused = [], {}
    for task in tasks_named(names):
        games = {level.name: task.played(level) for level in task.levels}
        try:
            agents = {name: players.get(players.honest(agent), game) for name, game in games.items()}
        except ValueError as error:
            if names is not None:
                raise
            refused[task.name] = str(error)
        else:
            found.append(Entry(task, agents, games))
    if not found:
        raise ValueError(next(iter(refused.values())))
    return found, refused


def _play(folder, entries, games, executor, progress) -> dict[str, Any]:
    """Play what is missing of the entries, and return the result without its provenance."""
    runs = [_level_run(folder, entry, level, games) for entry in entries for level in entry.task.levels]
    total = sum(run.games for run in runs)
    missing = [run.store.missing(run.games) for run in runs]
    done = total - sum(stop - start for gaps in missing for start, stop in gaps)
    progress(done, total)
    stores = {id(run.series): run.store for run in runs}
    with closing(executor.run(_stretches(runs, missing, executor))) as finished:
        for series, chunk in finished:
            done += len(stores[id(series)].add(chunk))
            progress(done, total)
    rows = [_task_row(entry, [run for run in runs if run.task is entry.task]) for entry in entries]
    sides = [_sides(entry) for entry in entries]
    blocks = [next(run.series.block for run in runs if run.task is entry.task) for entry in entries]
    return with_points(rows, sides, blocks)


def _level_run(folder, entry: Entry, level: Level, games: int) -> LevelRun:
    series = series_of(entry.task, level, entry.agents[level.name], entry.games[level.name])
    at = folder / "games" / entry.task.name / level.name
    store = SeriesStore(at, series, identity(series), origin())
    wanted = whole_blocks(series.block, games)
    if store.longest > wanted:
        raise ValueError(f"games={games}: {at} already holds {store.longest} games; ask for at least as many")
    return LevelRun(entry.task, level, series, wanted, store, at)


def _stretches(runs, missing, executor: Executor) -> Iterator[tuple[Series, int, int]]:
    """Yield the chunks of all levels, so that one level begins before the last chunk of another has ended."""
    for run, gaps in zip(runs, missing, strict=True):
        check_frozen(run.task, run.level)
        if gaps:
            executor.warm_up(run.series)
            yield from cut_ranges(executor, run.series, gaps)


def _sides(entry: Entry) -> int:
    return len(next(iter(entry.games.values())).variant.sides)


def _task_row(entry: Entry, runs: list[LevelRun]) -> dict[str, Any]:
    """Return the row of a task, without points."""
    first = entry.task.levels[0].name
    return {
        "task": entry.task.name,
        "variant": entry.games[first].id,
        "agent": _identity(entry.agents[first]),
        "decisions_per_second": decisions_per_second(entry.games[first], entry.agents[first]),
        "levels": [_level_row(run) for run in runs],
    }


def _level_row(run: LevelRun) -> dict[str, Any]:
    outcomes = outcomes_of(run.series, winners_of(run.store.join(), run.series.game.players))
    opponent = identity_of(run.series.agents[1]) if run.level.opponent else BOSS
    row = level_row(run.level, opponent, len(run.series.game.variant.sides), outcomes)
    actions, seats = moves_of_file(run.folder / "moves.parquet")
    first = actions[: whole_blocks(run.series.block, CHECKED)]
    return row | {"digest": digest_of(actions, seats), "moves": packed(first)}


def moves_of_file(path: Path) -> tuple[list[NDArray[np.integer]], list[NDArray[np.integer]]]:
    """Return the actions and the seats of every game of a file of moves.

    Raises:
        ResultsError: The file is damaged.
        OSError: It cannot be read.
    """
    actions: list[NDArray[np.integer]] = []
    seats: list[NDArray[np.integer]] = []
    try:
        for table in rows_in(path):
            for found, column in ((actions, "actions"), (seats, "seats")):
                lengths, numbers = members_of(table[column])
                found += np.split(numbers, lengths.cumsum()[:-1])
    except (pa.ArrowException, LookupError) as error:
        raise ResultsError(f"{path}: is not a whole file of results") from error
    return actions, seats
