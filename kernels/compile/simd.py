"""Vectors: so many numbers of an array side by side, which stay in registers while rows are added up.

LLVM keeps an array in memory however small it is; a vector is one value, and the units of a processor that take 4, 8 or
16 numbers at once are used on each as far as it has them. Products and sums are rounded one by one, so that the bits
are the same on all of them, and without Numba.
"""

from stardeck.kernels.compile import intrinsics

# zeros(count): so many zeros. `count` is a constant, a power of two, here and below.
# taken(array, start, count): the numbers of an array (float32) from `start`.
# plus_product(vector, factor, array, start): `vector` plus `factor`, a number or a vector, times as many of the array.
# total(vector): the sum of all: of two neighbours first, then of two such sums, and so on.
# put(vector, array, start): write it into the array from `start`.
# put_bits(word, array, start): write the bits of a word (uint64), the lowest first, into 64 bytes (int8) from `start`.
zeros, taken, plus_product, total, put = intrinsics.vector_functions
put_bits = intrinsics.put_bits
