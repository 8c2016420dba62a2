"""SIMD vectors: several numbers of an array, which stay in registers while rows are added up.

LLVM keeps even a small array in memory. A vector is one value, on which the processor works with 4, 8 or 16 numbers at
once. Products and sums are rounded one by one, so the bits are the same on all processors and without Numba.
"""

from stardeck.kernels.compile import intrinsics

# zeros(count): a vector of zeros. `count` is a constant, a power of two, here and below.
# taken(array, start, count): `count` numbers of an array (float32) from `start`.
# plus_product(vector, factor, array, start): `vector` plus `factor` (a number or a vector) times numbers of the array.
# total(vector): the sum: first of pairs of neighbours, then of pairs of these sums, and so on.
# put(vector, array, start): write the vector into the array from `start`.
# put_bits(word, array, start): write the bits of a word (uint64), the lowest first, into 64 bytes (int8) from `start`.
zeros, taken, plus_product, total, put = intrinsics.vector_functions
put_bits = intrinsics.put_bits
