"""LLVM instructions that Numba does not offer, as intrinsics, with equivalent functions in plain Python.

The functions serve without compilation and with untested versions of Numba. Each operation is described where kernels
import it from: stack_arrays.py, simd.py, prefetch.py, ../primitives/action_set.py.
"""

import numba
import numpy as np

from stardeck.kernels.compile.numba_private import KNOWN

try:
    if not KNOWN:
        raise ImportError("numba: this version is not tested")
    from numba.core import cgutils, types
    from numba.extending import intrinsic, models, register_model
    from numba.np.arrayobj import populate_array

    ir = cgutils.ir  # of llvmlite, as Numba imports it
    COMPILED = not numba.config.DISABLE_JIT
except (ImportError, AttributeError):
    COMPILED = False


def _stack_array():
    """Return the intrinsic `stack_array`, see stack_arrays.py."""

    @intrinsic(prefer_literal=True)
    def stack_array(typing_context, count, dtype):
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

    return stack_array


def _vector_type():
    """Return the type of a vector of floats."""

    class Vector(types.Type):
        """Vector of 32-bit floats, in registers as far as possible."""

        def __init__(self, count):
            super().__init__(name=f"Vector({count})")
            self.count = count

    @register_model(Vector)
    class VectorModel(models.PrimitiveModel):
        """Data model: an LLVM vector, which LLVM divides among the registers of the processor."""

        def __init__(self, manager, kind):
            super().__init__(manager, kind, ir.VectorType(ir.FloatType(), kind.count))

    return Vector


def _place(context, builder, kind, array, start, vector):
    """Return the address of the vector that begins at `start` of an array."""
    data = context.make_array(kind)(context, builder, array).data
    return builder.bitcast(builder.gep(data, [start]), context.get_value_type(vector).as_pointer())


def _spread(context, builder, number, vector):
    """Return a vector of one number, repeated."""
    nothing = ir.Constant(context.get_value_type(vector), ir.Undefined)
    first = ir.Constant(ir.IntType(32), 0)
    everywhere = ir.Constant(ir.VectorType(ir.IntType(32), vector.count), [0] * vector.count)
    return builder.shuffle_vector(builder.insert_element(nothing, number, first), nothing, everywhere)


def _sum(builder, vector):
    """Return the sum of a vector: add neighbours pairwise until one number is left."""
    while vector.type.count > 1:
        half = vector.type.count // 2
        parts = []
        for first in (0, 1):
            chosen = ir.Constant(ir.VectorType(ir.IntType(32), half), list(range(first, 2 * half, 2)))
            parts.append(builder.shuffle_vector(vector, vector, chosen))
        vector = builder.fadd(*parts)
    return builder.extract_element(vector, ir.Constant(ir.IntType(32), 0))


def _vectors():
    """Return the intrinsics `zeros`, `taken`, `plus_product`, `total` and `put`, see simd.py."""
    Vector = _vector_type()

    def load(context, builder, kind, array, start, vector):
        return builder.load(_place(context, builder, kind, array, start, vector), align=4)

    @intrinsic(prefer_literal=True)
    def zeros(typing_context, count):
        vector = Vector(count.literal_value)

        def generate(context, builder, signature, arguments):
            return ir.Constant(context.get_value_type(vector), [0.0] * vector.count)

        return vector(count), generate

    @intrinsic(prefer_literal=True)
    def taken(typing_context, array, start, count):
        vector = Vector(count.literal_value)

        def generate(context, builder, signature, arguments):
            return load(context, builder, array, arguments[0], arguments[1], vector)

        return vector(array, types.int64, count), generate

    @intrinsic
    def plus_product(typing_context, vector, factor, array, start):
        def generate(context, builder, signature, arguments):
            row = load(context, builder, array, arguments[2], arguments[3], vector)
            times = arguments[1] if factor == vector else _spread(context, builder, arguments[1], vector)
            return builder.fadd(arguments[0], builder.fmul(times, row))

        return vector(vector, factor, array, types.int64), generate

    @intrinsic
    def total(typing_context, vector):
        def generate(context, builder, signature, arguments):
            return _sum(builder, arguments[0])

        return types.float32(vector), generate

    @intrinsic
    def put(typing_context, vector, array, start):
        def generate(context, builder, signature, arguments):
            builder.store(arguments[0], _place(context, builder, array, arguments[1], arguments[2], vector), align=4)
            return context.get_dummy_value()

        return types.void(vector, array, types.int64), generate

    return zeros, taken, plus_product, total, put


def _put_bits():
    """Return the intrinsic `put_bits`, see simd.py: repeat each byte of the word eight times, and test one bit each."""

    @intrinsic
    def put_bits(typing_context, word, array, start):
        if array.layout != "C" or array.dtype != types.int8:
            return None

        def generate(context, builder, signature, arguments):
            byte, number = ir.IntType(8), ir.IntType(32)
            row = ir.VectorType(byte, 64)
            bytes_of_word = builder.bitcast(arguments[0], ir.VectorType(byte, 8))
            nothing = ir.Constant(bytes_of_word.type, ir.Undefined)
            places = ir.Constant(ir.VectorType(number, 64), [k // 8 for k in range(64)])
            bits = ir.Constant(row, [1 << k % 8 for k in range(64)])
            found = builder.and_(builder.shuffle_vector(bytes_of_word, nothing, places), bits)
            data = context.make_array(signature.args[1])(context, builder, arguments[1]).data
            place = builder.bitcast(builder.gep(data, [arguments[2]]), row.as_pointer())
            builder.store(builder.zext(builder.icmp_unsigned("==", found, bits), row), place, align=1)
            return context.get_dummy_value()

        return types.void(types.uint64, array, types.int64), generate

    return put_bits


def _deposits_bits(codegen):
    """Return whether the processor has a fast bit deposit (PDEP); Zen 1 and 2 emulate it bit by bit."""
    features = getattr(codegen, "_tm_features", "").split(",")
    return "+bmi2" in features and codegen._get_host_cpu_name() not in ("znver1", "znver2")


def _place_of_bit():
    """Return the intrinsic `place_of_bit`, see action_set.py: deposit a bit in the k-th place, or clear lower bits."""

    @intrinsic
    def place_of_bit(typing_context, word, k):
        def generate(context, builder, signature, arguments):
            word, k = arguments
            number = word.type
            if _deposits_bits(context.codegen()):
                form = ir.FunctionType(number, [number, number])
                deposit = cgutils.get_or_insert_function(builder.module, form, "llvm.x86.bmi.pdep.64")
                left = builder.call(deposit, [builder.shl(number(1), k), word])
            else:
                place = cgutils.alloca_once_value(builder, word)
                with cgutils.for_range(builder, k):
                    left = builder.load(place)
                    builder.store(builder.and_(left, builder.sub(left, number(1))), place)
                left = builder.load(place)
            return builder.cttz(left, cgutils.false_bit)

        return types.int64(types.uint64, types.int64), generate

    return place_of_bit


def _fetch():
    """Return the intrinsic `fetch`, see prefetch.py."""

    @intrinsic
    def fetch(typing_context, array, row, byte):
        def generate(context, builder, signature, arguments):
            kind = signature.args[0]
            made = context.make_array(kind)(context, builder, arguments[0])
            place = cgutils.get_item_pointer(context, builder, kind, made, [arguments[1]], wraparound=False)
            place = builder.gep(builder.bitcast(place, cgutils.voidptr_t), [arguments[2]])
            number = cgutils.int32_t
            form = cgutils.ir.FunctionType(cgutils.ir.VoidType(), [place.type, number, number, number])
            prefetch = builder.module.declare_intrinsic("llvm.prefetch", [place.type], form)
            builder.call(prefetch, [place, number(0), number(3), number(1)])  # to be read, to be kept, data
            return context.get_dummy_value()

        return types.void(array, types.int64, types.int64), generate

    return fetch


def _extents():
    """Return the intrinsic `extents`, see prefetch.py."""

    @intrinsic
    def extents(typing_context, array):
        record = array.dtype
        before, seat, behind = record.size, 0, record.size
        if "players" in record.fields:
            seats = record.typeof("players")
            before, seat = record.offset("players"), seats.size
            behind = before + seats.nitems * seat

        def generate(context, builder, signature, arguments):
            numbers = before, seat, behind, record.size
            constants = [context.get_constant(types.int64, number) for number in numbers]
            return context.make_tuple(builder, signature.return_type, constants)

        return types.UniTuple(types.int64, 4)(array), generate

    return extents


def _zeros(count):
    return np.zeros(count, np.float32)


def _taken(array, start, count):
    return array[start : start + count].copy()


def _plus_product(vector, factor, array, start):
    return vector + factor * array[start : start + len(vector)]


def _total(vector):
    while len(vector) > 1:
        vector = vector[::2] + vector[1::2]
    return vector[0]


def _put(vector, array, start):
    array[start : start + len(vector)] = vector


def _put_shifted(word, array, start):
    array[start : start + 64] = word >> np.arange(64, dtype=np.uint64) & np.uint64(1)


def _place_by_steps(word, k):
    for _ in range(k):
        word &= word - np.uint64(1)
    place = 0
    while word >> np.uint64(place) & np.uint64(1) == 0:
        place += 1
    return place


_function = numba.njit(error_model="numpy")
stack_array = np.empty
vector_functions = [_function(plain) for plain in (_zeros, _taken, _plus_product, _total, _put)]
put_bits = _function(_put_shifted)
place_of_bit = _function(_place_by_steps)
fetch = numba.njit(lambda array, row, byte: None)
extents = numba.njit(lambda states: (0, 0, 0, 0))
if COMPILED:
    stack_array = _stack_array()
    vector_functions = _vectors()
    put_bits = _put_bits()
    place_of_bit = _place_of_bit()
    fetch = _fetch()
    extents = _extents()
