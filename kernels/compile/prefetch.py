"""Prefetching: thousands of games do not fit into the cache of a core.

A processor predicts sequential reads, but a game is read at scattered places. A loop that prefetches a game a few rows
ahead finds it in the cache when it gets there.
"""

from stardeck.kernels.compile import intrinsics
from stardeck.kernels.compile.jit import kernel

LINE = 64  # bytes of a cache line
AHEAD = 4  # games: a microsecond or two, longer than a memory access takes
MANY = 1536  # rows: prefetching makes a batch of 1,024 games of the core set 1 % slower, one of 1,536 games 10 % faster

# fetch(array, row, byte): prefetch the cache line of a byte of a row. It changes only the time of later reads.
# extents(states): constants of a state in bytes: offset of the seats, size of one seat, end of the seats, total size.
# Without seats (a field `players`) the first is the total size. Without compiled code all are 0.
fetch, extents = intrinsics.fetch, intrinsics.extents


@kernel
def fetch_row(rules, states, i):
    """Prefetch the state AHEAD rows after row i, if there is one, without unused seats."""
    if i + AHEAD < len(states):
        before, seat, behind, size = extents(states)
        for byte in range(0, before + seat * rules.players, LINE):
            fetch(states, i + AHEAD, byte)
        for byte in range(behind // LINE * LINE, size, LINE):
            fetch(states, i + AHEAD, byte)


@kernel
def fetch_row_of_many(rules, states, i):
    """Prefetch as `fetch_row` does if the batch has at least MANY rows; it does not pay for smaller ones."""
    if len(states) >= MANY:
        fetch_row(rules, states, i)
