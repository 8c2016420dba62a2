"""Data that a measurement stores about its games: always one row a game, and moves, events and cards if asked for.

- `moves.parquet`: the actions of each game in order (numbers in the action table), and the seats that took them.
  benchmarks/recordings/replay_result.py replays a game: it deals from the seed and applies these actions.
- `events/`: the events in tidy form, one row an event, in order (benchmarks/results/event_store.py).
- `cards.parquet`: how often each seat made each move with each card, in tidy form: one row for each (game, seat, move,
  card) that occurred. It is counted from `moves.parquet`, which is stored too.

A series determines its games, so data that was not collected the first time is collected by playing them again.
"""

import re
from collections.abc import Iterable, Iterator
from pathlib import Path

import numpy as np

from stardeck.benchmarks.arena.series import Chunk, Series
from stardeck.benchmarks.results.arrow import pa, pq
from stardeck.benchmarks.results.arrow_columns import array_of, lists, members_of, numbers
from stardeck.benchmarks.results.event_store import EventsStore, events_of
from stardeck.benchmarks.results.filesystems import Place, open_file
from stardeck.benchmarks.results.store import ResultsError, Store, Writer, table_of, write_tables
from stardeck.game.game import Game
from stardeck.kernels.errors import shown

COLLECTED = ("moves", "cards", "events")
OF_MOVES = ("moves", "cards")
MOVES = pa.schema(
    [
        ("index", pa.int64()),
        ("actions", pa.list_(pa.uint16())),  # numbers of the action table, in order
        ("seats", pa.list_(pa.uint8())),  # the seat that took each
    ]
)
CARDS = pa.schema(
    [
        ("index", pa.int64()),
        ("seat", pa.int32()),
        ("agent", pa.string()),
        ("move", pa.string()),  # the words of the action table: `buy {card}`
        ("card", pa.string()),
        ("count", pa.int32()),
    ]
)
NAMES_A_CARD = re.compile(r"\{(card|name)\}")
AT_ONCE = 4096  # games whose cards are counted at once


def check_collect(collect: str | Iterable[str]) -> tuple[str, ...]:
    """Return the names of the data to collect. Raises ValueError for a name that is not in `COLLECTED`."""
    given = (collect,) if isinstance(collect, str) else tuple(collect)
    for name in given:
        if name not in COLLECTED:
            raise ValueError(f"collect={shown(name)}: must be among {', '.join(COLLECTED)}")
    return given


def recordings_for(collected: Iterable[str]) -> tuple[bool, bool]:
    """Return whether a series must record actions, and whether it must record events, for the collected data."""
    return bool(set(collected) & set(OF_MOVES)), "events" in collected


class MovesStore(Store):
    """The moves of one series in a folder: one row a game, never all in memory."""

    name = "moves"
    parts = "parts-moves"
    schema = MOVES
    group = 1 << 14

    @classmethod
    def limits(cls, seats: int) -> dict[str, tuple[int, int]]:
        """Return the least and the greatest value of columns, as `Store.limits` does."""
        return {"seats": (0, seats - 1)}

    @classmethod
    def _check_lists(cls, path, table, seats):
        """Check nothing: these rows have no such lists."""


def moves_of(chunk: Chunk) -> pa.Table:
    """Return the rows of moves of a chunk."""
    columns = [
        numbers(np.arange(chunk.start, chunk.start + len(chunk.seeds)), pa.int64()),
        lists(chunk.decisions, numbers(chunk.actions, pa.uint16())),
        lists(chunk.decisions, numbers(chunk.seats, pa.uint8())),
    ]
    return pa.Table.from_arrays(columns, schema=MOVES)


class SeriesStore:
    """The games of a series in a folder, with their moves and events if the series records them.

    Args:
        folder: Folder of the results.
        series: Series that is played.
        identity: Identity of the series, as for `Store`.
        origin: Provenance of the results, as for `Store`.
    """

    def __init__(self, folder: Path | Place, series: Series, identity: dict, origin: dict) -> None:
        self._series = series
        seats = series.game.players
        self._games = Store(folder, identity, origin, seats)
        self._moves = MovesStore(folder, identity, origin, seats) if series.record_actions else None
        self._events = EventsStore(folder, identity, origin, seats) if series.record_events else None
        self._extra_stores = [store for store in (self._moves, self._events) if store]
        self.longest = self._games.longest

    def missing(self, games: int) -> list[tuple[int, int]]:
        """Return the ranges of games [0, games) that have not been played."""
        gaps = [gap for store in (self._games, *self._extra_stores) for gap in store.missing(games)]
        joined: list[tuple[int, int]] = []
        for start, stop in sorted(gaps):
            if joined and start <= joined[-1][1]:
                start, stop = joined[-1][0], max(stop, joined.pop()[1])
            joined.append((start, stop))
        return joined

    def tables(self) -> Iterator[pa.Table]:
        """Yield the rows of all stored games; see `Store.tables`."""
        return self._games.tables()

    def add(self, chunk: Chunk) -> pa.Table:
        """Store a chunk and return its rows."""
        table = self.writer().keep(chunk)
        self.register(chunk.start, chunk.start + len(table))
        return table

    def writer(self) -> "ChunkWriter":
        """Return the writer of chunks of this series; it can be sent to the machine that plays them."""
        moves, events = (store.writer() if store else None for store in (self._moves, self._events))
        return ChunkWriter(self._series.game, self._series.names, self._games.writer(), moves, events)

    def register(self, start: int, stop: int) -> None:
        """Register a chunk that a writer has stored."""
        for store in (self._games, *self._extra_stores):
            store.register(start, stop)

    def events(self) -> Iterator[pa.Table]:
        """Yield the stored events, file by file and game by game."""
        return self._events.tables() if self._events else iter(())

    def join(self, games: int | None = None) -> pa.Table:
        """Join all games up to the first gap, or to `games`, and return them; moves and events too, on disk."""
        self._join_extra(games)
        return self._games.join(games)

    def joined(self, games: int | None = None) -> Iterator[pa.Table]:
        """Join as `join` does, but yield the games group by group."""
        self._join_extra(games)
        return self._games.joined(games)

    def _join_extra(self, games):
        for store in self._extra_stores:
            store.join_on_disk(games)


class ChunkWriter:
    """A writer of the chunks of a series into its folder; it can be pickled.

    Args:
        game: Game of the series.
        names: Names of the agents by seat in each rotation.
        games: Writer of the games.
        moves: Writer of the moves, or None.
        events: Writer of the events, or None.
    """

    def __init__(
        self, game: Game, names: list[list[str]], games: Writer, moves: Writer | None, events: Writer | None
    ) -> None:
        self._game, self._names, self._games, self._moves, self._events = game, names, games, moves, events

    def keep(self, chunk: Chunk) -> pa.Table:
        """Write a chunk and return its rows."""
        table = table_of(chunk, self._names)
        stretch = chunk.start, chunk.start + len(table)
        if self._moves:  # first: a chunk with games and without moves would be played again
            self._moves.write([moves_of(chunk)], *stretch)
        if self._events:
            self._events.write([events_of(self._game, chunk)], *stretch)
        self._games.write([table], *stretch)
        return table

    def __call__(self, chunk: Chunk) -> tuple[int, int]:
        """Write a chunk and return its range, which is all that travels to the driver then."""
        return chunk.start, chunk.start + len(self.keep(chunk))


def rows_in(path: Path) -> Iterator[pa.Table]:
    """Yield the rows of a file of moves, a few thousand at a time."""
    with open_file(path) as opened, pq.ParquetFile(opened, page_checksum_verification=True) as file:
        for batch in file.iter_batches(AT_ONCE):
            yield pa.Table.from_batches([batch])


def cards_of(game: Game, names: list[list[str]], moves: pa.Table) -> pa.Table:
    """Return the card counts of games of a series.

    Args:
        game: Game of the series.
        names: Names of the agents by seat in each rotation.
        moves: Rows of moves of the games.
    """
    words, of_action = _moves_with_cards(game)
    index = array_of(moves["index"])
    decisions, actions = members_of(moves["actions"])
    _, seats = members_of(moves["seats"])
    if len(actions) and actions.max() >= game.num_actions:
        raise ResultsError(f"moves.parquet: action {actions.max()}: {game.id} has {game.num_actions} actions")
    kinds = of_action[actions]
    rows = np.repeat(np.arange(len(index)), decisions)
    keys = ((rows * game.players + seats) * len(words) + kinds)[kinds >= 0]
    found, counts = np.unique(keys, return_counts=True)
    at, kinds = np.divmod(found, max(1, len(words)))
    rows, seats = np.divmod(at, game.players)
    known = sorted({name for lineup in names for name in lineup})
    seated = np.array([[known.index(name) for name in lineup] for lineup in names])
    columns = [
        pa.array(index[rows]),
        pa.array(seats.astype(np.int32)),
        _named(known, seated[index[rows] % len(names), seats]),
        _named([move for move, _ in words], kinds),
        _named([card for _, card in words], kinds),
        pa.array(counts.astype(np.int32)),
    ]
    return pa.Table.from_arrays(columns, schema=CARDS)


def _named(words, chosen):
    """Return a column of texts: words[k] for each k of `chosen`."""
    return pa.DictionaryArray.from_arrays(chosen, pa.array(words, pa.string())).dictionary_decode()


def _moves_with_cards(game: Game) -> tuple[list[tuple[str, str]], np.ndarray]:
    """Return all moves with a card as (words, card), and the number of the move of each action: int64, -1 for none."""
    known: dict[tuple[str, str], int] = {}
    of_action = np.full(game.num_actions, -1)
    for row in game.action_table():
        if NAMES_A_CARD.search(row["name"]):
            for number in range(row["offset"], row["offset"] + row["size"]):
                card = game.variant.actions[number][1:][0]
                of_action[number] = known.setdefault((row["name"], game.variant.names[card]), len(known))
    return list(known), of_action


def write_cards(game: Game, names: list[list[str]], moves: Path, path: Path, metadata: dict[bytes, bytes]) -> None:
    """Count the cards of a file of moves into another file.

    Args:
        game: Game of the series.
        names: Names of the agents by seat in each rotation.
        moves: File of moves.
        path: File to write.
        metadata: Metadata of the new file.
    """
    write_tables((cards_of(game, names, some) for some in rows_in(moves)), path, CARDS.with_metadata(metadata))
