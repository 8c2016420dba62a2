"""GPU code kept on disk for later processes, in the folders of the CPU's (kernels/compile/jit.py).

The folders are named after the text of all kernels. The key of an entry has the types, the compute capability, and the
versions of numba-cuda and of CUDA. If the process knows games from outside, it has digests of their files. Files are
checked as those of the CPU's code are. A kernel that cannot be kept, or a folder that cannot be written, only costs
the time to compile again.
"""

import pickle
from contextlib import contextmanager, suppress

from numba.cuda.core.caching import _UserProvidedCacheLocator
from numba.cuda.dispatcher import CUDACache, CUDACacheImpl

from stardeck.kernels.compile import outside
from stardeck.kernels.compile.jit import CACHES
from stardeck.kernels.compile.numba_private import CheckedFiles


class _SourceLocator(_UserProvidedCacheLocator):
    """Locator of a function's source that needs no writable folder."""

    @classmethod
    def from_function(cls, py_func, py_file):
        return cls(py_func, py_file)


class _Format(CUDACacheImpl):
    """Format of a compiled kernel in the cache."""

    _locator_classes = [_SourceLocator]


class KernelCache(CUDACache):
    """Cache of one launch. options: of its compilation."""

    _impl_class = _Format

    def __init__(self, function, options):
        super().__init__(function)
        stamp = self._impl.locator.get_source_stamp()
        self._cache_file = CheckedFiles(CACHES, function.__module__, self._impl.filename_base, stamp)
        self._options = tuple(sorted(options.items()))

    def is_launch_config_sensitive(self):
        """Return False: no kernel here asks for the sizes of its launch."""
        return False

    def _index_key(self, sig, codegen):
        return super()._index_key(sig, codegen), self._options, outside.all_digests()

    def _save_overload(self, sig, data):
        self._cache_file.save(self._index_key(sig, data.codegen), self._impl.reduce(data))

    @contextmanager
    def _guard_against_spurious_io_errors(self):
        with suppress(OSError, RuntimeError, pickle.PicklingError):
            yield
