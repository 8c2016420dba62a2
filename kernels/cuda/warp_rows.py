"""Rows of words written by whole warps: 16 bytes a lane, neighbours side by side.

A thread that writes its own row byte by byte touches another cache line than its neighbours with each byte. Here the 32
threads of a warp lay 32 words of each of their rows into a tile of shared memory. Then they write the tile row by row,
which takes an eighth of the memory transactions. All threads of the warp call these functions together, and wait for
each other (`sync_warp`) after each `lay_words` and each `write_...`.

lane: of the thread in its warp, from 0. tile: uint32[32, TILE], shared memory of the warp. target: uint32[n, width], a
row for each thread; `width` is a multiple of 4. base: the first row of the warp. rows: the number of its rows, at most
32.
"""

from stardeck.kernels.compile.jit import kernel
from stardeck.kernels.cuda.compiler import LANES, store_four

TILE = LANES + 1  # an odd number, so that neither the words of a row nor those of a column share a bank
CHUNK = LANES  # words of a row that fit into a tile
VECTORS = 64  # groups of 16 bytes in a row of masks that a tile of bits describes


@kernel
def lay_words(tile, lane, words, start, count):
    """Lay `count` words of the thread's row, from `start`, into the tile."""
    for k in range(count):
        tile[lane, k] = words[start + k]


@kernel
def write_words(tile, lane, target, base, rows, start):
    """Write the words from `start` that lie in the tile: eight lanes a row."""
    width = target.shape[1]
    place = 4 * (lane & 7)
    if start + place < width:
        for r in range(lane >> 3, rows, LANES // 8):
            words = tile[r]
            at = (base + r) * width + start + place
            store_four(target, at, words[place], words[place + 1], words[place + 2], words[place + 3])


@kernel
def four_bytes(bits):
    """Return a word whose bytes are the lowest four of `bits`."""
    return ((bits & 15) * 0x204081) & 0x1010101


@kernel
def write_masks(tile, lane, target, base, rows, start):
    """Write masks, a byte of 0 or 1 for each bit in the tile. start: the first group of 16 bytes, a multiple of 64."""
    width = target.shape[1]
    vectors = min((width >> 2) - start, VECTORS)
    group = 1  # lanes that write one row, a power of two
    while group < vectors and group < LANES:
        group *= 2
    for r in range(lane // group, rows, LANES // group):
        for v in range(lane % group, vectors, group):
            bits = tile[r, v >> 1] >> (16 * (v & 1))
            at = (base + r) * width + 4 * (start + v)
            first, second = four_bytes(bits), four_bytes(bits >> 4)
            store_four(target, at, first, second, four_bytes(bits >> 8), four_bytes(bits >> 12))
