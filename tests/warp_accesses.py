"""A model of the memory accesses of kernels/cuda/warp_rows.py: `python tests/warp_accesses.py`.

It plays the 32 threads of a warp one after the other and puts together what they do at the same time. It needs
NUMBA_ENABLE_CUDASIM=1 and NUMBA_DISABLE_JIT=1, and no GPU.
"""

import sys
from collections import defaultdict
from pathlib import Path

import numpy as np

sys.path.insert(0, str(Path(__file__).parent))

from stardeck.kernels.cuda import row_loops, warp_rows
from stardeck.kernels.cuda.warp_rows import LANES, TILE

SECTOR, VECTOR, BANKS = 32, 16, 32  # bytes, bytes, and the banks of shared memory, a word wide


class Tile:
    """Shared memory that notes which words a lane reads, in order."""

    def __init__(self):
        self.words = np.zeros((LANES, TILE), np.uint32)
        self.read = []

    def __setitem__(self, place, word):
        self.words[place] = word

    def __getitem__(self, place):
        if isinstance(place, tuple):
            self.read.append(place)
            return self.words[place]
        return Row(self, place)


class Row:
    """Row of a Tile."""

    def __init__(self, tile, number):
        self.tile, self.number = tile, number

    def __getitem__(self, column):
        return self.tile[self.number, column]


def conflicts(places):
    """Return the largest number of different words of one bank."""
    banks = defaultdict(set)
    for row, column in places:
        banks[(row * TILE + column) % BANKS].add((row, column))
    return max(map(len, banks.values()), default=0)


class Warp:
    """The threads of a warp, each with its row; `put` is one of the writers of row_loops.py."""

    def __init__(self, put, rows, target, base, count):
        self.tile, self.lanes, self.target = Tile(), [[] for _ in range(LANES)], target
        self.worst = 0  # conflicts of one reading
        threads = [self._thread(put, lane, rows[lane], base, count) for lane in range(LANES)]
        while any([next(thread, None) for thread in threads]):  # a list: every thread goes on to the next wait
            pass

    def _thread(self, put, lane, row, base, count):
        """Yield at each wait for the other threads, by calling what `put` calls."""
        start = 0
        width, masks = self.target.shape[1], put is row_loops.put_masks
        end, step = (width // 4, warp_rows.VECTORS) if masks else (width, warp_rows.CHUNK)
        for start in range(0, end, step):
            held = min((end - start + 1) // 2, LANES) if masks else min(end - start, LANES)
            warp_rows.lay_words(self.tile, lane, row, start // 2 if masks else start, held)
            yield True
            self.tile.read.clear()
            write = warp_rows.write_masks if masks else warp_rows.write_words
            stores = self.lanes[lane]
            warp_rows.store_four = lambda target, at, *words, stores=stores: (
                stores.append((at, tuple(self.tile.read))),
                self.tile.read.clear(),
                target.reshape(-1).__setitem__(slice(at, at + 4), words),
            )
            write(self.tile, lane, self.target, base, count, start)
            yield True


def check(put, width, count, base=0):
    """Let a warp write `count` rows; AssertionError unless all is written once, in whole sectors, without conflicts."""
    chance = np.random.default_rng(width)
    masks = put is row_loops.put_masks
    rows = chance.integers(2**32, size=(LANES, 64 if masks else width), dtype=np.uint32)
    guard = np.uint32(0xDEADBEEF)
    target = np.full((base + count + 1, width), guard)
    warp = Warp(put, rows, target, base, count)
    wanted = rows[:count]
    if masks:
        bits = np.unpackbits(wanted.view(np.uint8), axis=1, bitorder="little")[:, : 4 * width]
        wanted = np.ascontiguousarray(bits).view(np.uint32)
    assert np.array_equal(target[base : base + count], wanted)
    assert (target[:base] == guard).all() and (target[base + count :] == guard).all(), "a row beyond those of the warp"
    written = sorted(4 * at for lane in warp.lanes for at, _ in lane)
    assert written == list(range(4 * width * base, 4 * width * (base + count), VECTOR)), "a vector twice, or not at all"
    together = defaultdict(list)
    group = 8 if not masks else 1 << min(5, (max(1, min(width // 4, 64)) - 1).bit_length())
    for lane, stores in enumerate(warp.lanes):
        for at, read in stores:
            row, vector = divmod(at // 4, width // 4)
            chunk, place = divmod(vector, 64 if masks else 8)
            turn = (row - base - lane // group) // (LANES // group), chunk, (place - lane % group) // group
            together[turn].append((4 * at, read))
    for stores in together.values():
        sectors = {address // SECTOR for address, _ in stores}
        touched = {address // (4 * width) for address, _ in stores}
        assert SECTOR * len(sectors) <= VECTOR * len(stores) + SECTOR * len(touched), "sectors written in part"
        for reading in zip(*(read for _, read in stores), strict=True):
            assert conflicts(reading) <= (4 if masks else 1), "threads wait for one bank"
    return len(together)


if __name__ == "__main__":
    checked = 0
    assert all(conflicts([(lane, k) for lane in range(LANES)]) == 1 for k in range(LANES)), "laying words into the tile"
    for width in (4, 8, 12, 28, 32, 36, 64, 124, 128, 260, 316, 432, 512):
        for count in (1, 5, 31, 32):
            for put in (row_loops.put_rows, row_loops.put_masks):
                checked += check(put, width, count, base=3 if count == 5 else 0)
    print(f"{checked} stores of a warp write whole sectors")
