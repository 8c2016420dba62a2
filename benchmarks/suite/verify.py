"""Verification of a result: its counts, and its games, played again from their seeds.

A result holds the first games of each level. In each of them the deal follows from the level, the opponent's decisions
follow from the deal, and the entry's moves must be legal. So a file cannot claim games that were not played like this.
The folder of the run holds all games, and the agent itself can be asked again where it is at hand.
"""

import math
from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from stardeck import agents as players
from stardeck.agents.identity import identity_of
from stardeck.benchmarks.arena.options import Progress, silent
from stardeck.benchmarks.arena.series import Series
from stardeck.benchmarks.suite.levels import (
    CHECKED,
    Outcomes,
    check_frozen,
    digest_of,
    outcomes_of,
    series_of,
    whole_blocks,
)
from stardeck.benchmarks.suite.measure import BOSS, moves_of_file
from stardeck.benchmarks.suite.result_file import (
    BadResult,
    blocks_of,
    level_row,
    outcomes_of_blocks,
    read_result,
    task_of,
    unpacked,
    with_points,
)
from stardeck.benchmarks.suite.tasks import SUITE, Level, Task, tasks_named
from stardeck.game.agent import Agent, AgentLike, decisions
from stardeck.kernels.errors import IllegalAction, shown

CLOSE = 1e-6  # relative difference of two computed numbers that count as equal

Games = list[NDArray[np.integer]]


class Disagreement(ValueError):
    """A result does not follow from its games."""


def verify(
    path: str | Path, agent: AgentLike | None = None, tasks: Iterable[str] | None = None,
    progress: Progress | None = None,
) -> dict[str, Any]:  # fmt: skip
    """Verify a result file; a folder of a run has all of its games verified.

    Args:
        path: Result file, or the folder of a run.
        agent: The agent of the result, to compare its decisions too.
        tasks: Names of the tasks whose games are played again, if they are in the result; None: all.
        progress: Function that is called as `progress(done, games)`.

    Returns:
        {agent, games, all_games, asked}: the number of games that were played again, whether these were all games of
        the run, and whether the agent was asked.

    Raises:
        Disagreement: The result does not follow from its games; the message says where.
        BadResult: The file is no result of the suite.
        ValueError: The agent cannot play a task of the result, or this version of the package plays a task otherwise.
        OSError: The file cannot be read.
    """
    folder = Path(path) if Path(path).is_dir() else None
    result = read_result(Path(path) / "result.json" if folder else path)
    check_sums(result)
    report, done = progress or silent, 0
    wanted = tasks_named(tasks)
    parts = [part for part in _levels(result) if part[0] in wanted]
    total = sum(row["games"] if folder else CHECKED for _, _, row in parts)
    for task, level, row in parts:
        done += _check_level(task, level, row, folder, agent)
        report(min(done, total), total)
    return {"agent": result["agent"], "games": done, "all_games": folder is not None, "asked": agent is not None}


def _levels(result: dict[str, Any]) -> Iterator[tuple[Task, Level, dict[str, Any]]]:
    for task_row in result["tasks"]:
        task = task_of(task_row)
        for level, row in zip(task.levels, task_row["levels"], strict=True):
            yield task, level, row


def check_sums(result: dict[str, Any]) -> None:
    """Raise BadResult or Disagreement unless all numbers of a result follow from its counts of blocks.

    Args:
        result: The result, in the form that `read_result` returns.
    """
    names = [task["task"] for task in result["tasks"]]
    if names != [task.name for task in SUITE.tasks if task.name in names]:
        raise BadResult(f"tasks: {', '.join(names)}: must be different, and in the order of the suite")
    sides, rows = [], []
    for row in result["tasks"]:
        task = task_of(row)
        if [level["level"] for level in row["levels"]] != [level.name for level in task.levels]:
            raise BadResult(f"{task.name}: levels: must be {', '.join(level.name for level in task.levels)}")
        played = task.played(task.levels[0])
        count = len(played.variant.sides)
        if row["variant"] != played.id:
            raise BadResult(f"{task.name}: variant {shown(row['variant'])}: must be {played.id}")
        games = whole_blocks(count, result["games"])
        for level, held in zip(task.levels, row["levels"], strict=True):
            outcomes = _outcomes(f"{task.name}, level {level.name}", held, count, games)
            made = level_row(level, held["opponent"], count, outcomes)
            for name, value in made.items():
                _same(f"{task.name}, level {level.name}: {name}", held[name], value)
        sides.append(count)
        rows.append(row)
    made = with_points(rows, sides, sides)
    _same_points("overall", result["overall"], made["overall"])
    for held, found in zip(result["tasks"], made["tasks"], strict=True):
        _same_points(held["task"], held, found)
        for level, found_level in zip(held["levels"], found["levels"], strict=True):
            _same(f"{held['task']}, level {level['level']}: points", level["points"], found_level["points"])


def _outcomes(place: str, held: dict[str, Any], sides: int, games: int) -> Outcomes:
    """Return the outcomes of a level, if its counts are possible."""
    for won, undecided, _ in held["blocks"]:
        if won + undecided > sides:
            raise Disagreement(f"{place}: blocks: {won} won and {undecided} undecided games in a block of {sides}")
    if sum(count for *_, count in held["blocks"]) * sides != games or held["games"] != games:
        raise Disagreement(f"{place}: blocks: must have {games} games in all")
    return outcomes_of_blocks(held["blocks"], sides)


def _same_points(place, held, made):
    if (held is None) != (made is None):
        raise Disagreement(f"{place}: {shown(held)}: must be {shown(made)}")
    for name in ("points", "low", "high") if made else ():
        _same(f"{place}: {name}", held[name], made[name])


def _same(place, held, made):
    close = isinstance(made, float) and isinstance(held, float | int) and math.isclose(held, made, rel_tol=CLOSE)
    if not close and held != made:
        raise Disagreement(f"{place}: {shown(held)}: the counts give {shown(made)}")


def _check_level(task: Task, level: Level, row: dict[str, Any], folder: Path | None, agent: AgentLike | None) -> int:
    """Play the games of a level again, and return their number. Raises Disagreement."""
    place = f"{task.name}, level {level.name}"
    game = task.played(level)
    asked = None if agent is None else players.get(players.honest(agent), game)
    check_frozen(task, level)
    series = series_of(task, level, asked or _Absent(), game)
    opponent = identity_of(series.agents[1]) if level.opponent else BOSS
    if row["opponent"] != opponent:
        raise Disagreement(f"{place}: opponent {shown(row['opponent'])}: must be {opponent}")
    try:
        actions: Games = list(unpacked(row["moves"]))
    except ValueError as error:
        raise BadResult(f"{place}: {error}") from error
    first = min(whole_blocks(series.block, CHECKED), row["games"])
    if len(actions) != first:
        raise BadResult(f"{place}: moves: {len(actions)} games: must be {first}")
    if folder is None:
        _check_contained(blocks_of(replayed(series, actions, place, asked)), row["blocks"], place)
        return len(actions)
    stored, seats = moves_of_file(folder / "games" / task.name / level.name / "moves.parquet")
    if any(not np.array_equal(one, other) for one, other in zip(actions, stored, strict=False)):
        raise Disagreement(f"{place}: the folder holds other games than the result")
    if digest_of(stored, seats) != row["digest"]:
        raise Disagreement(f"{place}: digest {row['digest']}: the games in the folder have {digest_of(stored, seats)}")
    outcomes = replayed(series, stored, place, asked)
    if blocks_of(outcomes) != row["blocks"]:
        raise Disagreement(f"{place}: blocks: the games in the folder end otherwise")
    return len(stored)


def _check_contained(some: list[list[int]], every: list[list[int]], place: str) -> None:
    """Raise Disagreement if the first games have ended in a way that the counts of all games do not have."""
    counts = {(won, undecided): count for won, undecided, count in every}
    for won, undecided, count in some:
        if counts.get((won, undecided), 0) < count:
            text = f"{count} of the first blocks have {won} won and {undecided} undecided games"
            raise Disagreement(f"{place}: blocks: {text}, which is more than the counts of all games have")


class _Absent:
    """The place of an entry that is not asked."""

    name = "entry"
    identity = "absent"

    def act(self, *given: Any) -> NDArray[np.integer]:
        """Raise NotImplementedError: the moves are known."""
        raise NotImplementedError


def replayed(series: Series, actions: Sequence[NDArray[np.integer]], place: str, asked: Agent | None) -> Outcomes:
    """Play games [0, n) of a level again, and return their outcomes.

    Args:
        series: Series of the level.
        actions: For each game, the actions.
        place: Name of the level, for errors.
        asked: The entry, if its decisions are compared too.

    Raises:
        Disagreement: A move is illegal, or an agent decides otherwise.
    """
    game = series.game
    rotations, seeds = series.deals(np.arange(len(actions)))
    mine = np.array([[agent is series.agents[0] for agent in lineup] for lineup in series.lineups])[rotations]
    states = game.deal(seeds)
    lengths = np.array([len(one) for one in actions])
    while len(rows := np.flatnonzero(~game.is_over(states))):
        at, chosen, seats = states["decisions"][rows], game.take(states, rows), game.to_act(states)[rows]
        if (short := rows[at >= lengths[rows]]).size:
            raise Disagreement(f"{place}: game {short[0]}: its moves end before the game does")
        made = np.array([actions[row][ply] for row, ply in zip(rows.tolist(), at.tolist(), strict=True)], np.int64)
        try:
            game.check_actions(chosen, made)
        except IllegalAction as error:
            raise Disagreement(f"{place}: {error}") from error
        decides = [(~mine[rows, seats], series.agents[-1])] + ([(mine[rows, seats], asked)] if asked else [])
        for which, agent in decides:
            if not which.any():
                continue
            some = np.flatnonzero(which)
            drawn = series.decision_seeds(seeds[rows[some]], seats[some], game.take(chosen, some))
            differs = decisions(agent, game, game.take(chosen, some), drawn) != made[some]
            if differs.any():
                row = rows[some[differs.argmax()]]
                raise Disagreement(
                    f"{place}: game {row}: decision {states['decisions'][row]}: {agent.name} decides otherwise"
                )
        game.apply(chosen, made)
        game.put(states, rows, chosen)
    if (long := np.flatnonzero(states["decisions"] != lengths)).size:
        raise Disagreement(f"{place}: game {long[0]}: its moves go on after the game")
    return outcomes_of(series, game.winners(states))
