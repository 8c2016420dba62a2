"""Sets of actions as bits: action a is bit a % 64 of word a // 64 (uint64[words]).

Ten legal actions among five hundred take eight words, so that a set is cleared, counted and drawn from in a few
nanoseconds; the batch face spreads it into the 0/1 mask that trainers want.
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

# place_of_bit(word, k): where in a word (uint64) the k-th bit (from 0) of those stands that are set: int64.
place_of_bit = intrinsics.place_of_bit


def words_for(num_actions: int) -> int:
    """Words that a set over `num_actions` actions takes."""
    return -(-num_actions // 64)


@kernel
def clear(legal):
    """Make the set empty."""
    for i in range(len(legal)):
        legal[i] = np.uint64(0)


@kernel
def mark(legal, action):
    """Put `action` into the set."""
    legal[action >> 6] |= ONE << np.uint64(action & 63)


@kernel
def mark_if(legal, action, condition):
    """Put `action` into the set if `condition` (bool) holds, without a branch to mispredict; else it may be -1."""
    legal[max(action, 0) >> 6] |= np.uint64(condition) << np.uint64(action & 63)


@kernel
def mark_all(legal, first, bits):
    """Put `first` + k into the set for every bit k of `bits` (uint64): many marks for the price of one."""
    word = first >> 6
    shift = np.uint64(first & 63)
    legal[word] |= bits << shift
    above = (bits >> ONE) >> (np.uint64(63) - shift)
    if above != 0:
        legal[word + 1] |= above


@kernel
def contains(legal, action):
    """Whether `action` (any integer) is in the set."""
    if action < 0 or action >= 64 * len(legal):
        return False
    return (legal[action >> 6] >> np.uint64(action & 63)) & ONE != 0


@kernel
def population(word):
    """How many bits of a uint64 are set: int64."""
    word = word - ((word >> ONE) & _PAIRS)
    word = (word & _FOURS) + ((word >> np.uint64(2)) & _FOURS)
    word = (word + (word >> np.uint64(4))) & _EIGHTS
    return np.int64((word * _BYTES) >> np.uint64(56))


@kernel
def lowest(word):
    """The lowest bit that is set in a uint64 other than 0: int64."""
    return population((word & (~word + ONE)) - ONE)


@kernel
def size(legal):
    """How many actions the set holds."""
    total = 0
    for i in range(len(legal)):
        total += population(legal[i])
    return total


@kernel
def member(legal, k):
    """The k-th smallest action of the set (k from 0, below its size)."""
    for i in range(len(legal)):
        here = population(legal[i])
        if k < here:
            return 64 * i + place_of_bit(legal[i], k)
        k -= here
    return -1


@kernel
def spread(legal, mask):
    """Write the set as a mask: int8[num_actions], 1 where legal.

    Sixty-four at once and without a branch: nobody can tell beforehand how many are legal of each word, and a wrong
    guess costs more than to write them all. The last ones are written together with some of the word before.
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
