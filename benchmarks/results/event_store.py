"""Events of the games of a measurement as tidy rows, one row an event, in the files of the folder `events`.

Any Parquet reader reads them without this package, and all files as one table: names are stored as texts. The game
defines its events and their meaning (`Game.events`); a game without events has no rows. Events of a game stand in the
order in which they happened.
"""

import numpy as np

from stardeck.benchmarks.arena.series import Chunk
from stardeck.benchmarks.results.arrow import pa
from stardeck.benchmarks.results.arrow_columns import named, numbers
from stardeck.benchmarks.results.store import MOST, Store, misnamed
from stardeck.game.game import Game

NAME = pa.dictionary(pa.int32(), pa.string())
# The fastest encodings, and of these the smallest. Most numbers are small, so three in four of their bytes are equal;
# `index` repeats the bytes before it, and `target` nearly does.
PLAIN, SPLIT, DIFFERENCES = "PLAIN", "BYTE_STREAM_SPLIT", "DELTA_BINARY_PACKED"
ENCODING = dict.fromkeys(("turn", "seat", "amount", "left"), SPLIT) | {"index": PLAIN, "target": DIFFERENCES}
SMALL = ("event", "card", "target")  # columns that compression does not make smaller
EVENTS = pa.schema(
    pa.field(name, kind, nullable=False)  # otherwise Parquet marks each value as present
    for name, kind in (
        ("index", pa.int64()),  # number of the game, as in games.parquet
        ("turn", pa.int32()),  # turn, or role, of the event
        ("seat", pa.int32()),  # seat that caused it; -2: an automated Boss
        ("event", NAME),
        ("card", NAME),  # "" for no card
        ("target", pa.int32()),  # seat that it affected; -1: none, -2: an automated Boss
        ("amount", pa.int32()),  # size of the effect
        ("left", pa.int32()),  # amount that the target has left, where that is counted; else 0
    )
)
FILE = 4096  # games of a file: the number between two looks at the clock, so few files are rewritten


def events_of(game: Game, chunk: Chunk) -> pa.Table:
    """Return the rows of events of a chunk.

    Args:
        game: Game of the chunk.
        chunk: Chunk of a series that records events.
    """
    turn, seat, kind, card, target, amount, left = chunk.events.T
    columns = [
        numbers(chunk.event_games, pa.int64()),
        numbers(turn, pa.int32()),
        numbers(seat, pa.int32()),
        named([event.name.lower() for event in game.variant.events], kind),
        named(["", *game.variant.names], card + 1),
        *(numbers(column, pa.int32()) for column in (target, amount, left)),
    ]
    return pa.Table.from_arrays(columns, schema=EVENTS)


class EventsStore(Store):
    """The events of one series: any number of rows a game. They stay in the files that were written first.

    A measurement writes some 3 KB of events a game, and rewriting them would take as long as playing.
    """

    name = parts = "events"
    schema = EVENTS
    group = 1 << 20
    options = {
        "compression": dict.fromkeys(EVENTS.names, "lz4") | dict.fromkeys(SMALL, "none"),
        "use_dictionary": ["event", "card"],
        "column_encoding": ENCODING,
        "write_statistics": ["index"],
        "write_batch_size": 1 << 16,  # values that are encoded at once
    }

    @classmethod
    def limits(cls, seats: int) -> dict[str, tuple[int, int]]:
        """Return the least and the greatest value of columns, as `Store.limits` does."""
        return {"turn": (0, MOST), "seat": (-2, seats - 1), "target": (-2, seats - 1)}

    @classmethod
    def _check_lists(cls, path, table, seats):
        """Check nothing: these rows have no such lists."""

    def _length(self, path, start):
        """Check a file, and return its number of games, taken from its name: some games have no events."""
        for _ in self._pieces(path, start):
            pass
        return int(path.stem.partition("-")[2]) - start

    def _next(self, path, index, start):
        """Return the last game of these rows; none may be before `start`."""
        if len(index) and (index[0] < start or (np.diff(index) < 0).any()):
            raise misnamed(path)
        return int(index[-1]) if len(index) else start

    def join_on_disk(self, games: int | None = None) -> int:
        """Write files of FILE games each, whatever chunks they came in; see `Store.join_on_disk`."""
        end = self._end(games)
        files = [(start, min(start + FILE, end)) for start in range(0, end, FILE)]
        for start, stop in files:
            if (start, stop) not in self._done:
                self.writer().write(self._in_order(start, stop), start, stop)
                self.register(start, stop)
        for start, stop in self._done.keys() - set(files):
            if stop <= end or (games is not None and (start >= games or end == games)):
                self._done.pop((start, stop)).unlink()
        return end
