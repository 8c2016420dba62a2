"""Aggregates of chunks of games: sums of wins, and the second moments that standard errors need.

`stretches.parquet` has a row for each chunk, in the order in which a search (benchmarks/fairness/search.py) played
them. It does not hold the results of single games.
"""

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from stardeck.benchmarks.arena.series import Chunk
from stardeck.benchmarks.fairness.response_curve import Array, Observations
from stardeck.benchmarks.results.arrow import pa
from stardeck.benchmarks.results.arrow_columns import array_of, lists, members_of, numbers
from stardeck.benchmarks.results.store import MOST, Store

SCHEMA = pa.schema(
    [
        ("index", pa.int64()),
        ("places", pa.list_(pa.int32())),  # the index of the value of each parameter
        ("games", pa.int64()),
        ("first", pa.float64()),  # wins of the side that moved first; a shared win counts in part
        ("first_squared", pa.float64()),  # the sum of the squares
        ("sides", pa.list_(pa.float64())),  # wins of each side, by seat or in the order of turns
        ("products", pa.list_(pa.float64())),  # sums of the products of the sides' shares, side by side
    ]
)


class ChunkTally(NamedTuple):
    """The aggregates of a chunk of games; the fields are the columns of the file."""

    places: tuple[int, ...]
    games: int
    first: float
    first_squared: float
    sides: Array  # [sides]
    products: Array  # [sides, sides]


def shares_of(sides: Sequence[Sequence[int]], winners: NDArray[np.bool_]) -> Array:
    """Return each side's share of each game: float64[games, sides]; all have the same share where no side won.

    Args:
        sides: Seats of each side.
        winners: bool[games, seats].
    """
    shares = np.stack([winners[:, list(seats)].any(axis=1) for seats in sides], axis=1).astype(np.float64)
    if len(sides) > 1:
        shares[~winners.any(axis=1)] = 1 / len(sides)
    return shares


def in_turn_order(shares: Array, first: NDArray[np.int64]) -> Array:
    """Return shares of sides in the order of turns: float64[games, sides], the side that moved first in column 0.

    Args:
        shares: Share of each side: float64[games, sides].
        first: Side that moved first: int64[games].
    """
    order = (first[:, None] + np.arange(shares.shape[1])) % shares.shape[1]
    return np.take_along_axis(shares, order, axis=1)


def tally(
    places: tuple[int, ...], sides: tuple[tuple[int, ...], ...], chunk: Chunk, by_turn: bool = False
) -> ChunkTally:
    """Return the aggregates of a chunk of games.

    Args:
        places: Index of the value of each parameter.
        sides: Seats of each side.
        chunk: The games.
        by_turn: True counts the sides in the order of turns of each game.
    """
    shares = shares_of(sides, chunk.winners)
    side_of = np.array(
        [next(side for side, seats in enumerate(sides) if seat in seats) for seat in range(sum(map(len, sides)))]
    )
    moved_first = side_of[chunk.first]
    first = shares[np.arange(len(shares)), moved_first]
    if by_turn:
        shares = in_turn_order(shares, moved_first)
    return ChunkTally(
        places, len(shares), float(first.sum()), float((first**2).sum()), shares.sum(axis=0), shares.T @ shares
    )


def combine(chunks: list[ChunkTally], by_side: bool) -> Observations:
    """Combine chunks point by point.

    Args:
        chunks: Aggregates of the chunks.
        by_side: True if each side is a group; else the groups are the side that moved first and all others.
    """
    points = sorted({chunk.places for chunk in chunks})
    columns = [_together([chunk for chunk in chunks if chunk.places == point], by_side) for point in points]
    return Observations(np.array(points, np.float64), *(np.array(column) for column in zip(*columns, strict=True)))


def _together(chunks, by_side):
    """Return the games, sums and products of the chunks of one point."""
    games = float(sum(chunk.games for chunk in chunks))
    if by_side:
        return games, sum(chunk.sides for chunk in chunks), sum(chunk.products for chunk in chunks)
    first = sum(chunk.first for chunk in chunks)
    squared = sum(chunk.first_squared for chunk in chunks)
    crossed = first - squared
    return games, np.array([first, games - first]), np.array([[squared, crossed], [crossed, games - first - crossed]])


class TallyStore(Store):
    """Aggregates of chunks in a folder, one row each."""

    name = "stretches"
    schema = SCHEMA

    @classmethod
    def limits(cls, seats: int) -> dict[str, tuple[int, int]]:
        """Return the least and the greatest value of columns, as `Store.limits` does."""
        sums = dict.fromkeys(("first", "first_squared", "sides", "products"), (0, MOST))
        return sums | {"places": (0, MOST), "games": (1, MOST)}

    @classmethod
    def _check_lists(cls, path, table, seats):
        """Skip the check: these rows have no lists by seat."""

    def keep(self, index: int, chunk: ChunkTally) -> None:
        """Write a chunk to the folder; once this returns it survives a crash."""
        self.add(_table(index, chunk), index)

    def chunks(self) -> dict[int, ChunkTally]:
        """Return the chunks in the folder, by index."""
        return {index: chunk for table in self.tables() for index, chunk in _rows(table)}


def _table(index, chunk):
    columns = [
        numbers([index], pa.int64()),
        lists([len(chunk.places)], numbers(chunk.places, pa.int32())),
        numbers([chunk.games], pa.int64()),
        numbers([chunk.first], pa.float64()),
        numbers([chunk.first_squared], pa.float64()),
        lists([len(chunk.sides)], numbers(chunk.sides, pa.float64())),
        lists([chunk.products.size], numbers(chunk.products.ravel(), pa.float64())),
    ]
    return pa.Table.from_arrays(columns, schema=SCHEMA)


def _rows(table):
    """Yield the chunks of a table, each with its index."""
    games, first, squared = (array_of(table[name]) for name in ("games", "first", "first_squared"))
    places, sides, products = (
        members_of(table[name])[1].reshape(len(table), -1) for name in ("places", "sides", "products")
    )
    for row, index in enumerate(array_of(table["index"])):
        chunk = ChunkTally(
            tuple(places[row].tolist()), int(games[row]), float(first[row]), float(squared[row]),
            sides[row], products[row].reshape(len(sides[row]), -1),
        )  # fmt: skip
        yield int(index), chunk
