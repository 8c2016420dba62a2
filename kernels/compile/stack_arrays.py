"""Scratch arrays for kernels, on the stack: no allocation and no reference counting."""

from stardeck.kernels.compile import intrinsics

# stack_array(count, dtype): `count` is a constant. The array is not initialised. It is gone when the kernel that made
# it returns: pass it to callees and never return it.
stack_array = intrinsics.stack_array
