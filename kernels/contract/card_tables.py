"""Reader for tables of cards and boards: TOML rows, with errors that name file, row and word.

A user's table is a file, or its content as a dict. Settings keep the content, so a game can be made again without the
file: in another process, on another machine, from a recorded game.
"""

import hashlib
import json
import tomllib
from collections.abc import Collection, Mapping
from pathlib import Path
from typing import Any, NoReturn, TypeGuard

from stardeck.kernels.errors import MOST, cut, reason, shown
from stardeck.kernels.files import read_text

DEEPEST = 16  # tables and lists inside one another; the campaign of the package has six
LONGEST_NAME = 100  # of a table: names are part of ids, and ids name folders


class TableError(ValueError):
    """Error in a table; the message names the file, the row, the word and the allowed values."""


class Row(dict[str, Any]):
    """Row of a table, or a whole table, with its place for errors. file: the file of a whole table."""

    def __init__(self, values: Mapping[str, Any], where: str, file: Path | None = None) -> None:
        super().__init__(values)
        self.where = where
        self.file = file

    def complain(self, text: str) -> NoReturn:
        """Raise TableError for this row."""
        raise TableError(f"{self.where}: {text}")

    def one_of(self, key: str, allowed: Collection[Any], default: Any = None) -> Any:
        """Return the value of `key`, one of `allowed`."""
        value = self.get(key, default)
        if value not in allowed:
            self.complain(f"{key} = {shown(value)}: must be one of {', '.join(map(str, allowed))}")
        return value

    def number(self, key: str, low: int, high: int, default: int | None = None) -> int:
        """Return the value of `key`, a whole number from `low` to `high`."""
        value = self.get(key, default)
        if not _is_number(value, low, high):
            given = f"{key} = {shown(value)}" if key in self else f"{key} is missing"
            self.complain(f"{given}: must be a whole number from {low} to {high}")
        return value

    def numbers(self, key: str, low: int, high: int, fewest: int, most: int) -> list[int]:
        """Return the value of `key`, a list of `fewest` to `most` whole numbers from `low` to `high`."""
        value: Any = self.get(key)
        fits = isinstance(value, list) and fewest <= len(value) <= most
        if not fits or not all(_is_number(number, low, high) for number in value):
            many = f"{fewest} to {most}" if fewest < most else most
            self.complain(f"{key} = {shown(value)}: must be a list of {many} whole numbers from {low} to {high}")
        return value

    def truth(self, key: str, default: bool = False) -> bool:
        """Return the value of `key`, a truth value."""
        value = self.get(key, default)
        if not isinstance(value, bool):
            self.complain(f"{key} = {shown(value)}: must be true or false")
        return value

    def words(self, key: str) -> list[str]:
        """Return the value of `key`, a list of texts; empty if left out."""
        value = self.get(key, [])
        if not isinstance(value, list) or not all(isinstance(word, str) for word in value):
            self.complain(f"{key} = {shown(value)}: must be a list of texts")
        return value

    def only(self, allowed: Collection[str], what: str = "a row") -> None:
        """Raise TableError for any key that is not in `allowed`. what: the table in words, for the message."""
        for key in self:
            if key not in allowed:
                self.complain(f"{shown(key)} is not known; {what} has {', '.join(allowed)}")


def _is_number(value: Any, low: int, high: int) -> TypeGuard[int]:
    return isinstance(value, int) and not isinstance(value, bool) and low <= value <= high


def read_table(path: str | Path) -> dict[str, Any]:
    """Return the content of a TOML file; TableError if it cannot be read."""
    path = Path(path)
    try:
        return tomllib.loads(read_text(path))
    except OSError as error:
        raise TableError(f"{cut(str(path))}: cannot be read ({reason(error)})") from error
    except (tomllib.TOMLDecodeError, UnicodeDecodeError, RecursionError) as error:
        raise TableError(f"{path}: is not TOML: {cut(str(error))}") from error
    except ValueError as error:  # a null character in the path, a number of thousands of digits
        raise TableError(f"{cut(str(path))!r}: cannot be read ({cut(str(error))})") from error


def named_rows(table: Mapping[str, Any], key: str, path: object) -> list[Row]:
    """Return the rows under `key`, each with a name.

    Args:
        table: The whole table.
        key: The key of the list.
        path: The file, for errors.

    Raises:
        TableError: A row has no name, or two rows share one.
    """
    listed = table.get(key)
    if not isinstance(listed, list) or not listed:
        raise TableError(f"{path}: {key} must be a list of rows")
    rows = []
    seen = set()
    for number, values in enumerate(listed, 1):
        name = values.get("name") if isinstance(values, dict) else None
        if not isinstance(name, str) or not name.strip():
            raise TableError(f"{path}: row {number} of {key} has no name")
        if name in seen:
            raise TableError(f"{path}: row {number} of {key}: {shown(name)} appears twice")
        seen.add(name)
        rows.append(Row(values, f"{path}: {cut(name)}"))
    return rows


def plain(value: Any, where: str, levels: int = DEEPEST) -> Any:
    """Return a copy of a value in plain dicts and lists.

    Args:
        value: Anything that a TOML file can hold, except dates and numbers of more than 64 bits.
        where: Its place, for errors.
        levels: The number of tables and lists that may be nested.

    Raises:
        TableError: The value is of another type, too large a number, or nested too deep.
    """
    if isinstance(value, int) and abs(value) > MOST:  # TOML promises 64 bits, and Python writes no longer numbers
        raise TableError(f"{where}: {shown(value)}: numbers must be below 2**63")
    if isinstance(value, str | bool | int | float):
        return value
    if levels and isinstance(value, list | tuple):
        return [plain(item, where, levels - 1) for item in value]
    if levels and isinstance(value, Mapping):
        for key in value:
            if not isinstance(key, str):
                raise TableError(f"{where}: {shown(key)}: keys must be texts")
        return {key: plain(item, where, levels - 1) for key, item in value.items()}
    allowed = f"a text, a number, a truth value, a list or a table, at most {DEEPEST} inside one another"
    raise TableError(f"{where}: {shown(value)}: must be {allowed}")


def whole_table(value: Any, where: str, printed: Collection[str] = ()) -> Any:
    """Return a table from the path of a file or from its content: a Row.

    Args:
        value: The name of a table of the package, a path, or content.
        where: The name of content in errors.
        printed: Names of tables of the package; they are returned unchanged.
    """
    if isinstance(value, Row) or (isinstance(value, str) and value in printed):
        return value
    if isinstance(value, Mapping):
        return Row(plain(value, where), where)
    return Row(plain(read_table(value), cut(str(value))), str(value), Path(value))


def is_fit_for_ids(name: Any) -> bool:
    """Return whether a name can be part of an id, and so of the name of a folder."""
    fits = isinstance(name, str) and 1 <= len(name) <= LONGEST_NAME and name.isprintable()
    return fits and name.strip() == name and set(name).isdisjoint('/\\:*?"<>|')


def named(table: str | Row, printed: Collection[str]) -> str | Row:
    """Return a user's table with the name that stands for it in ids: its own, else that of its file.

    A table without a name, or with the name of a table of the package, gets a hash of its content as well.

    Args:
        table: The table, or the name of a table of the package, which is returned unchanged.
        printed: Names of tables of the package.
    """
    if isinstance(table, str):
        return table
    name = table.get("name", table.file.stem if table.file else "own")
    if not is_fit_for_ids(name):
        table.complain(f"name = {shown(name)}: must be a text of 1 to {LONGEST_NAME} letters that can name a folder")
    if name in printed or not ("name" in table or table.file):
        content = json.dumps({key: table[key] for key in table if key != "name"}, sort_keys=True)
        name = f"{name}-{hashlib.sha256(content.encode()).hexdigest()[:8]}"
    return Row({"name": name} | table | {"name": name}, table.where, table.file)


def name_of(table: str | Mapping[str, Any]) -> str:
    """Return the name of a table: one of the package, or one that `named` returned."""
    return table if isinstance(table, str) else table["name"]


def as_given(settings: Mapping[str, Any]) -> dict[str, Any]:
    """Return settings as a game shows and accepts them: users' tables become plain dicts with their whole content."""
    return {name: plain(value, name) if isinstance(value, Row) else value for name, value in settings.items()}
