"""Compiler of the same kernels for a GPU: changes to numba-cuda, so the rules compile unchanged.

Nothing imports this module before a game is made with `device="cuda"`. numba-cuda wraps a CPU function when device code
calls it. This module replaces that wrapper, for four reasons:

- A kernel takes every whole number as int64, on the GPU as on the CPU (`numba_private.widen`).
- Members of an IntEnum are plain numbers: numba-cuda cannot index arrays with them.
- The type of the state resolves the verbs, `stack_array` uses local memory, and nothing is prefetched, because a thread
  has one row.
- Code can be generated without a GPU, for a given compute capability.

Products and sums of floats are rounded one by one; otherwise agents that compare sums would choose other actions than
on the CPU. Long functions are called and not inlined: this gives a quarter of the code and of the compile time.

Numba's simulator (`NUMBA_ENABLE_CUDASIM=1`) runs the launches in plain Python. It needs `NUMBA_DISABLE_JIT=1`, because
Python cannot call compiled kernels.

An error that a kernel raises ends its thread: rules raise before they change anything. The launch keeps the number of
the first such row, and `check_errors` raises it when the host looks.
"""

import ctypes
import math
import re
import threading
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
    """Error: there is no GPU, or no compiler for it."""


class DeviceError(RuntimeError):
    """Error: a kernel raised an error on the GPU.

    Attributes:
        loop: The name of the launched function.
        row: The row of the batch whose thread it ended.
    """

    def __init__(self, loop: str, row: int) -> None:
        super().__init__(f"{loop}: the rules raised an error in row {row}, which is unchanged")
        self.loop, self.row = loop, row


if find_spec("numba_cuda") is None:
    raise NoDevice('device="cuda": numba-cuda is not installed: pip install "stardeck[cuda]"')
if SIMULATED != bool(numba.config.DISABLE_JIT):
    raise NoDevice('device="cuda": set NUMBA_ENABLE_CUDASIM=1 and NUMBA_DISABLE_JIT=1 together')

from numba import cuda  # noqa: E402

if SIMULATED:
    from numba.cuda.simulator.cudadrv.devicearray import FakeCUDAArray
else:
    from numba.core.dispatcher import Dispatcher
    from numba.cuda import cgutils, compiler, dispatcher, types
    from numba.cuda.compiler import _compile_pyfunc_with_fixup, compile_cuda, kernel_fixup
    from numba.cuda.cudadrv import driver
    from numba.cuda.cudadrv.devicearray import DeviceNDArray
    from numba.cuda.descriptor import cuda_target
    from numba.cuda.dispatcher import CUDADispatcher
    from numba.cuda.extending import intrinsic
    from numba.cuda.np.arrayobj import populate_array
    from numba.cuda.np.numpy_support import from_dtype

    from stardeck.kernels.cuda.kernel_cache import KernelCache

_VERBS = (
    verbs.deal, verbs.legal_actions, verbs.apply, verbs.observe, verbs.observe_hidden, verbs.resample_hidden,
    verbs.choose,
)  # fmt: skip
LANES = 32  # threads of a warp, which execute the same instruction
THREADS = 64  # of a block; no other number was tested
WARPS = THREADS // LANES  # of a block
_LONG = 300  # instructions of intermediate code: 60 or 100 give larger machine code, no limit gives four times as much
AS_WRITTEN = {"fma": False}  # products and sums of floats are rounded one by one


def check_device():
    """Raise NoDevice if there is no GPU."""
    if not (SIMULATED or cuda.is_available()):
        raise NoDevice('device="cuda": no GPU is found, or no driver for it')


def on_gpu(value) -> bool:
    """Return whether a value is an array on the GPU, of any library."""
    return hasattr(value, "__cuda_array_interface__") or getattr(value, "__cuda_ndarray__", False)


def taken(array):
    """Return an array on the GPU as launches take it; nothing is copied."""
    return array if SIMULATED else cuda.as_cuda_array(array)


def shared(array):
    """Return an array on the GPU as other libraries take it, sharing its memory. In the simulator it is NumPy's."""
    return array._ary if SIMULATED else array


def as_words(array):
    """Return an array of records on the GPU as one of the largest whole numbers that divide a record: a view."""
    size = next(size for size in (8, 4, 2, 1) if array.dtype.itemsize % size == 0)
    word = np.dtype(f"uint{8 * size}")
    if SIMULATED:
        return FakeCUDAArray(array._ary.view(word))
    count = array.size * array.dtype.itemsize // size
    return DeviceNDArray((count,), (size,), word, gpu_data=array.gpu_data)


def rows_of(words, size, dtype):
    """Return the first `size` bytes of each row of uint32[n, width] on the GPU: a view of a one-byte dtype."""
    if SIMULATED:
        return FakeCUDAArray(words._ary.view(dtype)[:, :size])
    strides = words.strides[0], 1
    return DeviceNDArray((len(words), size), strides, np.dtype(dtype), gpu_data=words.gpu_data)


def _device_code():
    """Return the function that compiles kernels and verbs for calls from device code."""

    def wide(kind):
        kind = types.unliteral(kind)
        is_whole = isinstance(kind, types.Integer | types.IntEnumMember)
        return types.int64 if is_whole and kind != types.uint64 else kind

    class Kernel(CUDADispatcher):
        """Kernel on the GPU, compiled for the types of each call."""

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
        """Verb on the GPU: the implementation of the state's game."""

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
    """Return `stack_array` for the GPU, see stack_arrays.py."""

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
            place.align = 16  # kernels read eight bytes at once, and unlike the CPU a GPU needs alignment
            made = context.make_array(array)(context, builder)
            populate_array(made, data=place, shape=[length], strides=[item_size], itemsize=item_size, meminfo=None)
            return made._getvalue()

        return array(count, dtype), generate

    return local_array


def _teach(context):
    """Extend numba-cuda's typing context by kernels, verbs, `stack_array` and enumerations."""
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
            return value_type(math.exp)  # numba-cuda has no `np.exp`, which sampling from a policy needs
        found = attribute(of, name)
        return types.int64 if isinstance(found, types.IntEnumMember) else found

    context.resolve_value_type, context.resolve_getattr = resolve_value_type, resolve_getattr


def _store_four():
    """Return `store_four` for the GPU, see below."""

    @intrinsic
    def store_four(typing_context, target, place, first, second, third, fourth):
        def generate(context, builder, signature, arguments):
            number = cgutils.ir.IntType(32)
            vector = cgutils.ir.VectorType(number, 4)
            made = cgutils.ir.Constant(vector, cgutils.ir.Undefined)
            for k, given in enumerate(arguments[2:]):
                made = builder.insert_element(made, builder.trunc(given, number), number(k))
            data = context.make_array(signature.args[0])(context, builder, arguments[0]).data
            place = builder.bitcast(builder.gep(data, [arguments[1]]), vector.as_pointer())
            builder.store(made, place, align=16)
            return context.get_dummy_value()

        return types.void(target, *[types.int64] * 5), generate

    return store_four


def _put_four(target, place, *numbers):
    target.reshape(-1)[place : place + 4] = numbers


@contextmanager
def _instead(name, value, module=None):
    """Replace one of the names that numba-cuda's dispatchers, or another module, import by `value`."""
    module = module or dispatcher
    before = getattr(module, name)
    setattr(module, name, value)
    try:
        yield
    finally:
        setattr(module, name, before)


def _compile_as_written(*args, nvvm_options, **options):
    """Compile as numba-cuda does, but without contraction, for which it has no option."""
    return compile_cuda(*args, nvvm_options=nvvm_options | AS_WRITTEN, **options)


def _fix_up(function, debug):
    """Let a kernel note its first error, which numba-cuda does for `debug` alone, where everything is slow."""
    kernel_fixup(function, True)


if SIMULATED:

    def _seen(value):
        """Return an array of the simulator as plain Python's kernels expect it."""
        np.seterr(over="ignore")  # in this thread of the simulator, as `entry` does for plain Python
        value = getattr(value, "_item", value)
        value = getattr(value, "_ary", value)
        return tuple(map(_seen, value)) if type(value) is tuple else look(value)

    seen = _seen
    Launch = None
    store_four = _put_four

    def sync_warp():
        """Wait for the other threads of the warp; a simulated block is one warp."""
        threading.current_thread().syncthreads()
else:
    _teach(cuda_target.typing_context)
    # store_four(target, place, first, second, third, fourth): write four words of uint32[n, width] at once, from a
    # place counted through all rows. The address of the first must be a multiple of 16 bytes.
    store_four = _store_four()

    @kernel
    def sync_warp():
        """Wait for the other threads of the warp."""
        cuda.syncwarp()

    @kernel
    def seen(arrays):
        """Return the arrays of a launch, as kernels take them."""
        return arrays

    class Launch(CUDADispatcher):
        """Function that the CPU launches on the GPU."""

        def compile(self, sig):
            """Compile for these types and the current GPU."""
            with _instead("compile_cuda", _compile_as_written), _instead("kernel_fixup", _fix_up):
                return super().compile(sig)

        def failed_row(self):
            """Return the row whose thread raised the first error since the last look, or -1. It waits for the GPU."""
            for made in self.overloads.values():
                function = made._codelibrary.get_cufunc()
                memory, size = function.module.get_global_symbol(f"{function.name}__errcode__")
                if _number_at(memory, size):
                    memory.memset(0)
                    block, thread = (
                        _number_at(*function.module.get_global_symbol(f"{function.name}__{name}x__"))
                        for name in ("ctaid", "tid")
                    )
                    return block * THREADS + thread
            return -1

    def _number_at(memory, size):
        value = ctypes.c_int()
        driver.device_to_host(ctypes.addressof(value), memory, size)
        return value.value


_launched: dict = {}  # launches since the last look, by name


def launched(function=None, *, warps=False, registers=None):
    """Make a launch of a function of (count, arrays), with a thread for each row: see `launch`.

    arrays: a tuple; the function unpacks `seen(arrays)`.

    Args:
        function: The function.
        warps: True if the threads of a warp work together, which the simulator then imitates.
        registers: The largest number of registers of a thread; None: as many as the compiler likes.
    """
    if function is None:
        return lambda function: launched(function, warps=warps, registers=registers)
    if SIMULATED:
        made = cuda.jit(function)
    else:
        options = {"opt": True, "debug": False, "device": False}
        options |= {} if registers is None else {"max_registers": registers}
        made = Launch(function, options)
        made._cache = KernelCache(function, options)
    made.block_size = THREADS if not SIMULATED else LANES if warps else 1
    return made


def launch(loop, count, arrays):
    """Run a launched function.

    Args:
        loop: The function.
        count: The number of rows.
        arrays: A tuple of its arrays.

    Raises:
        DeviceError: In the simulator, a kernel raised an error; on a GPU `check_errors` says so.
    """
    if not count:
        return
    with warnings.catch_warnings():  # numba-cuda warns about small grids; a few games are one
        warnings.simplefilter("ignore")
        configured = loop[-(-count // loop.block_size), loop.block_size]
    if not SIMULATED:
        configured(count, arrays)
        _launched[id(loop)] = loop
        return
    try:
        configured(count, arrays)
    except Exception as error:
        if place := re.match(r"tid=\[(\d+), 0, 0\] ctaid=\[(\d+), 0, 0\]", str(error)):
            thread, block = map(int, place.groups())
            raise DeviceError(loop.fn.__name__, block * loop.block_size + thread) from error
        raise


def check_errors():
    """Wait for the GPU, and raise DeviceError if a kernel has raised an error since the last look."""
    for loop in list(_launched.values()):
        if (row := loop.failed_row()) >= 0:
            _launched.clear()
            raise DeviceError(loop.py_func.__name__, row)
    _launched.clear()


def type_of(dtype, dimensions=1):
    """Return the type of an array on the GPU, for `ptx`."""
    return types.Array(from_dtype(np.dtype(dtype)), dimensions, "C")


def ptx(launch, arrays, capability):
    """Return the PTX of a launch; no GPU is needed.

    Args:
        launch: The launched function.
        arrays: The types of its arrays, a tuple of `type_of`, nested as the arrays are. An np.int64 is a number.
        capability: The compute capability, such as (8, 0).
    """
    signature = types.void(types.int64, _tuple(arrays))
    device = SimpleNamespace(compute_capability=capability)
    with _instead("get_current_device", lambda: device), _instead("kernel_fixup", _fix_up, compiler):
        library, _ = _compile_pyfunc_with_fixup(launch.py_func, signature, device=False, cc=capability, abi="numba")
    library._nvvm_options |= AS_WRITTEN
    return "\n".join(library.get_asm_strs(cc=capability))


def _tuple(arrays):
    kinds = {tuple: _tuple, np.int64: lambda number: types.int64}
    return types.Tuple([kinds.get(type(part), lambda kind: kind)(part) for part in arrays])
