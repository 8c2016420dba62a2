"""Results of a series on disk: one row a game, kept from the moment it is played.

Finished stretches are written as small files under `parts/`, each complete or absent, and joined into
`games.parquet` when the series is done or interrupted. The identity of the series (variant, agents, seed, tables) is
kept in every file, so that results of two series can never be mixed, and every page has a checksum: a file that is
damaged or has another's name is refused before a game is played.
"""

import json
import shutil
from pathlib import Path

import numpy as np

from stardeck.benchmarks.arrow import pa, pq
from stardeck.benchmarks.disk import parse_json, whole

SCHEMA = pa.schema(
    [
        ("index", pa.int64()),
        ("seed", pa.uint64()),  # of the deal
        ("agents", pa.list_(pa.string())),  # by seat
        ("first", pa.int32()),  # the seat that moved first
        ("winner", pa.list_(pa.int32())),  # seats; empty: none
        ("truncated", pa.bool_()),
        ("turns", pa.int32()),
        ("decisions", pa.int32()),
        ("placements", pa.list_(pa.int32())),  # of the sides, by seat: 1 for the winner, equal ranks shared
        ("scenarios", pa.list_(pa.int32())),  # of a campaign: the seat that has won each; -1: not played
    ]
)
NEWER = ("scenarios",)  # columns that files of earlier versions may lack
KEY = b"stardeck"


class ResultsError(ValueError):
    """A folder of results cannot be used; the message names the file and says why."""


def _unreadable(path, error=None) -> ResultsError:
    """What to say of a file that cannot be read: by the disk, or because it is not what was written."""
    if getattr(error, "errno", None):
        return ResultsError(f"{path}: cannot be read ({error.strerror})")
    return ResultsError(f"{path}: is not a whole file of results; delete it to play its games again")


def _misnamed(path) -> ResultsError:
    return ResultsError(f"{path}: does not hold the games that its name says; delete it to play them again")


def silent(done, games) -> None:
    """The progress of whoever does not ask for one."""


def last_speed(path):
    """The games a second of the summary that an earlier run has left at `path`, or None."""
    try:
        speed = parse_json(path.read_text(encoding="utf-8"))["games_per_second"]
    except (OSError, ValueError, LookupError, TypeError):
        return None
    return speed if isinstance(speed, float) else None


def table_of(chunk, names) -> pa.Table:
    """The rows of a finished stretch of games."""
    length = len(chunk.seeds)
    seats = np.arange(chunk.winners.shape[1])
    columns = [
        np.arange(chunk.start, chunk.start + length),
        chunk.seeds,
        [names[rotation] for rotation in chunk.rotations],
        chunk.first.astype(np.int32),
        [seats[row].tolist() for row in chunk.winners],
        chunk.truncated,
        chunk.turns.astype(np.int32),
        chunk.decisions.astype(np.int32),
        chunk.placements.tolist(),
        chunk.scenarios.tolist(),
    ]
    return pa.table([pa.array(column, field.type) for column, field in zip(columns, SCHEMA, strict=True)], SCHEMA)


class Store:
    """The results of one series in a folder. identity: a dict that JSON can hold."""

    def __init__(self, folder, identity: dict):
        self.folder = Path(folder)
        self.identity = identity
        self._parts = self.folder / "parts"
        self._games = self.folder / "games.parquet"
        try:
            self._parts.mkdir(parents=True, exist_ok=True)
        except OSError as error:
            raise ResultsError(f"{self.folder}: cannot be written to ({error.strerror})") from error
        self._done = {}  # (start, stop) -> file
        if self._games.exists():
            self._done[0, len(self._read(self._games, 0))] = self._games
        for path in sorted(self._parts.glob("*.parquet")):
            start, _, stop = path.stem.partition("-")
            if not (start.isdecimal() and stop.isdecimal()):
                raise ResultsError(f"{path}: is not a file of results")
            if len(self._read(path, int(start))) != int(stop) - int(start):
                raise _misnamed(path)
            self._done[int(start), int(stop)] = path

    def _read(self, path, start) -> pa.Table:
        """The rows of a file, which must belong to this series and be its games from `start` on."""
        try:
            with path.open("rb") as opened, pq.ParquetFile(opened) as file:  # Arrow takes some names for addresses
                written = dict(parse_json(file.metadata.metadata[KEY]))
                columns = file.schema_arrow.names
        except (pa.ArrowException, OSError, LookupError, TypeError, ValueError) as error:
            raise _unreadable(path, error) from error
        self._check(path, written, columns)
        try:
            with path.open("rb") as opened:
                table = pq.read_table(opened, schema=SCHEMA, page_checksum_verification=True)
        except (pa.ArrowException, OSError, ValueError) as error:
            raise _unreadable(path, error) from error
        if any(table[name].null_count for name in columns):
            raise _unreadable(path)
        if not np.array_equal(table["index"].to_numpy(), np.arange(start, start + len(table))):
            raise _misnamed(path)
        return table

    def _check(self, path, written, columns):
        """Raise ResultsError for a file of another series or version."""
        for key, value in self.identity.items():
            if written.get(key) != value:
                other = f"{key} {json.dumps(written.get(key))}, not {json.dumps(value)}"
                raise ResultsError(f"{self.folder}: holds results with {other}; choose another folder (--out)")
        lacking = [name for name in SCHEMA.names if name not in (*columns, *NEWER)]
        if lacking:
            raise ResultsError(
                f"{path}: has no column {', '.join(lacking)}, for an older version wrote it;"
                " delete it to play its games again, or choose another folder (--out)"
            )
        if set(columns) - set(SCHEMA.names):
            raise _unreadable(path)

    @property
    def longest(self) -> int:
        """One past the last game there is."""
        return max((stop for _, stop in self._done), default=0)

    def missing(self, games: int) -> list[tuple[int, int]]:
        """The stretches of games [0, games) that have not been played."""
        gaps = []
        at = 0
        for start, stop in sorted(self._done):
            if start > at:
                gaps.append((at, min(start, games)))
            at = max(at, stop)
        if at < games:
            gaps.append((at, games))
        return [(start, stop) for start, stop in gaps if start < stop]

    def tables(self):
        """All rows there are, stretch by stretch and in ascending order; after a kill, stretches may overlap."""
        for (start, stop), path in sorted(self._done.items()):
            if start < stop:
                yield self._read(path, start)

    def add(self, table: pa.Table, start: int) -> None:
        """Keep the rows of a stretch; once this returns they survive anything."""
        path = self._parts / f"{start:012}-{start + len(table):012}.parquet"
        self._write(table, path)
        self._done[start, start + len(table)] = path

    def _write(self, table, path):
        table = table.replace_schema_metadata({KEY: json.dumps(self.identity, sort_keys=True).encode()})
        with whole(path) as unfinished, unfinished.open("wb") as opened:
            pq.write_table(table, opened, row_group_size=1 << 20, write_page_checksum=True)

    def join(self, games=None) -> pa.Table:
        """Join all games from 0 to the first gap into `games.parquet` and return them.

        games: those from this number on are thrown away, on disk too.
        """
        tables = [SCHEMA.empty_table()]
        at = 0
        for (start, stop), path in sorted(self._done.items()):
            if start > at:
                break
            if stop > at:
                tables.append(self._read(path, start).slice(at - start))
                at = stop
        table = pa.concat_tables(tables).combine_chunks().slice(0, games)
        if self._done.get((0, len(table))) != self._games:
            self._write(table, self._games)
        for (start, stop), path in sorted(self._done.items()):
            if stop <= at or (games is not None and start >= games):
                del self._done[start, stop]
                if path != self._games:
                    path.unlink()
        self._done[0, len(table)] = self._games
        if len(self._done) == 1:
            shutil.rmtree(self._parts)
        return table
