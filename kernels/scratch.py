"""Scratch space for kernels: small arrays on the stack, which cost no allocation and no counting of references."""

import numba
import numpy as np
from numba.core import cgutils, types
from numba.extending import intrinsic
from numba.np.arrayobj import populate_array


@intrinsic(prefer_literal=True)
def _stack_array(typing_context, count, dtype):
    """One block of the calling function's frame, seen as an array that owns nothing."""
    array = types.Array(dtype.dtype, 1, "C")

    def generate(context, builder, signature, arguments):
        item = context.get_data_type(array.dtype)
        item_size = context.get_constant(types.intp, context.get_abi_sizeof(item))
        length = context.get_constant(types.intp, count.literal_value)
        place = cgutils.alloca_once(builder, item, size=count.literal_value)
        made = context.make_array(array)(context, builder)
        populate_array(made, data=place, shape=[length], strides=[item_size], itemsize=item_size, meminfo=None)
        return made._getvalue()

    return array(count, dtype), generate


# stack_array(count, dtype): `count` is a constant. The array holds whatever was there before, and is gone when the
# kernel that asked for it returns: hand it down, never up.
stack_array = np.empty if numba.config.DISABLE_JIT else _stack_array
