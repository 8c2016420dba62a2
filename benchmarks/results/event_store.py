"""What happened in the games of a measurement, as tidy rows: one row an event, in the files of the folder `events`.

Whatever reads Parquet reads them without this package, and all of them as one table: names stand there as texts. The
game tells what its events are and mean (`Game.events`); a game without any has no row. Events of a game stand in the
order in which they happened.
"""

import numpy as np

from stardeck.benchmarks.arena.series import Chunk
from stardeck.benchmarks.results.arrow import pa
from stardeck.benchmarks.results.arrow_columns import named, numbers
from stardeck.benchmarks.results.store import MOST, Store, misnamed
from stardeck.game.game import Game

NAME = pa.dictionary(pa.int32(), pa.string())
# How numbers are written: what takes least time, and that with the least bytes. Most are small, so that of their bytes
# three in four are alike; those of `index` are as those before them, and those of `target` nearly.
PLAIN, SPLIT, DIFFERENCES = "PLAIN", "BYTE_STREAM_SPLIT", "DELTA_BINARY_PACKED"
ENCODING = dict.fromkeys(("turn", "seat", "amount", "left"), SPLIT) | {"index": PLAIN, "target": DIFFERENCES}
SMALL = ("event", "card", "target")  # as they are written: nothing is gained by compressing them
EVENTS = pa.schema(
    pa.field(name, kind, nullable=False)  # which Parquet otherwise says of each value
    for name, kind in (
        ("index", pa.int64()),  # of the game, as in games.parquet
        ("turn", pa.int32()),  # or role, that it was part of
        ("seat", pa.int32()),  # whose doing it was; -2: an automated Boss
        ("event", NAME),
        ("card", NAME),  # "" without one
        ("target", pa.int32()),  # whom it befell; -1: nobody, -2: an automated Boss
        ("amount", pa.int32()),  # how much or how many
        ("left", pa.int32()),  # what the target has then, where that is counted; else 0
    )
)
FILE = 4096  # games of a file: as many as are played between two looks at the clock, so that few are written twice


def events_of(game: Game, chunk: Chunk) -> pa.Table:
    """The events of a finished stretch of games."""
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
    """The events of one series: any number of rows a game. They stay in the files in which they were written first.

    A measurement writes some 3 KB of events a game, and to write them twice would take as long as to play.
    """

    name = parts = "events"
    schema = EVENTS
    group = 1 << 20
    options = {
        "compression": dict.fromkeys(EVENTS.names, "lz4") | dict.fromkeys(SMALL, "none"),
        "use_dictionary": ["event", "card"],
        "column_encoding": ENCODING,
        "write_statistics": ["index"],
        "write_batch_size": 1 << 16,  # values handed on at once
    }

    @classmethod
    def limits(cls, seats: int) -> dict[str, tuple[int, int]]:
        """Return the least and the greatest value of columns, as `Store.limits` does."""
        return {"turn": (0, MOST), "seat": (-2, seats - 1), "target": (-2, seats - 1)}

    @classmethod
    def _check_lists(cls, path, table, seats):
        """Rows of another kind have no such lists."""

    def _length(self, path, start):
        """How many games a whole file is about, by its name: of some nothing is told."""
        for _ in self._pieces(path, start):
            pass
        return int(path.stem.partition("-")[2]) - start

    def _next(self, path, index, start):
        """The last game of these rows, none of which may be of a game before `start`."""
        if len(index) and (index[0] < start or (np.diff(index) < 0).any()):
            raise misnamed(path)
        return int(index[-1]) if len(index) else start

    def join_on_disk(self, games: int | None = None) -> int:
        """Have files of FILE games, whatever stretches they came in; see `Store.join_on_disk`."""
        end = self._end(games)
        files = [(start, min(start + FILE, end)) for start in range(0, end, FILE)]
        for start, stop in files:
            if (start, stop) not in self._done:
                self.writer().write(self._in_order(start, stop), start, stop)
                self.found(start, stop)
        for start, stop in self._done.keys() - set(files):
            if stop <= end or (games is not None and (start >= games or end == games)):
                self._done.pop((start, stop)).unlink()
        return end
