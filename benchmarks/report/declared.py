"""Measurements of a report, as a TOML file declares them.

A file has a `title` and `tables`. A table has a `name`, a `title`, a `text`, a `kind` (one of KINDS), `columns`
(benchmarks/report/cells.py), and `rows`. A row is one measurement; with `across`, it has one measurement for each value
of another setting, side by side. Arguments of the kind (`games`, `agents`, `knobs`) and settings of the game stand in
the table for all of its rows, or in a row.
"""

import re
import tomllib
from collections.abc import Mapping
from pathlib import Path
from typing import Any, NamedTuple

from stardeck.benchmarks.report.cells import CELLS
from stardeck.game.game import Game
from stardeck.game.registry import GAMES
from stardeck.kernels.errors import cut, shown
from stardeck.kernels.files import read_text

DEFAULT_REPORT = Path(__file__).parents[1] / "report.toml"
KINDS = {  # and the arguments of each, besides the settings of the game
    "advantage": ("agents", "games", "seed"),
    "league": ("agents", "games", "seed"),
    "fair": ("knobs", "agents", "within", "games", "seed"),
    "worth": ("agent", "what", "games", "seed"),
}
GAMES_OF_FOLDER = re.compile(r"-games=\d+")
OF_TABLES = ("name", "title", "text", "kind", "columns", "rows", "across", "game")


class Measurement(NamedTuple):
    """One measurement: its kind, its arguments, and its folder below the folder of the report."""

    kind: str
    game: str
    given: dict[str, Any]  # arguments and settings
    folder: str

    @property
    def name(self) -> str:
        """The name: its folder without the number of games, which may be smaller than declared."""
        return GAMES_OF_FOLDER.sub("", self.folder)


class Row(NamedTuple):
    """A row of a table: its label, and one measurement or several side by side."""

    label: dict[str, Any]
    measurements: list[Measurement]


class Table(NamedTuple):
    """A table of a report."""

    name: str
    title: str
    text: str
    kind: str
    columns: list[str]
    across: tuple[str, list[Any]] | None
    rows: list[Row]


class Report(NamedTuple):
    """A report that a file declares."""

    title: str
    tables: list[Table]


def read_report(path: str | Path) -> Report:
    """Read the declaration of a report.

    Raises:
        ValueError: The file is malformed; the message names the place.
        OSError: The file cannot be read.
    """
    try:
        declared = tomllib.loads(read_text(path))
    except (tomllib.TOMLDecodeError, UnicodeDecodeError) as error:
        raise ValueError(f"{path}: is not TOML: {cut(str(error), 200)}") from error
    tables = declared.get("tables")
    if not isinstance(declared.get("title"), str) or not isinstance(tables, list) or not tables:
        raise ValueError(f"{path}: must have a title and [[tables]]")
    made = [_table(number, table, f"{path}: table {number + 1}") for number, table in enumerate(tables)]
    names = [table.name for table in made]
    if len(set(names)) < len(names):
        raise ValueError(f"{path}: name: {', '.join(names)}: each table must have another one")
    return Report(declared["title"], made)


def _table(number, declared, where):
    if not isinstance(declared, Mapping):
        raise ValueError(f"{where}: must be a table")
    name = declared.get("name")
    if not isinstance(name, str) or not name.replace("_", "").replace("-", "").isalnum():
        raise ValueError(f"{where}: name={shown(name)}: must be letters, digits, - and _")
    where = f"{where} ({name})"
    kind, game = declared.get("kind"), declared.get("game")
    for key, value, known in (("kind", kind, KINDS), ("game", game, GAMES)):
        if value not in known:
            raise ValueError(f"{where}: {key}={shown(value)}: must be one of {', '.join(known)}")
    columns = declared.get("columns", list(CELLS[kind])[:3])
    if unknown := [column for column in columns if column not in CELLS[kind]]:
        raise ValueError(f"{where}: columns: {shown(unknown[0])}: must be among {', '.join(CELLS[kind])}")
    across = _across(declared.get("across"), where)
    shared = {key: value for key, value in declared.items() if key not in OF_TABLES}
    rows = declared.get("rows", [{}])
    if not isinstance(rows, list) or not all(isinstance(row, Mapping) for row in rows):
        raise ValueError(f"{where}: rows={shown(rows)}: must be a list of tables")
    made = [_row(name, kind, game, shared | dict(row), row, across, where) for row in rows]
    texts = (declared.get("title", name), declared.get("text", ""))
    return Table(name, *map(str, texts), kind, columns, across, made)


def _across(declared, where):
    if declared is None:
        return None
    if not isinstance(declared, Mapping) or len(declared) != 1 or not isinstance(list(declared.values())[0], list):
        raise ValueError(f"{where}: across={shown(declared)}: must be one setting with a list of values")
    (found,) = declared.items()
    return found


def _row(name, kind, game, given, label, across, where):
    columns = [{}] if across is None else [{across[0]: value} for value in across[1]]
    measurements = [_measurement(name, kind, game, given | column, dict(label) | column, where) for column in columns]
    return Row(dict(label), measurements)


def _measurement(name, kind, game, given, label, where):
    settings = {key: value for key, value in given.items() if key not in KINDS[kind]}
    try:
        Game.named(game, settings)
    except ValueError as error:
        raise ValueError(f"{where}: {error}") from error
    named = "-".join(f"{key}={_in_folder(value)}" for key, value in label.items()) or "all"
    return Measurement(kind, game, given, f"{name}/{named}")


def _in_folder(value):
    text = ",".join(map(str, value)) if isinstance(value, list) else str(value)
    return "".join(letter if letter.isalnum() or letter in ",._=" else "_" for letter in text)[:80]
