"""Asking for memory ahead of its use: thousands of games do not fit into the cache of a core.

A processor guesses where memory is read next where it is read in a row, but of a game it is read here and there. A
loop that asks for the game that comes after the next few finds it in the cache when it gets there.
"""

from stardeck.kernels.compile import intrinsics
from stardeck.kernels.compile.jit import kernel

LINE = 64  # bytes that come at once
AHEAD = 4  # games: a microsecond or two, longer than memory takes
MANY = 1536  # rows; with it a batch of 1,024 games of the core set takes a hundredth longer, one of 1,536 a tenth less

# fetch(array, row, byte): ask for the cache line of a byte of a row. Nothing changes but the time that a later look
# takes.
# extents(states): the bytes of a state up to its seats, of one seat, up to where the seats end, and of all; constants.
# Where there are no seats (a field `players`) all comes before them. Without compiled code all are 0.
fetch, extents = intrinsics.fetch, intrinsics.extents


@kernel
def fetch_row(rules, states, i):
    """Ask for the state that comes so many after row i, if there is one, without the seats that nobody has."""
    if i + AHEAD < len(states):
        before, seat, behind, size = extents(states)
        for byte in range(0, before + seat * rules.players, LINE):
            fetch(states, i + AHEAD, byte)
        for byte in range(behind // LINE * LINE, size, LINE):
            fetch(states, i + AHEAD, byte)


@kernel
def fetch_row_of_many(rules, states, i):
    """`fetch_row` where there are so many rows that it is worth while."""
    if len(states) >= MANY:
        fetch_row(rules, states, i)
