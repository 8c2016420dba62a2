"""Sets of actions as bits: action a is bit a % 64 of word a // 64 (uint64[words]).

Ten legal actions among five hundred take eight words, so clearing, counting and drawing take a few nanoseconds. Batch
loops spread a set into the 0/1 mask that trainers expect.
"""

import numpy as np

from stardeck.kernels.compile import intrinsics
from stardeck.kernels.compile.jit import kernel
from stardeck.kernels.compile.simd import put_bits

WORD_LIMIT = 32  # no game has more than 2,048 actions; Emperor with forty upgraded cards has 1,742
ONE = np.uint64(1)
_PAIRS = np.uint64(0x5555555555555555)
_FOURS = np.uint64(0x3333333333333333)
_EIGHTS = np.uint64(0x0F0F0F0F0F0F0F0F)
_BYTES = np.uint64(0x0101010101010101)

# place_of_bit(word, k): the index of the k-th set bit (from 0) of a word (uint64): int64.
place_of_bit = intrinsics.place_of_bit


def words_for(num_actions: int) -> int:
    """Return the number of words in a set over `num_actions` actions."""
    return -(-num_actions // 64)


@kernel
def clear(legal):
    """Make the set empty."""
    for i in range(len(legal)):
        legal[i] = np.uint64(0)


@kernel
def mark(legal, action):
    """Add `action` to the set."""
    legal[action >> 6] |= ONE << np.uint64(action & 63)


@kernel
def mark_if(legal, action, condition):
    """Add `action` to the set if `condition` (bool) holds, without a branch; otherwise `action` may be -1."""
    legal[max(action, 0) >> 6] |= np.uint64(condition) << np.uint64(action & 63)


@kernel
def mark_all(legal, first, bits):
    """Add `first` + k for every bit k of `bits` (uint64) to the set, all at once."""
    word = first >> 6
    shift = np.uint64(first & 63)
    legal[word] |= bits << shift
    above = (bits >> ONE) >> (np.uint64(63) - shift)
    if above != 0:
        legal[word + 1] |= above


@kernel
def contains(legal, action):
    """Return whether `action` (any integer) is in the set."""
    if action < 0 or action >= 64 * len(legal):
        return False
    return (legal[action >> 6] >> np.uint64(action & 63)) & ONE != 0


@kernel
def population(word):
    """Count the set bits of a uint64: int64."""
    word = word - ((word >> ONE) & _PAIRS)
    word = (word & _FOURS) + ((word >> np.uint64(2)) & _FOURS)
    word = (word + (word >> np.uint64(4))) & _EIGHTS
    return np.int64((word * _BYTES) >> np.uint64(56))


@kernel
def lowest(word):
    """Return the index of the lowest set bit of a uint64 other than 0: int64."""
    return population((word & (~word + ONE)) - ONE)


@kernel
def size(legal):
    """Count the actions in the set."""
    total = 0
    for i in range(len(legal)):
        total += population(legal[i])
    return total


@kernel
def member(legal, k):
    """Return the k-th smallest action of the set (k from 0, below its size)."""
    for i in range(len(legal)):
        here = population(legal[i])
        if k < here:
            return 64 * i + place_of_bit(legal[i], k)
        k -= here
    return -1


@kernel
def spread(legal, mask):
    """Write the set as a mask: int8[num_actions], 1 where legal.

    It writes 64 numbers at once without a branch: the number of legal actions per word is unpredictable, and a
    mispredicted branch costs more than all the writes. The last write overlaps the word before it.
    """
    whole = len(mask) >> 6
    rest = len(mask) & 63
    for i in range(whole):
        put_bits(legal[i], mask, 64 * i)
    if rest > 0 and whole > 0:
        before = legal[whole - 1] >> np.uint64(rest)
        put_bits(before | legal[whole] << np.uint64(64 - rest), mask, len(mask) - 64)
    elif rest > 0:
        for action in range(rest):
            mask[action] = contains(legal, action)
