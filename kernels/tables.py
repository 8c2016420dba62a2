"""Reading tables of cards and boards: TOML rows, with complaints that name file, row and word."""

import tomllib
from pathlib import Path

from stardeck.kernels.errors import cut, shown


class TableError(ValueError):
    """A table is malformed; the message names the file, the row and the word, and what is allowed."""


class Row(dict):
    """One row of a table, which knows where it stands."""

    def __init__(self, values, where):
        super().__init__(values)
        self.where = where

    def complain(self, text):
        """Raise TableError for this row."""
        raise TableError(f"{self.where}: {text}")

    def one_of(self, key, allowed, default=None):
        """The value of `key`, one of `allowed`."""
        value = self.get(key, default)
        if value not in allowed:
            self.complain(f"{key} = {shown(value)}: must be one of {', '.join(map(str, allowed))}")
        return value

    def number(self, key, low, high, default=None):
        """The value of `key`, a whole number from `low` to `high`."""
        value = self.get(key, default)
        if not isinstance(value, int) or isinstance(value, bool) or not low <= value <= high:
            given = f"{key} = {shown(value)}" if key in self else f"{key} is missing"
            self.complain(f"{given}: must be a whole number from {low} to {high}")
        return value

    def words(self, key):
        """The value of `key`, a list of texts; empty when left out."""
        value = self.get(key, [])
        if not isinstance(value, list) or not all(isinstance(word, str) for word in value):
            self.complain(f"{key} = {shown(value)}: must be a list of texts")
        return value

    def only(self, allowed, what="a row"):
        """Complain of any key that is not in `allowed`. what: the table is, in words."""
        for key in self:
            if key not in allowed:
                self.complain(f"{shown(key)} is not known; {what} has {', '.join(allowed)}")


def read_table(path) -> dict:
    """The content of a TOML file; TableError if it cannot be read."""
    path = Path(path)
    try:
        return tomllib.loads(path.read_text(encoding="utf-8"))
    except OSError as error:
        raise TableError(f"{cut(str(path))}: cannot be read ({error.strerror})") from error
    except (tomllib.TOMLDecodeError, UnicodeDecodeError, RecursionError) as error:
        raise TableError(f"{path}: is not TOML: {cut(str(error))}") from error
    except ValueError as error:  # a null character in the path, a number of thousands of digits
        raise TableError(f"{cut(str(path))!r}: cannot be read ({cut(str(error))})") from error


def named_rows(table, key, path) -> list[Row]:
    """The rows under `key`, each with a name; TableError if one has none or two share one."""
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
            raise TableError(f"{path}: row {number} of {key}: {shown(name)} stands twice")
        seen.add(name)
        rows.append(Row(values, f"{path}: {cut(name)}"))
    return rows
