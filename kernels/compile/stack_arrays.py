"""Scratch space for kernels: small arrays on the stack, which cost no allocation and no counting of references."""

from stardeck.kernels.compile import intrinsics

# stack_array(count, dtype): `count` is a constant. The array holds whatever was there before, and is gone when the
# kernel that asked for it returns: hand it down, never up.
stack_array = intrinsics.stack_array
