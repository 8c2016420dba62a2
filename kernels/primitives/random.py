"""Random numbers: splitmix64, one stream per game, kept in `state.random`.

All randomness goes through `random_below` and `shuffle`, so a game depends only on its seed and its actions.
`splitmix64(seed, k)` is the k-th number of the stream that starts at `seed`. It seeds the games of a series and the
decisions of agents. (Steele, Lea, Flood: Fast splittable pseudorandom number generators, 2014)
"""

import numpy as np

from stardeck.kernels.compile.jit import kernel

GOLDEN = np.uint64(0x9E3779B97F4A7C15)
_MIX_1 = np.uint64(0xBF58476D1CE4E5B9)
_MIX_2 = np.uint64(0x94D049BB133111EB)
_LOW_32 = np.uint64(0xFFFFFFFF)
_RANGE_32 = np.uint64(1 << 32)
_UNIT_32 = 2.0**-32


@kernel
def mix(x):
    """Scramble 64 bits (the output function of splitmix64)."""
    x = (x ^ (x >> np.uint64(30))) * _MIX_1
    x = (x ^ (x >> np.uint64(27))) * _MIX_2
    return x ^ (x >> np.uint64(31))


@kernel
def splitmix64(seed, k):
    """Return the k-th number (from 0) of the stream that starts at `seed`: uint64."""
    return mix(np.uint64(seed) + (np.uint64(k) + np.uint64(1)) * GOLDEN)


@kernel
def below(number, n):
    """Return a whole number from 0 to n - 1 from 64 random bits, for agents; they do not share the game's stream."""
    return np.int64(((mix(number + GOLDEN) >> np.uint64(32)) * np.uint64(n)) >> np.uint64(32))


@kernel
def random_below(state, n):
    """Draw a whole number from 0 to n - 1, exactly uniformly; advance `state.random`. n is below 2**32.

    Lemire's multiplication method; the loop is entered about n times in 2**32.
    """
    span = np.uint64(n)
    state.random = state.random + GOLDEN
    product = (mix(state.random) >> np.uint64(32)) * span
    if (product & _LOW_32) < span:
        threshold = (_RANGE_32 - span) % span
        while (product & _LOW_32) < threshold:
            state.random = state.random + GOLDEN
            product = (mix(state.random) >> np.uint64(32)) * span
    return np.int64(product >> np.uint64(32))


@kernel
def random_share(state):
    """Draw a number in [0, 1), one of 2**32 equally likely ones; advance `state.random`."""
    state.random = state.random + GOLDEN
    return np.float64(mix(state.random) >> np.uint64(32)) * _UNIT_32


@kernel
def shuffle(state, cards, count):
    """Shuffle the first `count` entries of `cards` in place (Fisher and Yates)."""
    for last in range(count - 1, 0, -1):
        other = random_below(state, last + 1)
        card = cards[last]
        cards[last] = cards[other]
        cards[other] = card
