"""Results of a series on disk: one row a game, stored as soon as its chunk ends.

Each finished chunk becomes a small file under `parts/`, which is complete or absent. When the series ends or is
interrupted, these are joined into `games.parquet`. Every file holds the identity of the series (variant, agents, seed,
tables), so results of two series never mix. Every page has a checksum: a damaged or misnamed file is refused before a
game is played.
"""

import json
from collections.abc import Iterable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

import numpy as np

from stardeck.agents.former_names import FORMER, FORMER_AGENTS, present
from stardeck.benchmarks.arena.series import Chunk
from stardeck.benchmarks.results.arrow import pa, pq
from stardeck.benchmarks.results.arrow_columns import Checksum, array_of, lists, members_of, numbers, texts
from stardeck.benchmarks.results.atomic_files import parse_json, whole
from stardeck.benchmarks.results.compatibility import completed, difference
from stardeck.benchmarks.results.filesystems import Place, delete_folder, open_file, place, read_file
from stardeck.kernels.errors import reason

SCHEMA = pa.schema(
    [
        ("index", pa.int64()),
        ("seed", pa.uint64()),  # of the deal
        ("agents", pa.list_(pa.string())),  # by seat
        ("first", pa.int32()),  # the seat that moved first
        ("winner", pa.list_(pa.int32())),  # seats that won; empty: none
        ("truncated", pa.bool_()),
        ("turns", pa.int32()),
        ("decisions", pa.int32()),
        ("placements", pa.list_(pa.int32())),  # rank of the side of each seat: 1 for the winner, equal ranks shared
        ("scenarios", pa.list_(pa.int32())),  # of a campaign: the seat that won each; -1: not played
    ]
)
MOST = 2**31 - 1  # the largest int32
MOST_SEATS = 16  # for settings that name no number of players
NEWER = ("scenarios",)  # columns that files of earlier versions may lack
KEY = b"stardeck"  # in the metadata of a file: the identity of its series
ORIGIN = b"stardeck.origin"  # in the metadata of a file: its provenance (benchmarks/results/provenance.py)
SUMS = b"stardeck.sums"  # a checksum of the rows: Parquet has checksums for pages, but not for their order


class ResultsError(ValueError):
    """A folder of results cannot be used; the message names the file and says why."""


def _unreadable(path, error=None) -> ResultsError:
    """Return the error for a file that the disk cannot read, or whose content was damaged."""
    if getattr(error, "errno", None):
        return ResultsError(f"{path}: cannot be read ({reason(error)})")
    return ResultsError(f"{path}: is not a whole file of results; delete it to play its games again")


def misnamed(path: Path | Place) -> ResultsError:
    """Return the error for a file with other games than its name says."""
    return ResultsError(f"{path}: does not hold the games that its name says; delete it to play them again")


def _impossible(path, row, name, value, allowed) -> ResultsError:
    """Return the error for a value that no game of the variant can have."""
    return ResultsError(
        f"{path}: game {row}: {name}={value}: must be {allowed}; delete the file to play its games again"
    )


def _seats_of(identity):
    """Return the number of seats in the settings of a series, or None."""
    return dict(identity.get("settings", {})).get("players")


def last_speed(path: Path | Place) -> float | None:
    """Return the games per second in the summary that an earlier run left at `path`, or None."""
    speed = last_summary(path).get("games_per_second")
    return speed if isinstance(speed, float) else None


def last_summary(path: Path | Place) -> dict[str, Any]:
    """Return the summary that an earlier run left at `path`; empty if none can be read."""
    try:
        return present(dict(parse_json(read_file(path))))
    except (OSError, ValueError, TypeError):
        return {}


def table_of(chunk: Chunk, names: Sequence[Sequence[str]]) -> pa.Table:
    """Return the rows of a chunk.

    Args:
        chunk: Results of games.
        names: Names of the agents by seat in each rotation.
    """
    games, seats = chunk.winners.shape
    known = sorted({name for lineup in names for name in lineup})
    seated = np.array([[known.index(name) for name in lineup] for lineup in names])[chunk.rotations]
    every = np.full(games, seats)
    scenarios = chunk.scenarios.shape[1]
    columns = [
        numbers(np.arange(chunk.start, chunk.start + games), pa.int64()),
        numbers(chunk.seeds, pa.uint64()),
        lists(every, texts(known, seated.ravel())),
        numbers(chunk.first, pa.int32()),
        lists(chunk.winners.sum(axis=1), numbers(np.nonzero(chunk.winners)[1], pa.int32())),
        numbers(chunk.truncated, pa.bool_()),
        numbers(chunk.turns, pa.int32()),
        numbers(chunk.decisions, pa.int32()),
        lists(every, numbers(chunk.placements.ravel(), pa.int32())),
        lists(np.full(games, scenarios), numbers(chunk.scenarios.ravel(), pa.int32())),
    ]
    return pa.Table.from_arrays(columns, schema=SCHEMA)


def _respelled(table):
    """Return rows in which agents have their present names: version 0.1 spelled some otherwise."""
    agents = table["agents"].combine_chunks()
    letters = agents.values.buffers()[-1]
    text = letters.to_pybytes() if letters else b""
    spelled = (*(f":{name}=" for name in FORMER), *FORMER_AGENTS)
    if not any(name.encode() in text for name in spelled):  # without pyarrow.compute, whose import takes long
        return table
    rows = [present(row) for row in agents.to_pylist()]
    return table.set_column(table.schema.get_field_index("agents"), SCHEMA.field("agents"), pa.array(rows, agents.type))


class Store:
    """The results of one series in a folder: one row a game.

    Args:
        folder: Folder, or its URL.
        identity: Identity of the series; JSON can hold it.
        origin: Provenance of the results; JSON can hold it.
        seats: Number of seats, by default that of the settings.
    """

    name = "games"  # name of the file
    parts = "parts"
    schema = SCHEMA
    group = 1 << 18  # rows of a row group
    options: Mapping[str, Any] = {}  # options of `write_tables`

    def __init__(
        self, folder: str | Path | Place, identity: dict, origin: dict | None = None, seats: int | None = None
    ) -> None:
        self.folder = place(folder)
        self._seats = seats
        self.identity = identity
        self._origin = origin or {}
        self._parts = self.folder / self.parts
        self.path = self.folder / f"{self.name}.parquet"
        try:
            self._parts.mkdir(parents=True, exist_ok=True)
        except OSError as error:
            raise ResultsError(f"{self.folder}: cannot be written to ({reason(error)})") from error
        self._done: dict[tuple[int, int], Any] = {}  # (start, stop) -> file
        if self.path.exists():
            self._done[0, self._length(self.path, 0)] = self.path
        parts: list[Any] = sorted(self._parts.glob("*.parquet"), key=str)
        for path in parts:
            start, _, stop = path.stem.partition("-")
            if not (start.isdecimal() and stop.isdecimal()):
                raise ResultsError(f"{path}: is not a file of results")
            if self._length(path, int(start)) != int(stop) - int(start):
                raise misnamed(path)
            self._done[int(start), int(stop)] = path

    def _pieces(self, path, start):
        """Yield the rows of a file group by group; they must belong to this series and begin with game `start`."""
        try:
            # Arrow reads some names as URLs, so the file is opened here.
            with open_file(path) as opened, pq.ParquetFile(opened, page_checksum_verification=True) as file:
                self._check(path, dict(parse_json(file.metadata.metadata[KEY])), file.schema_arrow.names)
                expected = file.metadata.metadata.get(SUMS)  # version 0.1.0 wrote none
                found = Checksum()
                for group in range(file.metadata.num_row_groups):
                    held = file.read_row_group(group)
                    table = self.checked(path, held, self._seats or _seats_of(self.identity))
                    found.add(held)
                    start = self._next(path, array_of(table["index"]), start)
                    yield table
                if expected not in (None, found.written()):
                    raise _unreadable(path)
        except ResultsError:
            raise
        except (pa.ArrowException, OSError, LookupError, TypeError, ValueError) as error:
            raise _unreadable(path, error) from error

    @classmethod
    def limits(cls, seats: int) -> dict[str, tuple[int, int]]:
        """Return the least and the greatest value of columns, or of the members of their lists."""
        return {
            "first": (0, seats - 1),
            "winner": (0, seats - 1),
            "turns": (0, MOST),
            "decisions": (0, MOST),
            "placements": (1, seats + 1),  # an automated Boss may be first
            "scenarios": (-1, seats - 1),
        }

    @classmethod
    def checked(cls, path: Any, held: pa.Table, seats: int | None) -> pa.Table:
        """Return rows with all columns of the schema, once each value is one that a game can have.

        Args:
            path: The file, which errors name.
            held: Some of its rows.
            seats: The number of seats of the game, if it is known.

        Raises:
            ResultsError: The columns are others, or a game of the variant cannot have a value.
        """
        if any(column.null_count for column in held.columns):
            raise _unreadable(path)
        table = cls._completed(path, held)
        cls._check_values(path, table, seats)
        return table

    @classmethod
    def _check_values(cls, path, table, seats):
        """Raise ResultsError for a value that no game of the variant can have."""
        for name, (low, high) in cls.limits(seats or MOST_SEATS).items():
            of_lists = pa.types.is_list(table[name].type)
            lengths, values = members_of(table[name]) if of_lists else (1, array_of(table[name]))
            wrong = np.flatnonzero(~((low <= values) & (values <= high)))  # NaN is wrong too
            if len(wrong):
                row = np.repeat(array_of(table["index"]), lengths)[wrong[0]]
                raise _impossible(path, row, name, values[wrong[0]], f"from {low} to {high}")
        cls._check_lists(path, table, seats)

    @classmethod
    def _check_lists(cls, path, table, seats):
        """Raise ResultsError for lists that do not have one number a seat, or that name a winner twice."""
        for name in ("agents", "placements") if seats else ():
            lengths = np.diff(array_of(table[name].combine_chunks().offsets))
            wrong = np.flatnonzero(lengths != seats)
            if len(wrong):
                row = table.slice(int(wrong[0]), 1).to_pylist()[0]
                raise _impossible(path, row["index"], name, row[name], f"{seats} items, one for each seat")
        lengths, winners = members_of(table["winner"])
        rows = np.repeat(np.arange(len(table)), lengths)
        wrong = np.flatnonzero(np.diff(rows * (MOST_SEATS + 1) + winners) <= 0)
        if len(wrong):
            row = int(rows[wrong[0]])
            raise _impossible(
                path, table["index"][row], "winner", table["winner"][row].as_py(), "seats in rising order"
            )

    def _next(self, path, index, start):
        """Return the number of the game after these rows, which must begin with game `start`."""
        if not np.array_equal(index, np.arange(start, start + len(index))):
            raise misnamed(path)
        return start + len(index)

    @classmethod
    def _completed(cls, path, table):
        """Return rows with the columns that earlier versions did not write, filled with nulls."""
        for name in set(cls.schema.names) - set(table.column_names):
            table = table.append_column(name, pa.array([[]] * len(table), cls.schema.field(name).type))
        table = table.select(cls.schema.names)
        if not table.schema.equals(cls.schema):
            raise _unreadable(path)
        return _respelled(table) if "agents" in cls.schema.names else table

    def _length(self, path, start):
        """Check a file and return its number of games."""
        return sum(len(table) for table in self._pieces(path, start))

    def _check(self, path, written, columns):
        """Raise ResultsError for a file of another series or version."""
        written = completed(written)
        for key, value in self.identity.items():
            if other := difference(written.get(key), value, key):
                raise ResultsError(f"{self.folder}: holds results with {other}; choose another folder (--out)")
        lacking = [name for name in self.schema.names if name not in (*columns, *NEWER)]
        if lacking:
            raise ResultsError(
                f"{path}: has no column {', '.join(lacking)}, for an older version wrote it;"
                " delete it to play its games again, or choose another folder (--out)"
            )
        if set(columns) - set(self.schema.names):
            raise _unreadable(path)

    @property
    def longest(self) -> int:
        """The number after the last stored game."""
        return max((stop for _, stop in self._done), default=0)

    def missing(self, games: int) -> list[tuple[int, int]]:
        """Return the ranges of games [0, games) that have not been played."""
        gaps = []
        at = 0
        for start, stop in sorted(self._done):
            if start > at:
                gaps.append((at, min(start, games)))
            at = max(at, stop)
        if at < games:
            gaps.append((at, games))
        return [(start, stop) for start, stop in gaps if start < stop]

    def tables(self) -> Iterator[pa.Table]:
        """Yield all rows, chunk by chunk in ascending order; after a kill, chunks may overlap."""
        for (start, stop), path in sorted(self._done.items()):
            if start < stop:
                yield from self._pieces(path, start)

    def add(self, table: pa.Table, start: int) -> None:
        """Store the rows of a chunk; once this returns, they survive a crash."""
        self.writer().write([table], start, start + len(table))
        self.register(start, start + len(table))

    def register(self, start: int, stop: int) -> None:
        """Register a chunk that the writer of this series has stored, on any machine."""
        self._done[start, stop] = self._parts / part_name(start, stop)

    def writer(self) -> "Writer":
        """Return the writer of chunks of this series; it can be pickled."""
        return Writer(self._parts, self.schema.with_metadata(self.metadata()), self.group, self.options)

    def metadata(self) -> dict[bytes, bytes]:
        """Return the metadata of every file: the identity of the series, and its provenance."""
        return {
            KEY: json.dumps(self.identity, sort_keys=True).encode(),
            ORIGIN: json.dumps(self._origin, sort_keys=True).encode(),
        }

    def join(self, games: int | None = None) -> pa.Table:
        """Join all games from 0 to the first gap into one file and return them.

        games: games from this number on are deleted, on disk too.
        """
        return pa.concat_tables([pa.Table.from_batches([], self.schema), *self.joined(games)]).combine_chunks()

    def joined(self, games: int | None = None) -> Iterator[pa.Table]:
        """Join as `join` does, but yield the games group by group, which needs less memory."""
        yield from self._in_order(0, self.join_on_disk(games))

    def join_on_disk(self, games: int | None = None) -> int:
        """Join as `join` does, but return only the number of games."""
        end = self._end(games)
        self._join(self._in_order(0, end), end, games)
        return end

    def _end(self, games):
        """Return the number after the last game before the first gap, or before `games`."""
        at = 0
        for start, stop in sorted(self._done):
            if start <= at:
                at = max(at, stop)
        return at if games is None else min(at, games)

    def _in_order(self, at, end):
        """Yield the rows of games [at, end), each once."""
        for (start, stop), path in sorted(self._done.items()):
            if at >= min(stop, end) or start >= end:
                continue
            for table in self._pieces(path, start):
                first, last = np.searchsorted(array_of(table["index"]), [at, min(stop, end)])
                if first < last:
                    yield table.slice(first, last - first)
            at = stop

    def _join(self, tables, end, games):
        """Write the rows of games [0, end) into one file, and delete the files that it replaces."""
        if self._done.get((0, end)) != self.path:
            write_tables(tables, self.path, self.schema.with_metadata(self.metadata()), self.group, **self.options)
        for (start, stop), path in sorted(self._done.items()):
            if stop <= end or (games is not None and (start >= games or end == games)):
                del self._done[start, stop]
                if path != self.path:
                    path.unlink()
        self._done[0, end] = self.path
        if len(self._done) == 1:
            delete_folder(self._parts)


class Writer:
    """A writer of chunks as files of a folder."""

    def __init__(self, folder: Path | Place, schema: pa.Schema, group: int, options: Mapping[str, Any]) -> None:
        self._folder, self._schema, self._group, self._options = folder, schema, group, options

    def write(self, tables: Iterable[pa.Table], start: int, stop: int) -> None:
        """Store the rows of games [start, stop); once this returns, they survive a crash."""
        write_tables(tables, self._folder / part_name(start, stop), self._schema, self._group, **self._options)


def part_name(start: int, stop: int) -> str:
    """Return the name of the file of a chunk."""
    return f"{start:012}-{stop:012}.parquet"


def metadata_of(path: Path | Place) -> dict[bytes, bytes]:
    """Return the metadata of a file of results. Raises ResultsError if it cannot be read."""
    try:
        with open_file(path) as opened, pq.ParquetFile(opened) as file:
            written = {key: file.metadata.metadata[key] for key in (KEY, ORIGIN)}
            for text in written.values():
                dict(parse_json(text))
    except (pa.ArrowException, OSError, LookupError, TypeError, ValueError) as error:
        raise _unreadable(path, error) from error
    return written


def write_tables(
    tables: Iterable[pa.Table], path: Path | Place, schema: pa.Schema, group: int = 1 << 18, **options: Any
) -> None:
    """Write tables of one schema into a file, one after the other, so they need not be in memory together.

    Args:
        tables: Tables to write.
        path: Path of the file, or its place.
        schema: Schema of the tables.
        group: Rows of a row group, whatever tables they come in: equal rows make equal bytes.
        **options: Options of Arrow's ParquetWriter.
    """
    options = {"compression": "zstd"} | options
    with (
        whole(path) as unfinished,
        unfinished.open("wb") as opened,
        pq.ParquetWriter(opened, schema, write_page_checksum=True, **options) as writer,
    ):
        rows = Checksum()
        for table in _grouped(tables, group):
            writer.write_table(table.replace_schema_metadata(schema.metadata), group)
            rows.add(table)
        writer.add_key_value_metadata({SUMS: rows.written()})


def _grouped(tables, group):
    """Yield the rows of tables in tables of `group` rows each; the last one may be shorter."""
    waiting, rows = [], 0
    for table in tables:
        while rows + len(table) >= group:
            full = group - rows
            yield pa.concat_tables([*waiting, table.slice(0, full)]).combine_chunks()
            table, waiting, rows = table.slice(full), [], 0
        waiting.append(table)
        rows += len(table)
    if rows:
        yield pa.concat_tables(waiting).combine_chunks()
