"""The result of a run of the suite as one JSON file, which others can verify (verify.py) and put on the leaderboard.

- `benchmark`, `version`: the suite.
- `agent`: the name of the agent. `games`: the games of each level that were asked for.
- `overall`: {points, low, high}, or null where a task was not played. Points go from 0 to 100 (points.py).
- `tasks`: {task, variant, agent, points, low, high, decisions_per_second, levels}; `agent` is the identity of the agent
  that played the task. `exploitability` is {win_rate, low, high, decisions} of a best response, if it was measured.
- `levels`: {level, opponent, games, won, undecided, win_rate, low, high, points, blocks, digest, moves}. `opponent` is
  an identity, or `Boss`. `win_rate` has Wilson's 95 % interval; an undecided game counts 1/n to each of n sides.
  `blocks` counts the blocks of games that share a deal: [won, undecided, number of blocks]. `digest` is a hash of all
  games (levels.py), and `moves` has the first ones (`packed`).
- `about`: {name, authors, url, description}, each optional: what the authors say of the agent. They add it by hand.
- `not_played`: {task: reason}. `origin`: {version, command, date, machine}.

The schema is `stardeck/benchmarks/suite/result.schema.json` (JSON Schema, draft 2020-12).
"""

import base64
import binascii
import json
import zlib
from collections import Counter
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from stardeck.benchmarks.advantage.measure import win_rate
from stardeck.benchmarks.results.atomic_files import parse_json, write_whole
from stardeck.benchmarks.suite.levels import Outcomes
from stardeck.benchmarks.suite.points import points, shares
from stardeck.benchmarks.suite.tasks import SUITE, Level, Task
from stardeck.kernels.files import read_text

MOST_BYTES = 1 << 24  # of a result file
MOST_MOVES = 1 << 20  # of all first games of a level


class BadResult(ValueError):
    """A file is not a result of the suite; the message names the file and says why."""


def packed(games: Sequence[NDArray[np.integer]]) -> str:
    """Return the actions of games as text.

    It is base64 of a zlib stream of 16-bit numbers, the low byte first: for each game the number of its actions, and
    the actions.
    """
    numbers = np.concatenate([np.append(len(game), game) for game in games]).astype("<u2")
    return base64.b64encode(zlib.compress(numbers.tobytes(), 9)).decode()


def unpacked(text: str) -> list[NDArray[np.int64]]:
    """Return the actions of games that `packed` has written. Raises ValueError."""
    try:
        inflater = zlib.decompressobj()
        content = inflater.decompress(base64.b64decode(text, validate=True), 2 * MOST_MOVES)
    except (binascii.Error, zlib.error, ValueError) as error:
        raise ValueError(f"moves cannot be read ({error})") from error
    if not inflater.eof or len(content) % 2:
        raise ValueError("moves are cut off, or too long")
    numbers = np.frombuffer(content, "<u2").astype(np.int64)
    games, at = [], 0
    while at < len(numbers):
        end = at + 1 + int(numbers[at])
        if end > len(numbers):
            raise ValueError("moves are cut off")
        games.append(numbers[at + 1 : end])
        at = end
    return games


def blocks_of(outcomes: Outcomes) -> list[list[int]]:
    """Return the counts of blocks by their outcome: [won, undecided, blocks]."""
    counted = Counter(zip(outcomes.won.tolist(), outcomes.undecided.tolist(), strict=True))
    return [[*outcome, count] for outcome, count in sorted(counted.items())]


def outcomes_of_blocks(blocks: Sequence[Sequence[int]], block: int) -> Outcomes:
    """Return the outcomes that `blocks_of` has counted. block: games of a block."""
    held = np.array(blocks, np.int64).reshape(-1, 3)
    return Outcomes(np.repeat(held[:, 0], held[:, 2]), np.repeat(held[:, 1], held[:, 2]), block)


def level_row(level: Level, opponent: str, sides: int, outcomes: Outcomes) -> dict[str, Any]:
    """Return the row of a level, without points.

    Args:
        level: The level.
        opponent: Identity of the opponent.
        sides: Number of sides.
        outcomes: Outcomes of all its games.
    """
    games = len(outcomes.won) * outcomes.block
    won, undecided = int(outcomes.won.sum()), int(outcomes.undecided.sum())
    counts = {"level": level.name, "opponent": opponent, "games": games, "won": won, "undecided": undecided}
    return counts | win_rate(won + undecided / sides, games) | {"blocks": blocks_of(outcomes)}


def with_points(tasks: list[dict[str, Any]], sides: Sequence[int], blocks: Sequence[int]) -> dict[str, Any]:
    """Return {overall, tasks}: the rows with their points.

    Args:
        tasks: Rows of the tasks, with `levels`.
        sides: Number of sides of each task.
        blocks: Games of a block, of each task.
    """
    counted = []
    for task, count, block in zip(tasks, sides, blocks, strict=True):
        outcomes = (outcomes_of_blocks(level["blocks"], block) for level in task["levels"])
        counted.append([(shares(one, count), count) for one in outcomes])
    found = points(counted)
    rows = []
    for task, row in zip(tasks, found["tasks"], strict=True):
        levels = [
            level | {"points": found_level["points"]}
            for level, found_level in zip(task["levels"], row["levels"], strict=True)
        ]
        rows.append(task | {name: row[name] for name in ("points", "low", "high")} | {"levels": levels})
    whole = {name: found[name] for name in ("points", "low", "high")}
    return {"overall": whole if len(tasks) == len(SUITE.tasks) else None, "tasks": rows}


def write_result(path: Path, result: dict[str, Any]) -> None:
    """Write a result file."""
    write_whole(path, json.dumps(result, indent=2) + "\n")


def read_result(path: str | Path) -> dict[str, Any]:
    """Return a result that has the form of the suite's version.

    Raises:
        BadResult: The file is no such result.
        OSError: The file cannot be read.
    """
    from jsonschema import Draft202012Validator

    try:
        held = parse_json(read_text(path, MOST_BYTES))
    except ValueError as error:
        raise BadResult(f"{path}: is not JSON ({error})") from error
    schema = parse_json(read_text(Path(__file__).with_name("result.schema.json")))
    errors = sorted(Draft202012Validator(schema).iter_errors(held), key=lambda error: list(map(str, error.path)))
    if errors:
        place = ".".join(map(str, errors[0].path)) or "the file"
        raise BadResult(f"{path}: is not a result of {SUITE.name} {SUITE.version}: {place}: {errors[0].message[:200]}")
    return dict(held)


def task_of(row: dict[str, Any]) -> Task:
    """Return the task of a row."""
    return next(task for task in SUITE.tasks if task.name == row["task"])
