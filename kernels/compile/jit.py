"""Compilation of kernels: decorators, one cache, plain Python on request.

Numba's own cache checks only the file of the function that Python calls, although functions of other files are compiled
into it. Here the cache folder is named after the text of every file with compiled code, and after the settings of Numba
that change the code: any edit starts an empty folder. `cache_folders.py` finds the folders. You may delete folders at
any time; making a new one deletes those unused for a month. When processes start together, one compiles an entry and
holds its lock; the others wait and load the result.

With the environment variable `NUMBA_DISABLE_JIT=1` kernels stay plain Python, for the debugger and for coverage. `look`
then gives records the attribute access of compiled code. Compiled code takes every whole number as int64. Plain Python
reads a field as a NumPy scalar of its own width, and NumPy's promotion keeps uint8 with Python's ints:
`state.count - 1` would be 255 for 0, and `state.trade + 200` would overflow. Hence the many `np.int64(...)` around
fields: with them both ways compute the same. Compiled code uses no negative index: `pile[-1]` reads the memory before
the pile, and `NUMBA_BOUNDSCHECK=1` reports it.
"""

import functools
import hashlib
from pathlib import Path

import numba
import numpy as np

from stardeck.kernels.compile import cache_folders
from stardeck.kernels.compile.messages import Notice
from stardeck.kernels.compile.numba_private import (
    ENTRY_OPTIONS,
    INLINE_OPTIONS,
    KERNEL_OPTIONS,
    KNOWN,
    LONG_OPTIONS,
    keep_on_disk,
    when_compiling,
    widen,
)

_KERNELS = Path(__file__).parents[1]
_COMPILED_FOLDERS = ("kernels", "agents")
_SETTINGS_OF_CODE = (  # of Numba: they change the code and are not in the index of its cache
    "BOUNDSCHECK",
    "OPT",
    "LOOP_VECTORIZE",
    "SLP_VECTORIZE",
    "CPU_NAME",
    "CPU_FEATURES",
    "ENABLE_AVX",
    "DISABLE_INTEL_SVML",
    "DEBUGINFO_DEFAULT",
    "LLVM_REFPRUNE_PASS",
    "LLVM_REFPRUNE_FLAGS",
)


def _digest() -> str:
    settings = [(name, str(getattr(numba.config, name, None))) for name in _SETTINGS_OF_CODE]
    digest = hashlib.sha256(repr((numba.__version__, KNOWN, np.__version__, settings)).encode())
    for folder in _COMPILED_FOLDERS:
        for path in sorted((_KERNELS.parent / folder).rglob("*.py")):
            digest.update(path.relative_to(_KERNELS.parent).as_posix().encode() + path.read_bytes())
    return digest.hexdigest()[:16]


CACHE_NAME = f"kernels-{_digest()}"  # equal for all processes with the same code
CACHES = (
    cache_folders.Caches((), None, False, {})
    if numba.config.DISABLE_JIT
    else cache_folders.find(CACHE_NAME, _KERNELS / "__pycache__", numba.config.CACHE_DIR)
)
CACHE_FOLDER = CACHES.write  # of new machine code, or None
NOTICE = Notice(CACHES)


def kernel(function):
    """Compile `function` when an entry that calls it is compiled; with NUMBA_DISABLE_JIT=1 leave it plain Python.

    Only kernels and entries can call a kernel; Python cannot. Scratch space comes from `stack_array`.
    """
    return _compiled(function, KERNEL_OPTIONS)


def inline_kernel(function):
    """Compile a kernel that is always inlined into its callers, for frequent calls in the innermost loops."""
    return _compiled(function, INLINE_OPTIONS)


def long_kernel(function):
    """Compile a kernel whose loops over many numbers are vectorised.

    Loops of other kernels go over the few cards of a pile, where checking the length for vectorisation takes longer.
    """
    return _compiled(function, LONG_OPTIONS)


def _compiled(function, options):
    if numba.config.DISABLE_JIT:
        return function
    dispatcher = numba.njit(**options)(function)
    widen(dispatcher)
    return dispatcher


def entry(function):
    """Compile a kernel that Python calls: on first use, cached on disk for later processes, releasing the GIL."""
    if numba.config.DISABLE_JIT:
        return _plain(function)
    dispatcher = numba.njit(**ENTRY_OPTIONS)(function)
    keep_on_disk(dispatcher, CACHES, NOTICE.wait)
    return dispatcher


def bound(function, *arguments):
    """Return an entry compiled for the types of these arguments, without type dispatch.

    The dispatch takes a microsecond for records and arrays, longer than most steps of a game. The result cannot be
    pickled.

    Args:
        function: The entry.
        *arguments: Arguments of the types that later calls have.
    """
    if numba.config.DISABLE_JIT:
        return function
    return function.compile(tuple(map(numba.typeof, arguments)))


def _plain(function):
    """Return an uncompiled entry, which passes its arguments to kernels through `look`."""

    @functools.wraps(function)
    def plain(*args):
        with np.errstate(over="ignore"):  # 64-bit generators wrap around by design
            return function(*map(look, args))

    return plain


if not numba.config.DISABLE_JIT:
    when_compiling(NOTICE.begin, NOTICE.end)


def look(value):
    """Return a record or an array of records with fields as attributes, as in compiled code; anything else unchanged.

    Tuples and NamedTuples are converted part by part.
    """
    if isinstance(value, tuple):
        return type(value)(*map(look, value)) if hasattr(value, "_fields") else tuple(map(look, value))
    if isinstance(value, np.void):
        return _Record(value)
    if isinstance(value, np.ndarray) and value.dtype.names:
        return _Records(value)
    return value


_VIEWS = np.ndarray, np.void


def record_dtype(value) -> np.dtype:
    """Return the dtype of a record, with or without `look`."""
    return getattr(value, "_record", value).dtype


class _Records:
    """Array of records with attribute access; rows are cached, because they are views."""

    __slots__ = ("_array", "_rows")

    def __init__(self, array):
        object.__setattr__(self, "_array", array)
        object.__setattr__(self, "_rows", {})

    def __getitem__(self, index):
        if isinstance(index, slice):
            return look(self._array[index])
        found = self._rows.get(index)
        if found is None:
            found = self._rows[index] = look(self._array[index])
        return found

    def __setitem__(self, index, value):
        self._array[index] = getattr(value, "_record", value)

    def __len__(self):
        return len(self._array)


class _Record:
    """Record with attribute access; array and record fields are cached on first access, because they are views."""

    def __init__(self, record):
        self.__dict__["_record"] = record

    def __getattr__(self, name):
        value = self._record[name]
        if isinstance(value, _VIEWS):
            value = self.__dict__[name] = look(value)
        return value

    def __setattr__(self, name, value):
        self._record[name] = value
