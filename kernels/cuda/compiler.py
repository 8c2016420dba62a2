"""The same kernels for a GPU: what numba-cuda must be told so that the rules compile for it as they stand.

Nothing imports this module before a game is asked for with `device="cuda"`. numba-cuda wraps a function that is
compiled for the processor when compiled code of the device calls it; here the wrapper is our own, for four reasons:

- A kernel takes every whole number as int64, on the device as on the processor (`numba_private.widen`).
- Members of an IntEnum are plain numbers: numba-cuda has no arrays indexed by them.
- The verbs are resolved by the type of the state, `stack_array` takes local memory, and nothing is asked for ahead: a
  thread has one row.
- Code is made without a device too: for a compute capability that is named.

Products and sums of floats are rounded one by one, or agents that compare sums would choose otherwise than on the
processor. Long functions are called and not copied into their callers: that is a quarter of the code and of the time
that it takes to make it.

Numba's simulator (`NUMBA_ENABLE_CUDASIM=1`) runs the launches in plain Python, with `NUMBA_DISABLE_JIT=1` alone, for
compiled kernels have no way in from Python.

An error that a kernel raises ends its thread and is told to nobody: rules raise before they change anything.
"""

import math
import warnings
from contextlib import contextmanager
from enum import IntEnum
from importlib.util import find_spec
from types import FunctionType, SimpleNamespace

import numba
import numpy as np

from stardeck.kernels import verbs
from stardeck.kernels.compile.jit import kernel, look
from stardeck.kernels.compile.prefetch import fetch_row, fetch_row_of_many
from stardeck.kernels.compile.stack_arrays import stack_array

SIMULATED = bool(numba.config.ENABLE_CUDASIM)


class NoDevice(RuntimeError):
    """There is no GPU to play on, or nothing that compiles for it."""


if find_spec("numba_cuda") is None:
    raise NoDevice('device="cuda": numba-cuda is not installed: pip install "stardeck[cuda]"')
if SIMULATED != bool(numba.config.DISABLE_JIT):
    raise NoDevice('device="cuda": NUMBA_ENABLE_CUDASIM=1 and NUMBA_DISABLE_JIT=1 go together only')

from numba import cuda  # noqa: E402

if not SIMULATED:
    from numba.core.dispatcher import Dispatcher
    from numba.cuda import cgutils, dispatcher, types
    from numba.cuda.compiler import _compile_pyfunc_with_fixup, compile_cuda
    from numba.cuda.descriptor import cuda_target
    from numba.cuda.dispatcher import CUDADispatcher
    from numba.cuda.extending import intrinsic
    from numba.cuda.np.arrayobj import populate_array
    from numba.cuda.np.numpy_support import from_dtype

_VERBS = verbs.deal, verbs.legal_actions, verbs.apply, verbs.observe, verbs.resample_hidden, verbs.choose
THREADS = 1 if SIMULATED else 64  # of a block; nothing else was tried
_LONG = 300  # instructions of intermediate code: 60 or 100 make larger machine code, no limit a fourfold one
AS_WRITTEN = {"fma": False}  # products and sums of floats are rounded one by one


def check_device():
    """NoDevice if there is none."""
    if not (SIMULATED or cuda.is_available()):
        raise NoDevice('device="cuda": no GPU is found, or no driver for it')


def on_gpu(value) -> bool:
    """Whether it is an array on the device, of whatever library."""
    return hasattr(value, "__cuda_array_interface__") or getattr(value, "__cuda_ndarray__", False)


def taken(array):
    """An array on the device as launches take it; nothing is copied."""
    return array if SIMULATED else cuda.as_cuda_array(array)


def shared(array):
    """An array on the device as other libraries take it, which share its memory. In the simulator it is NumPy's."""
    return array._ary if SIMULATED else array


def _device_code():
    """How kernels and verbs are compiled when code of the device calls them."""

    def wide(kind):
        kind = types.unliteral(kind)
        is_whole = isinstance(kind, types.Integer | types.IntEnumMember)
        return types.int64 if is_whole and kind != types.uint64 else kind

    class Kernel(CUDADispatcher):
        """A kernel on the device, compiled for the types of each call."""

        def get_call_template(self, args, kws):
            return super().get_call_template(tuple(map(wide, args)), kws)

        def compile_device(self, args, return_type=None):
            made = super().compile_device(args, return_type)
            for function in made.library._module.functions:
                if sum(len(block.instructions) for block in function.blocks) > _LONG:
                    if not self.targetoptions["forceinline"]:
                        function.attributes.add("noinline")
            return made

    class Verb(Kernel):
        """A verb on the device: what the game of the state does."""

        def compile_device(self, args, return_type=None):
            for (name, dtype), function in verbs._PLAIN.items():
                if name == self.py_func.__name__ and from_dtype(dtype) == args[1]:
                    made = self.overloads[args] = on_device(function).compile_device(args)
                    return made
            raise TypeError(f"{self.py_func.__name__}: no game has the states {args[1]}")

    def options(forceinline=False):
        return {"device": True, "opt": True, "debug": False, "forceinline": forceinline}

    found = {verb: Verb(verb, options()) for verb in _VERBS}
    found[fetch_row] = found[fetch_row_of_many] = Kernel(lambda rules, states, i: None, options(forceinline=True))

    def on_device(function):
        if function not in found:
            inlined = bool(function.targetoptions.get("forceinline"))
            found[function] = Kernel(function.py_func, options(inlined))
        return found[function]

    return on_device


def _local_array():
    """`stack_array` on the device, see scratch.py."""

    @intrinsic
    def local_array(typing_context, count, dtype):
        if not isinstance(count, types.Literal):
            return None
        array = types.Array(dtype.dtype, 1, "C")

        def generate(context, builder, signature, arguments):
            item = context.get_data_type(array.dtype)
            item_size = context.get_constant(types.intp, context.get_abi_sizeof(item))
            length = context.get_constant(types.intp, count.literal_value)
            place = cgutils.alloca_once(builder, item, size=count.literal_value)
            place.align = 16  # bytes are looked at eight at once, which the processor takes from anywhere
            made = context.make_array(array)(context, builder)
            populate_array(made, data=place, shape=[length], strides=[item_size], itemsize=item_size, meminfo=None)
            return made._getvalue()

        return array(count, dtype), generate

    return local_array


def _teach(context):
    """Have numba-cuda's typing context know kernels, verbs, `stack_array` and enumerations."""
    on_device, local_array = _device_code(), _local_array()
    value_type, attribute = context.resolve_value_type, context.resolve_getattr

    def resolve_value_type(value):
        if isinstance(value, IntEnum):
            value = int(value)
        elif value is stack_array:
            value = local_array
        elif isinstance(value, Dispatcher) and value.py_func.__module__.startswith("stardeck."):
            value = on_device(value)
        elif isinstance(value, FunctionType) and value in _VERBS:
            value = on_device(value)
        return value_type(value)

    def resolve_getattr(of, name):
        if name == "exp" and isinstance(of, types.Module):
            return value_type(math.exp)  # numba-cuda has no `np.exp`; agents that draw from a policy ask for it
        found = attribute(of, name)
        return types.int64 if isinstance(found, types.IntEnumMember) else found

    context.resolve_value_type, context.resolve_getattr = resolve_value_type, resolve_getattr


@contextmanager
def _instead(name, value):
    """Have numba-cuda's dispatchers call `value` by one of the names that they import."""
    before = getattr(dispatcher, name)
    setattr(dispatcher, name, value)
    try:
        yield
    finally:
        setattr(dispatcher, name, before)


def _compile_as_written(*args, nvvm_options, **options):
    """numba-cuda's, without contraction, for which it has no option."""
    return compile_cuda(*args, nvvm_options=nvvm_options | AS_WRITTEN, **options)


if SIMULATED:

    def _seen(value):
        """An array of the simulator as plain Python's kernels want it."""
        value = getattr(value, "_item", value)
        value = getattr(value, "_ary", value)
        return tuple(map(_seen, value)) if type(value) is tuple else look(value)

    seen = _seen
    Launch = None
else:
    _teach(cuda_target.typing_context)

    @kernel
    def seen(arrays):
        """The arrays that a launch was given, as kernels take them."""
        return arrays

    class Launch(CUDADispatcher):
        """A function that the processor launches on the device."""

        def compile(self, sig):
            """Compile for these types and the device at hand."""
            with _instead("compile_cuda", _compile_as_written):
                return super().compile(sig)


def launched(function):
    """A function of (count, arrays) that the processor launches, a thread for each row: see `launch`.

    arrays: a tuple; the function takes `seen(arrays)` apart.
    """
    return cuda.jit(function) if SIMULATED else Launch(function, {"opt": True, "debug": False, "device": False})


def launch(loop, count, arrays):
    """Run a launched function for so many rows."""
    if count:
        with warnings.catch_warnings():  # of small grids, which a few games are
            warnings.simplefilter("ignore")
            configured = loop[-(-count // THREADS), THREADS]
        configured(count, arrays)


def type_of(dtype, dimensions=1):
    """The type of an array on the device, for `ptx`."""
    return types.Array(from_dtype(np.dtype(dtype)), dimensions, "C")


def ptx(launch, arrays, capability):
    """The PTX of a launch; no device is needed.

    arrays: their types, a tuple of `type_of`, nested as the arrays are. capability: compute capability, such as (8, 0).
    """
    signature = types.void(types.int64, _tuple(arrays))
    device = SimpleNamespace(compute_capability=capability)
    with _instead("get_current_device", lambda: device):
        library, _ = _compile_pyfunc_with_fixup(launch.py_func, signature, device=False, cc=capability, abi="numba")
    library._nvvm_options |= AS_WRITTEN
    return "\n".join(library.get_asm_strs(cc=capability))


def _tuple(arrays):
    return types.Tuple([_tuple(part) if isinstance(part, tuple) else part for part in arrays])
