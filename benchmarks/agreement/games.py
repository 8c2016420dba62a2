"""Games that people have played, read from a folder: text logs of the Star Realms app, and recorded games (`*.jsonl`).

A log leaves some cards open, and the importer deals them so that the whole log can happen (docs/guides/logs.md). The
states therefore hold everything, and hidden cards in them know the future: only what a seat may see counts.
"""

from collections.abc import Iterator
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from stardeck.benchmarks.recordings import record
from stardeck.benchmarks.recordings.app_log.importer import import_log
from stardeck.benchmarks.results.filesystems import folder_here
from stardeck.game.agent import Actions, States
from stardeck.game.game import Game
from stardeck.kernels.errors import cut, said
from stardeck.kernels.files import read_text

RECORDS = ".jsonl"  # any other file is read as a text log


class PlayedGame(NamedTuple):
    """A game with its decisions in order."""

    file: str  # within the folder; with the number of the line where a file holds several games
    game: Game
    players: list[str]  # by seat
    states: States  # one row for each decision
    actions: Actions  # int64[n]
    returns: list[float]  # by seat
    over: bool  # False: the file ends before the game does
    guessed: bool  # True: the file does not say where all cards were
    remark: str  # the first contradiction between file and rules, or an empty text


class Choices(NamedTuple):
    """The decisions of a game as choices among legal actions.

    Cards that can be played in any order with the same result are one choice (`Game.play_all`): logs do not say in
    which order. A decision is real if its player could choose something else.
    """

    legal: NDArray[np.bool_]  # [n, num_actions]
    same: NDArray[np.bool_]  # [n, num_actions]: what counts as the player's choice
    real: NDArray[np.bool_]  # [n]


class LeftOut(NamedTuple):
    """A file, or a game of it, that does not count."""

    file: str
    reason: str


def files_of(folder: str | Path) -> list[Path]:
    """Return the files of a folder and of the folders in it, sorted; names that begin with a dot do not count.

    Raises:
        ValueError: It is not a folder of this machine, or has no files.
    """
    top = folder_here(folder)
    if not str(folder) or not top.is_dir():
        raise ValueError(f"{str(folder)!r}: must be a folder of logs")
    found = (path.relative_to(top) for path in top.rglob("*") if path.is_file())
    files = [top / path for path in sorted(found) if not any(part.startswith(".") for part in path.parts)]
    if not files:
        raise ValueError(f"{folder}: has no files; it must hold logs of the app, or recorded games (*{RECORDS})")
    return files


def read_games(path: Path, name: str, game: Game) -> Iterator[PlayedGame | LeftOut]:
    """Yield the games of a file, each with its decisions or with the reason why it does not count.

    Args:
        path: A log, or a file of recorded games.
        name: Name of the file in reasons.
        game: The variant; a game counts if it has the same observations and actions. Its other settings may differ.
    """
    try:
        records = _records_of(path, name)
    except UnicodeDecodeError as error:
        yield LeftOut(name, f"is not text in UTF-8 ({said(error)})")
        return
    except (OSError, ValueError) as error:
        yield LeftOut(name, cut(said(error).removeprefix(f"{path}: "), 300))
        return
    for where, written, remark in records:
        yield _played(where, written, remark, game)


def choices_of(played: PlayedGame) -> Choices:
    """Return the decisions of a game as choices."""
    legal = played.game.legal_actions(played.states).astype(bool)
    same = np.zeros_like(legal)
    for row, (state, action) in enumerate(zip(played.states, played.actions.tolist(), strict=True)):
        free = played.game.play_all(state)
        same[row, free if action in free else action] = True
    return Choices(legal, same, same.sum(axis=1) < legal.sum(axis=1))


def _records_of(path, name):
    """Return the records of a file as (name of the game, record, remark). Raises OSError or ValueError."""
    if path.suffix == RECORDS:
        records = record.read(path)
        return [(f"{name}: line {number}", one, "") for number, one in enumerate(records, 1)]
    imported = import_log(read_text(path))
    if imported.unknown:
        raise ValueError(f"has unknown {imported.unknown}")
    remark = str(imported.contradictions[0]) if imported.contradictions else ""
    return [(name, imported.record, cut(remark, 300))]


def _played(name, written, remark, wanted: Game) -> PlayedGame | LeftOut:
    """Return the game of a record with all decisions."""
    states: list[States] = []
    actions: list[int] = []

    def keep(now: States, action: int | None) -> None:
        if action is not None:
            states.append(now.copy())
            actions.append(action)

    try:
        known = record.game_of(written)
        if known.variant.game != wanted.variant.game or known.spaces != wanted.spaces:
            return LeftOut(name, f"is a game of {known.id}, with other observations and actions than {wanted.id}")
        game, end = record.replay(written, keep)
    except (ValueError, LookupError, TypeError) as error:  # anyone may have written the file
        return LeftOut(name, cut(said(error), 300))
    if not actions:
        return LeftOut(name, remark or "has no decisions")
    rows = np.concatenate(states)
    returns: list[Any] = game.returns(end)[0].tolist()
    guessed = written.get("dealt", "as logged") != "as logged"
    over = bool(game.is_over(end)[0])
    return PlayedGame(name, game, written["agents"], rows, np.array(actions, np.int64), returns, over, guessed, remark)
