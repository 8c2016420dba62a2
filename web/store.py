"""Games on disk in one SQLite file. Every move is stored before anyone sees it."""

import json
import sqlite3
import threading
import time
from pathlib import Path
from typing import Any, NamedTuple

from stardeck.kernels.errors import reason

FORMAT = 1


class StoredGame(NamedTuple):
    """A stored game."""

    id: str
    name: str  # name of the game, such as star_realms
    settings: dict[str, Any]
    tables: str  # hash of the card tables
    seed: int
    players: list[dict[str, Any]]  # by seat: {"person": hash of the token}, {"agent": text}; in a replay {"name": …}
    actions: list[int]
    position: dict[str, Any] | None = None  # the position at the beginning, instead of a deal
    draws: list[Any] | None = None  # cards drawn after shuffles, as in records


class StoreError(ValueError):
    """Error for a file that cannot be used; the message gives the reason."""


class Store:
    """The games of a server, in a file that only one server can open. Raises StoreError."""

    def __init__(self, path: str | Path) -> None:
        self._lock = threading.Lock()
        try:
            Path(path).parent.mkdir(parents=True, exist_ok=True)
            self._file = sqlite3.connect(path, timeout=1, check_same_thread=False, isolation_level=None)
            self._file.execute("PRAGMA locking_mode=EXCLUSIVE")
            self._file.execute("PRAGMA journal_mode=WAL")
            version = self._file.execute("PRAGMA user_version").fetchone()[0]
            if version not in (0, FORMAT):
                raise StoreError(f"{path}: was written by another version of Stardeck; choose another --folder")
            with self._file:
                self._file.executescript(
                    "CREATE TABLE IF NOT EXISTS games (id TEXT PRIMARY KEY, name TEXT, settings TEXT, tables TEXT,"
                    " seed TEXT, players TEXT, position TEXT, made REAL);"
                    "CREATE TABLE IF NOT EXISTS moves (game TEXT, number INTEGER, action INTEGER,"
                    " PRIMARY KEY (game, number)) WITHOUT ROWID;"
                    " CREATE TABLE IF NOT EXISTS draws (game TEXT PRIMARY KEY, draws TEXT);"
                    f" PRAGMA user_version={FORMAT}"
                )
        except (sqlite3.Error, OSError) as error:
            raise StoreError(f"{path}: cannot be used ({reason(error)}); another server may have it open") from error

    def add(self, saved: StoredGame) -> None:
        """Store a new game."""
        settings, players, position = map(json.dumps, (saved.settings, saved.players, saved.position))
        row = saved.id, saved.name, settings, saved.tables, str(saved.seed), players, position, time.time()
        with self._lock, self._file:
            self._file.execute("INSERT INTO games VALUES (?, ?, ?, ?, ?, ?, ?, ?)", row)
            self._add_moves(saved.id, 0, saved.actions)
            if saved.draws:
                self._file.execute("INSERT INTO draws VALUES (?, ?)", (saved.id, json.dumps(saved.draws)))

    def append(self, game: str, number: int, actions: list[int]) -> None:
        """Store the actions that follow the first `number`."""
        with self._lock, self._file:
            self._add_moves(game, number, actions)

    def _add_moves(self, game, number, actions):
        rows = [(game, number + k, int(action)) for k, action in enumerate(actions)]
        self._file.executemany("INSERT INTO moves VALUES (?, ?, ?)", rows)

    def cut(self, game: str, number: int) -> None:
        """Keep only the first `number` actions."""
        with self._lock, self._file:
            self._file.execute("DELETE FROM moves WHERE game = ? AND number >= ?", (game, number))

    def set_players(self, game: str, players: list[dict[str, Any]]) -> None:
        """Store who plays from now on."""
        with self._lock, self._file:
            self._file.execute("UPDATE games SET players = ? WHERE id = ?", (json.dumps(players), game))

    def get(self, game: str) -> StoredGame | None:
        """Return a game, or None for an unknown id."""
        with self._lock:
            row = self._file.execute(
                "SELECT id, name, settings, tables, seed, players, position FROM games WHERE id = ?", (game,)
            ).fetchone()
            draws = self._file.execute("SELECT draws FROM draws WHERE game = ?", (game,)).fetchone()
            moves = self._file.execute("SELECT action FROM moves WHERE game = ? ORDER BY number", (game,)).fetchall()
        if row is None:
            return None
        settings, players, position = map(json.loads, (row[2], row[5], row[6]))
        actions, later = [action for (action,) in moves], json.loads(draws[0]) if draws else None
        return StoredGame(row[0], row[1], settings, row[3], int(row[4]), players, actions, position, later)

    def close(self) -> None:
        """Close the file."""
        with self._lock:
            self._file.close()
