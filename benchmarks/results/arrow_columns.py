"""Conversion between NumPy arrays and columns of results, by the buffers that they share.

`pa.array` and `to_numpy` import pandas where it is installed, which takes as long as a few thousand games.
"""

import zlib
from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from stardeck.benchmarks.results.arrow import pa


def numbers(values: NDArray[Any], kind: pa.DataType) -> "pa.Array":
    """Return a column of integers or booleans.

    Args:
        values: [n].
        kind: Type of the column.
    """
    if kind == pa.bool_():
        held = np.packbits(values, bitorder="little")
    else:
        held = np.ascontiguousarray(values, kind.to_pandas_dtype())
    return pa.Array.from_buffers(kind, len(values), [None, pa.py_buffer(held)])


def lists(lengths: NDArray[Any], values: pa.Array) -> "pa.Array":
    """Return a column of lists.

    Args:
        lengths: int[n], length of each list.
        values: Column of the members of all lists.
    """
    ends = np.concatenate([[0], np.cumsum(lengths)])
    return pa.ListArray.from_arrays(numbers(ends, pa.int32()), values)


def texts(words: Sequence[str], chosen: Sequence[int] | NDArray[Any]) -> "pa.Array":
    """Return a column of texts: words[k] for each k of `chosen`.

    Args:
        words: Distinct texts.
        chosen: int[n], numbers of texts.
    """
    written = [word.encode() for word in words]
    lengths = np.array([len(word) for word in written], np.int64)[chosen]
    ends = np.concatenate([[0], np.cumsum(lengths)]).astype(np.int32)
    letters = b"".join([written[k] for k in chosen])
    return pa.StringArray.from_buffers(len(chosen), pa.py_buffer(ends), pa.py_buffer(letters))


def named(words: Sequence[str], chosen: NDArray[Any]) -> "pa.Array":
    """Return a dictionary-encoded column of texts: words[k] for each k of `chosen`.

    Args:
        words: Distinct texts.
        chosen: int[n], numbers of texts.
    """
    return pa.DictionaryArray.from_arrays(numbers(chosen, pa.int32()), texts(words, np.arange(len(words))))


def array_of(column: pa.Array | pa.ChunkedArray) -> np.ndarray:
    """Return a column of integers or booleans without nulls as an array, of its type or bool."""
    pieces = column.chunks if isinstance(column, pa.ChunkedArray) else [column]
    arrays = [_array_of(piece) for piece in pieces if len(piece)]
    if len(arrays) == 1:
        return arrays[0]
    return np.concatenate([*arrays, np.empty(0, column.type.to_pandas_dtype())], dtype=column.type.to_pandas_dtype())


def _array_of(piece):
    if piece.type != pa.bool_():
        return np.from_dlpack(piece)
    bits = np.unpackbits(np.frombuffer(piece.buffers()[1], np.uint8), bitorder="little")
    return bits[piece.offset : piece.offset + len(piece)].astype(bool)


def members_of(column: pa.Array | pa.ChunkedArray) -> tuple[np.ndarray, np.ndarray]:
    """Return the length of each list of a column, int64[n], and the members of all lists."""
    pieces = column.chunks if isinstance(column, pa.ChunkedArray) else [column]
    kind = column.type.value_type.to_pandas_dtype()
    lengths, members = [np.empty(0, np.int64)], [np.empty(0, kind)]
    for piece in pieces:
        ends = array_of(piece.offsets).astype(np.int64)
        lengths.append(np.diff(ends))
        members.append(array_of(piece.values.slice(ends[0], ends[-1] - ends[0])))
    return np.concatenate(lengths), np.concatenate(members, dtype=kind)


class Checksum:
    """A checksum of the rows of tables without nulls, which must come in the same pieces each time.

    It covers the sums of the columns of each piece. Each page has a checksum of its own, so this one must only detect
    misplaced pages. A checksum of all bytes would take a twentieth of the time of a short game.
    """

    def __init__(self) -> None:
        self._sums: dict[str, int] = {}

    def add(self, table: "pa.Table") -> None:
        """Add a piece."""
        for name, column in zip(table.column_names, table.columns, strict=True):
            found: dict[str, int] = {}
            for part in column.chunks:
                for of, number in _sums(part):
                    found[of] = found.get(of, 0) + number
            for of, number in found.items():
                digits = (number % 2**64).to_bytes(8, "little")
                self._sums[name + of] = zlib.crc32(digits, self._sums.get(name + of, 0))

    def written(self) -> bytes:
        """Return the checksum as text."""
        return " ".join(f"{name}={number:08x}" for name, number in sorted(self._sums.items())).encode()


def _sums(piece):
    """Yield the sums of a column as (name, sum); for lists and texts, of their lengths and members."""
    if pa.types.is_list(piece.type):
        ends = array_of(piece.offsets)
        yield " lengths", _sum(np.diff(ends))
        for of, number in _sums(piece.values.slice(ends[0], ends[-1] - ends[0])):
            yield f" members{of}", number
    elif pa.types.is_dictionary(piece.type):
        yield from _sums(piece.indices)
    elif pa.types.is_string(piece.type):
        _, ends, letters = piece.buffers()
        ends = np.frombuffer(ends, np.int32)[piece.offset : piece.offset + len(piece) + 1]
        yield " lengths", _sum(np.diff(ends))
        yield " letters", _sum(np.frombuffer(letters or b"", np.uint8)[ends[0] : ends[-1]])
    elif len(piece):
        yield "", _sum(array_of(piece))


def _sum(values):
    return int(values.sum(dtype=np.uint64 if values.dtype.kind == "u" else np.int64))
