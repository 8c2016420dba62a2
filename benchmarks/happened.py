"""What happened in the games of a measurement, as tidy rows: `events.parquet`, one row an event.

Whatever reads Parquet reads it without this package: names stand in it as texts. The game tells what its events are
and mean (`Game.events`); a game without any has no row. Events of a game stand in the order in which they happened.
"""

import numpy as np

from stardeck.benchmarks.arena import Chunk
from stardeck.benchmarks.arrow import pa, pq
from stardeck.benchmarks.columns import named, numbers
from stardeck.benchmarks.results import Store, misnamed, write_tables
from stardeck.envs.game import Game

NAME = pa.dictionary(pa.int32(), pa.string())
EVENTS = pa.schema(
    [
        ("index", pa.int64()),  # of the game, as in games.parquet
        ("turn", pa.int32()),  # or role, that it was part of
        ("seat", pa.int32()),  # whose doing it was; -2: an automated Boss
        ("event", NAME),
        ("card", NAME),  # "" without one
        ("target", pa.int32()),  # whom it befell; -1: nobody, -2: an automated Boss
        ("amount", pa.int32()),  # how much or how many
        ("left", pa.int32()),  # what the target has then, where that is counted; else 0
    ]
)
GAMES = b"stardeck.games"  # in the metadata of the joined file: how many games it is about


def events_of(game: Game, chunk: Chunk) -> pa.Table:
    """The events of a finished stretch of games."""
    happened = chunk.events
    columns = [
        numbers(happened["game"], pa.int64()),
        *(numbers(happened[name], pa.int32()) for name in ("turn", "seat")),
        named([event.name.lower() for event in game.variant.events], happened["kind"]),
        named(["", *game.variant.names], happened["card"] + 1),
        *(numbers(happened[name], pa.int32()) for name in ("target", "amount", "left")),
    ]
    return pa.Table.from_arrays(columns, schema=EVENTS)


class EventsStore(Store):
    """The events of one series in a folder: any number of rows a game."""

    name = "events"
    parts = "parts-events"
    schema = EVENTS
    group = 1 << 20
    passing = {"compression": "lz4", "use_dictionary": ["event", "card"], "write_statistics": False}

    def _length(self, path, start):
        """How many games a whole file is about: the joined one says so, the others by their names."""
        for _ in self._pieces(path, start):
            pass
        if path != self.path:
            return int(path.stem.partition("-")[2]) - start
        with path.open("rb") as opened, pq.ParquetFile(opened) as file:
            return int(file.metadata.metadata[GAMES])

    def _next(self, path, index, start):
        """The last game of these rows, none of which may be of a game before `start`."""
        if len(index) and (index[0] < start or (np.diff(index) < 0).any()):
            raise misnamed(path)
        return int(index[-1]) if len(index) else start

    def _write(self, tables, path, games):
        schema = self.schema.with_metadata(self.metadata() | {GAMES: str(games).encode()})
        write_tables(tables, path, schema, self.group, write_statistics=["index"])  # those of the others say nothing
