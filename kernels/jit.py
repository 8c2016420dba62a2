"""Compiling kernels: one decorator, one cache, plain Python on request.

Numba's own cache looks only at the file of the function that Python calls, while functions of other files are compiled
into it. The cache folder is therefore named after the text of every file that holds compiled code: an edit to any of
them starts an empty folder. Old folders may be deleted at any time.

With the environment variable `NUMBA_DISABLE_JIT=1` kernels stay plain Python, for the debugger and for coverage;
`look` then gives records the attribute access that compiled code has.
"""

import functools
import hashlib
import os
import sys
import tempfile
from pathlib import Path

import numba
import numpy as np
from numba.core import event, types

from stardeck.kernels.lowering import KernelCompiler

_HERE = Path(__file__).parent
_COMPILED_FOLDERS = ("kernels", "agents")


def _digest() -> str:
    digest = hashlib.sha256(numba.__version__.encode())
    for folder in _COMPILED_FOLDERS:
        for path in sorted((_HERE.parent / folder).rglob("*.py")):
            digest.update(path.relative_to(_HERE.parent).as_posix().encode() + path.read_bytes())
    return digest.hexdigest()[:16]


def _writable(folder: Path) -> bool:
    try:
        folder.mkdir(parents=True, exist_ok=True)
        with tempfile.TemporaryFile(dir=folder):
            return True
    except OSError:
        return False


def _cache_folder() -> Path:
    """`NUMBA_CACHE_DIR` if the user set it, else beside the kernels, else (read-only install) in the user's cache."""
    user_cache = Path(os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache") / "stardeck"
    given = [Path(numba.config.CACHE_DIR)] if numba.config.CACHE_DIR else []
    for base in [*given, _HERE / "__pycache__", user_cache]:
        folder = base / f"kernels-{_digest()}"
        if _writable(folder):
            return folder
    return Path(tempfile.mkdtemp(prefix="stardeck-"))


CACHE_FOLDER = None if numba.config.DISABLE_JIT else _cache_folder()


KERNEL_OPTIONS = {
    "error_model": "numpy",
    "no_cpython_wrapper": True,
    "no_cfunc_wrapper": True,
    "_nrt": False,
    "pipeline_class": KernelCompiler,
}


def kernel(function):
    """Compile `function` when an entry that calls it is compiled; with NUMBA_DISABLE_JIT=1 leave it plain Python.

    A kernel is called by kernels only and has no way in from Python (see `lowering.py`). It allocates no
    array on the heap (`stack_array` is there for scratch space), so that none has to be counted: counting references
    cost a quarter of the time of `legal_actions`.
    """
    if numba.config.DISABLE_JIT:
        return _plain(function)
    return _widen(numba.njit(**KERNEL_OPTIONS)(function))


def inline_kernel(function):
    """A kernel that is always compiled into its callers: for what the innermost loops ask again and again."""
    if numba.config.DISABLE_JIT:
        return _plain(function)
    return _widen(numba.njit(**KERNEL_OPTIONS, forceinline=True)(function))


def _widen(dispatcher):
    """Let kernels take every whole number as int64, so that one is not compiled again for each width and constant."""
    resolve = dispatcher.get_call_template

    def get_call_template(args, kws):
        return resolve(tuple(map(_wide, args)), kws)

    dispatcher.get_call_template = get_call_template
    return dispatcher


def _wide(kind):
    kind = types.unliteral(kind)
    return types.int64 if isinstance(kind, types.Integer) and kind != types.uint64 else kind


def entry(function):
    """Compile a kernel that Python calls: on first use, kept on disk for later processes, releasing the GIL."""
    if numba.config.DISABLE_JIT:
        return _plain(function)
    before, numba.config.CACHE_DIR = numba.config.CACHE_DIR, str(CACHE_FOLDER)
    try:
        return numba.njit(cache=True, nogil=True, error_model="numpy", no_cfunc_wrapper=True)(function)
    finally:
        numba.config.CACHE_DIR = before


def _plain(function):
    @functools.wraps(function)
    def plain(*args):
        with np.errstate(over="ignore"):  # 64-bit generators wrap around by design
            return function(*map(look, args))

    return plain


class _Notice(event.Listener):
    """Says on standard error, once per process, that kernels are being compiled, and counts along on a terminal."""

    def __init__(self):
        self.compiled = 0

    def on_start(self, event):
        if not _is_ours(event):
            return
        self.compiled += 1
        if self.compiled == 1:
            self._say("stardeck: compiling the kernels, once for this version and machine ...\n")
        elif sys.stderr is not None and sys.stderr.isatty():
            self._say(f"\rstardeck: {self.compiled} functions compiled\033[K\r")

    def on_end(self, event):
        pass

    @staticmethod
    def _say(text):
        if sys.stderr is not None:
            sys.stderr.write(text)
            sys.stderr.flush()


def _is_ours(event) -> bool:
    function = getattr(event.data.get("dispatcher"), "py_func", None)
    return getattr(function, "__module__", "").startswith("stardeck.")


if not numba.config.DISABLE_JIT:
    event.register("numba:compile", _Notice())


def look(value):
    """A record or an array of records with fields as attributes, as compiled code sees it; anything else unchanged.

    A tuple is looked at part by part.
    """
    if type(value) is tuple:
        return tuple(map(look, value))
    if isinstance(value, np.void):
        return _Record(value)
    if isinstance(value, np.ndarray) and value.dtype.names:
        return _Records(value)
    return value


def record_dtype(value) -> np.dtype:
    """The dtype of a record, looked at or not."""
    return getattr(value, "_record", value).dtype


class _Records:
    __slots__ = ("_array",)

    def __init__(self, array):
        object.__setattr__(self, "_array", array)

    def __getitem__(self, index):
        return look(self._array[index])

    def __setitem__(self, index, value):
        self._array[index] = getattr(value, "_record", value)

    def __len__(self):
        return len(self._array)


class _Record:
    __slots__ = ("_record",)

    def __init__(self, record):
        object.__setattr__(self, "_record", record)

    def __getattr__(self, name):
        return look(self._record[name])

    def __setattr__(self, name, value):
        self._record[name] = value
