"""Compilation of a launch for a GPU that is not there, through the cache on disk: `python tests/gpu_code.py NAME`.

It prints whether the machine code came from the cache, and its digest.
"""

import hashlib
import sys
from pathlib import Path
from types import SimpleNamespace
from unittest.mock import patch

sys.path.insert(0, str(Path(__file__).parent))

from numba.cuda.codegen import CUDACodeLibrary, JITCUDACodegen

from launches import launches
from stardeck.kernels.cuda import compiler

CAPABILITY = 9, 0


def compiled(launch, types):
    """Return a kernel as `Launch.compile` makes it, and whether it was loaded; nothing is sent to a GPU."""
    signature = compiler.types.int64, compiler._tuple(types)
    target = compiler.cuda_target.target_context
    found = launch._cache.load_overload(signature, target)
    if found is not None:
        return found, True
    with (
        compiler._instead("compile_cuda", compiler._compile_as_written),
        compiler._instead("kernel_fixup", compiler._fix_up),
    ):
        made = compiler.dispatcher._Kernel(launch.py_func, signature, **launch.targetoptions)
    made._codelibrary.get_cubin()
    launch._cache.save_overload(signature, made)
    return made, False


if __name__ == "__main__":
    device = SimpleNamespace(compute_capability=CAPABILITY)
    with (
        patch.object(compiler.dispatcher, "get_current_device", lambda: device),
        patch.object(CUDACodeLibrary, "_ensure_cc", lambda self, cc=None: CAPABILITY),
        patch.object(JITCUDACodegen, "magic_tuple", lambda self: ((13, 0), CAPABILITY)),
    ):
        kernel, loaded = compiled(*launches("interstellar_empire/2")[sys.argv[1]])
        print(loaded, hashlib.sha256(bytes(kernel._codelibrary.get_cubin().code)).hexdigest())
