"""Asking for memory ahead of its use: thousands of games do not fit into the cache of a core.

A processor guesses where memory is read next where it is read in a row, but of a game it is read here and there. A
loop that asks for the game that comes after the next few finds it in the cache when it gets there.
"""

import numpy as np
from numpy.typing import NDArray

from stardeck.kernels import numba_private
from stardeck.kernels.jit import kernel

LINE = 64  # bytes that come at once
LINE_LIMIT = 256  # of one state; more are not asked for
AHEAD = 4  # games: a microsecond or two, longer than memory takes

# fetch(array, row, byte): ask for the cache line of a byte of a row. Nothing changes but the time that a later look
# takes.
fetch = numba_private.fetch


def used_lines(dtype: np.dtype[np.void], players: int) -> NDArray[np.int64]:
    """Where the cache lines begin that a game uses, in bytes: int64[k]. Seats that nobody has are left out."""
    used = np.ones(dtype.itemsize, bool)
    if dtype.fields and "players" in dtype.fields:
        seats, first = dtype.fields["players"][:2]
        used[first + players * seats.base.itemsize : first + seats.itemsize] = False
    return np.unique(np.flatnonzero(used) // LINE * LINE)[:LINE_LIMIT]


@kernel
def fetch_row(states, i, lines):
    """Ask for the lines (int64[k], as `used_lines` has them) of row i, if there is such a row."""
    if i < len(states):
        for k in range(len(lines)):
            fetch(states, i, lines[k])
