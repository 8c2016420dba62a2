"""Changes to Numba's compilation of kernels, and the fallback for versions of Numba that are not tested.

Numba optimises every function with all its callees, and compiles it to machine code. Then it links the function into
its callers and does all of that again. Python never calls a kernel, so both steps can wait for the entry.
`pipeline_class` is Numba's hook for custom compilers; Numba discusses such savings in
https://github.com/numba/numba/pull/9566. A kernel also takes only the steps of Numba's pipeline that it needs, and the
type of an operation is resolved once.

With a version of Numba that is not tested, or that lacks a part used here, Numba compiles kernels in its own way: more
slowly, and cache files are not checked.
"""

import hashlib
import os
import pickle
import uuid
from contextlib import contextmanager, nullcontext, suppress
from functools import cache
from pathlib import Path

import numba

from stardeck.kernels.compile import outside
from stardeck.kernels.compile.cache_folders import ENDING, Caches, is_safe

TRIED = ((0, 68),)

try:
    if numba.version_info.short not in TRIED:
        raise ImportError(f"numba {numba.__version__}: tried are {TRIED}")
    from numba import _dynfunc
    from numba.core import cgutils, event, sigutils, types
    from numba.core import ir as numba_ir
    from numba.core.caching import CompileResultCacheImpl, FunctionCache, UserProvidedCacheLocator
    from numba.core.codegen import JITCodeLibrary
    from numba.core.compiler import Compiler
    from numba.core.compiler_lock import global_compiler_lock
    from numba.core.compiler_machinery import PassManager, register_pass
    from numba.core.lowering import Lower
    from numba.core.runtime import rtsys
    from numba.core.serialize import dumps
    from numba.core.typed_passes import (
        AnnotateTypes,
        IRLegalization,
        NativeLowering,
        NoPythonBackend,
        NopythonTypeInference,
        PreLowerStripPhis,
    )
    from numba.core.untyped_passes import (
        DeadBranchPrune,
        FixupArgs,
        GenericRewrites,
        IRProcessing,
        ReconstructSSA,
        RewriteSemanticConstants,
        TranslateByteCode,
    )

    ir = cgutils.ir  # of llvmlite, as Numba imports it
    KNOWN = True
except (ImportError, AttributeError):
    KNOWN = False


def _libraries():
    """Return the code libraries of kernels and of entries, which keep code until it is linked."""

    class KernelLibrary(JITCodeLibrary):
        """Code of one kernel, to be linked into entries with that of the kernels that it calls."""

        def add_linking_library(self, library):
            if library is not rtsys.library:  # the runtime for reference counting, which kernels do not need
                super().add_linking_library(library)

        def finalize(self):
            self._finalize_dynamic_globals()
            for function in self._final_module.functions:
                if not function.is_declaration and function.linkage.name == "external":
                    function.linkage = "linkonce_odr"
            self._shared_module = self._final_module
            self._finalized = True

    class EntryLibrary(JITCodeLibrary):
        """Code of an entry and of every kernel below it, each linked once."""

        def finalize(self):
            found = dict.fromkeys(self._linking_libraries)
            waiting = list(found)
            while waiting:
                library = waiting.pop()
                if isinstance(library, KernelLibrary):
                    waiting.extend(below for below in library._linking_libraries if below not in found)
                    found.update(dict.fromkeys(library._linking_libraries))
            self._linking_libraries = list(found)
            super().finalize()

        def _optimize_final_module(self):
            """Optimise the linked code, now that all callers are known: a kernel with one caller is inlined.

            Otherwise the arrays among its arguments, seven words or more each, go over the stack at every call.
            """
            for function in self._final_module.functions:
                if not function.is_declaration and function.linkage.name == "linkonce_odr":
                    function.linkage = "internal"
            super()._optimize_final_module()

    return KernelLibrary, EntryLibrary


def _lowers():
    """Return the lowering of single operations: `Lower` without the parts that kernels never use."""

    def never_negative(signature):
        """Return the signature of an array operation with unsigned whole numbers as index."""
        array, index, *value = signature.args
        if not isinstance(array, types.Array):
            return signature
        if isinstance(index, types.Integer):
            index = types.uintp
        elif isinstance(index, types.UniTuple) and isinstance(index.dtype, types.Integer):
            index = types.UniTuple(types.uintp, index.count)
        return signature.replace(args=(array, index, *value))

    class UnsignedIndexLower(Lower):
        """Lowering without negative indices: no index is tested for counting from the end."""

        def lower_getitem(self, resty, expr, value, index, signature):
            return super().lower_getitem(resty, expr, value, index, never_negative(signature))

        def lower_setitem(self, target_var, index_var, value_var, signature):
            return super().lower_setitem(target_var, index_var, value_var, never_negative(signature))

    class ShortLoopLower(UnsignedIndexLower):
        """Lowering for short loops: LLVM keeps each loop as it is, one iteration after the other.

        Otherwise LLVM turns a loop with an unknown number of iterations into three: for many, for the rest, for few.
        The processor cannot predict which one runs. A short loop of constant length is still unrolled.
        """

        def lower_function_body(self):
            self._loop_metadata = {}  # block that a loop may jump back to -> its loop metadata
            return super().lower_function_body()

        def lower_block(self, block):
            self._loop_metadata[self.builder.block] = None
            super().lower_block(block)

        def lower_inst(self, inst):
            super().lower_inst(inst)
            if not isinstance(inst, numba_ir.Jump | numba_ir.Branch):
                return
            back = [block for block in self.builder.block.terminator.operands if block in self._loop_metadata]
            if back:
                self.builder.block.terminator.set_metadata("llvm.loop", self._as_it_is(back[0]))

        def _as_it_is(self, block):
            if self._loop_metadata[block] is None:
                no = ir.Constant(ir.IntType(1), 0)
                options = [["llvm.loop.unroll.runtime.disable"], ["llvm.loop.vectorize.enable", no]]
                name = f"{self.fndesc.mangled_name} {block.name}"  # without it, several loops would share one node
                nodes = [self._metadata(name)]
                nodes += [self._metadata(*option) for option in options]
                node = self._loop_metadata[block] = self.module.add_metadata(nodes)
                node.operands = (node, *nodes[1:])  # loop metadata must name itself first
            return self._loop_metadata[block]

        def _metadata(self, word, *values):
            return self.module.add_metadata([ir.MetaDataString(self.module, word), *values])

    return UnsignedIndexLower, ShortLoopLower


def _lowerings():
    """Return the lowering passes that turn kernels and entries into LLVM code."""
    KernelLibrary, EntryLibrary = _libraries()
    UnsignedIndexLower, ShortLoopLower = _lowers()

    @register_pass(mutates_CFG=True, analysis_only=False)
    class KernelLowering(NativeLowering):
        """Lowering pass that turns a function into intermediate code and registers it for its callers."""

        _name = "kernel_lowering"
        lowering_class = ShortLoopLower

        def run_pass(self, state):
            library = state.library = KernelLibrary(state.targetctx.codegen(), state.func_id.func_qualname)
            state.flags.no_compile = True
            super().run_pass(state)
            library.finalize()
            state.reload_init.extend(library._reload_init)
            described, env = state["cr"].fndesc, state["cr"].env
            name = described.qualname.rpartition(".")[2]
            never_called = _dynfunc.make_function(described.lookup_module(), name, "", 0, env, (library,))
            state.targetctx.insert_user_function(never_called, described, [library])
            state["cr"] = state["cr"]._replace(cfunc=never_called)
            return True

    @register_pass(mutates_CFG=True, analysis_only=False)
    class LongLowering(KernelLowering):
        """Lowering pass for functions with long loops."""

        _name = "long_lowering"
        lowering_class = UnsignedIndexLower

    @register_pass(mutates_CFG=True, analysis_only=False)
    class EntryLowering(NativeLowering):
        """Numba's own lowering pass with another kind of library."""

        _name = "entry_lowering"
        lowering_class = UnsignedIndexLower

        def run_pass(self, state):
            state.library = EntryLibrary(state.targetctx.codegen(), state.func_id.func_qualname)
            state.library.enable_object_caching()
            return super().run_pass(state)

    return KernelLowering, LongLowering, EntryLowering


def _compilers():
    """Return the compilers of kernels, of kernels with long loops, and of entries."""
    KernelLowering, LongLowering, EntryLowering = _lowerings()
    steps = [
        TranslateByteCode,
        FixupArgs,
        IRProcessing,
        RewriteSemanticConstants,
        DeadBranchPrune,
        GenericRewrites,
        ReconstructSSA,
        NopythonTypeInference,
        PreLowerStripPhis,
        IRLegalization,
        AnnotateTypes,
    ]

    class KernelPasses(PassManager):
        """Pass manager that runs the steps and nothing between them."""

        def _runPass(self, index, step, state):
            step.analysis = self._analysis
            step.run_pass(state)

    class KernelCompiler(Compiler):
        """Compiler of functions that only compiled code calls: no closures, comprehensions or array expressions."""

        lowering = KernelLowering

        def define_pipelines(self):
            self.state.typingctx = cached_typing(self.state.typingctx)
            passes = KernelPasses("kernel")
            for step in (*steps, self.lowering, NoPythonBackend):
                passes.add_pass(step, step.__name__)
            passes.finalize()
            return [passes]

    class LongCompiler(KernelCompiler):
        """Compiler of functions with long loops."""

        lowering = LongLowering

    class EntryCompiler(Compiler):
        """Numba's pipeline with another lowering."""

        def define_pipelines(self):
            pipelines = super().define_pipelines()
            for pipeline in pipelines:
                pipeline.passes = [
                    (EntryLowering if step is NativeLowering else step, why) for step, why in pipeline.passes
                ]
                pipeline.finalize()
            return pipelines

    return KernelCompiler, LongCompiler, EntryCompiler


class _CachedTyping:
    """Typing context that caches the result of each operation on each types; equal types are the same object."""

    def __init__(self, context):
        self._context = context
        self._calls = {}  # ids -> the result, and references to the objects so that their ids stay unique
        self._attributes = {}

    def __getattr__(self, name):
        return getattr(self._context, name)

    def resolve_function_type(self, function, args, kws):
        """Return the signature of a call."""
        if kws or isinstance(function, types.Type) and type(function) is not types.Function:
            return self._context.resolve_function_type(function, args, kws)
        key = id(function), *map(id, args)
        if key not in self._calls:
            self._calls[key] = self._context.resolve_function_type(function, args, kws), function, args
        return self._calls[key][0]

    def resolve_getattr(self, of, name):
        """Return the type of an attribute."""
        key = id(of), name
        if key not in self._attributes:
            self._attributes[key] = self._context.resolve_getattr(of, name), of
        return self._attributes[key][0]


@cache
def cached_typing(context):
    """Return the one `_CachedTyping` of Numba's typing context, or the context itself if it is one."""
    return context if isinstance(context, _CachedTyping) else _CachedTyping(context)


class CheckedFiles:
    """Machine code in files, one for each signature, each behind a digest of its name and content.

    Numba's own cache has one index for all signatures of a function, which concurrent processes overwrite.
    """

    def __init__(self, caches, module, base, stamp):
        self._read = [folder / module for folder in caches.read]
        self._write = caches.write and caches.write / module
        self._base, self._about = base, (numba.__version__, stamp)

    def name(self, key):
        """Return the name of the file of a signature, without its ending."""
        return f"{self._base}.{hashlib.sha256(repr(key).encode()).hexdigest()[:32]}"

    def has(self, key):
        """Return whether there is a file for a signature."""
        return any((folder / (self.name(key) + ENDING)).is_file() for folder in self._read)

    def load(self, key):
        """Return what was saved for a signature; None if it is not there, or damaged."""
        for folder in self._read:
            with suppress(OSError, ImportError):  # the code may come from a module that is missing here
                about, found, data = _checked(folder / (self.name(key) + ENDING)) or (None, None, None)
                if about == self._about and found == key:
                    return data

    def save(self, key, data):
        """Keep what was compiled for a signature."""
        if self._write is None:
            return
        self._write.mkdir(mode=0o755, exist_ok=True)
        path = self._write / (self.name(key) + ENDING)
        content = dumps((self._about, key, data))
        unfinished = path.with_name(f"{path.name}.tmp.{uuid.uuid4().hex[:16]}")
        try:
            # others may read it and not write to it, whatever the umask
            with open(os.open(unfinished, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o644), "wb") as file:
                file.write(_digest(path, content) + content)
            os.replace(unfinished, path)
        except BaseException:
            unfinished.unlink(missing_ok=True)
            raise

    @contextmanager
    def alone(self, key, waiting):
        """Be the only process that compiles this; others wait, and then load the result."""
        if self._write is None or self.has(key):
            yield
            return
        with suppress(OSError):
            self._write.mkdir(mode=0o755, exist_ok=True)
        path = self._write / (self.name(key) + ".lock")
        lock = _locked(path, waiting)
        try:
            yield
        finally:
            if lock is not None:
                if self.has(key):
                    with suppress(OSError):
                        path.unlink()  # processes that wait, or come later, find the code
                lock.release()


def _checked_cache():
    """Return the cache of one entry: a damaged file is deleted, and the entry compiled again."""

    class SourceLocator(UserProvidedCacheLocator):
        """Locator of a function's source that needs no writable folder."""

        @classmethod
        def from_function(cls, py_func, py_file):
            return cls(py_func, py_file)

    class ResultFormat(CompileResultCacheImpl):
        """Format of a compiled function in the cache."""

        _locator_classes = [SourceLocator]

    class CheckedCache(FunctionCache):
        """Cache that tolerates a full disk or a deleted folder; it is then only useless."""

        _impl_class = ResultFormat

        def __init__(self, function, caches):
            super().__init__(function)
            stamp = self._impl.locator.get_source_stamp()
            self._cache_file = CheckedFiles(caches, function.__module__, self._impl.filename_base, stamp)

        def _save_overload(self, sig, data):
            if self._impl.check_cachable(data):
                self._cache_file.save(self._index_key(sig, data.codegen), self._impl.reduce(data))

        @contextmanager
        def _guard_against_spurious_io_errors(self):
            with suppress(OSError):
                yield

        def alone(self, sig, dispatcher, waiting):
            """Be the only process that compiles the function for such arguments."""
            if tuple(sigutils.normalize_signature(sig)[0]) in dispatcher.overloads:
                return nullcontext()
            return self._cache_file.alone(self._index_key(sig, dispatcher.targetctx.codegen()), waiting)

    return CheckedCache


def _checked(path):
    """Return the content of a file if it is intact and nobody else can have written it, or None."""
    with open(path, "rb") as file:
        if not is_safe(os.fstat(file.fileno())):
            return None
        content = file.read()
    if _digest(path, content[32:]) == content[:32]:
        return pickle.loads(content[32:])
    Path(path).unlink(missing_ok=True)
    return None


def _digest(path, content) -> bytes:
    return hashlib.sha256(Path(path).name.encode() + content).digest()


LONGEST_WAIT = 600.0  # seconds for a process that compiles, in case it was stopped


def _locked(path, waiting):
    """Return the lock once this process has it; None if the file system has no locks.

    The system releases the lock of a killed process.
    """
    from filelock import FileLock, Timeout  # takes longer to import than most functions to load

    lock = FileLock(path, mode=0o644)
    try:
        try:
            lock.acquire(timeout=0)
        except Timeout:
            waiting()
            lock.acquire(timeout=LONGEST_WAIT)
    except (OSError, NotImplementedError):  # Timeout is an OSError
        return None
    return lock


KERNEL_OPTIONS = {"error_model": "numpy"}
INLINE_OPTIONS = LONG_OPTIONS = KERNEL_OPTIONS
ENTRY_OPTIONS = {"error_model": "numpy", "nogil": True}
if KNOWN:
    _KernelCompiler, _LongCompiler, _EntryCompiler = _compilers()
    _CheckedCache = _checked_cache()
    # A kernel allocates no array on the heap, so it needs no reference counting, which took a quarter of the time of
    # `legal_actions`.
    KERNEL_OPTIONS |= {
        "no_cpython_wrapper": True,
        "no_cfunc_wrapper": True,
        "_nrt": False,
        "pipeline_class": _KernelCompiler,
    }
    INLINE_OPTIONS = KERNEL_OPTIONS | {"forceinline": True}
    LONG_OPTIONS = KERNEL_OPTIONS | {"pipeline_class": _LongCompiler}
    ENTRY_OPTIONS |= {"no_cfunc_wrapper": True, "pipeline_class": _EntryCompiler}


def keep_on_disk(dispatcher, caches: Caches, waiting=lambda: None):
    """Cache the compiled code for later processes.

    Args:
        dispatcher: The entry.
        caches: The folders.
        waiting: Called when another process compiles the same entry.
    """
    if not KNOWN:
        if caches.write is not None:
            before, numba.config.CACHE_DIR = numba.config.CACHE_DIR, str(caches.write)
            try:
                dispatcher.enable_caching()
            finally:
                numba.config.CACHE_DIR = before
            _key_by_outside_files(dispatcher)
        return
    kept = dispatcher._cache = _CheckedCache(dispatcher.py_func, caches)
    _key_by_outside_files(dispatcher)
    compile_alone = dispatcher.compile

    def compile_once(sig):
        with global_compiler_lock, kept.alone(sig, dispatcher, waiting):
            return compile_alone(sig)

    dispatcher.compile = compile_once


def _key_by_outside_files(dispatcher):
    """Make the files of an outside game part of the cache key for its states, so that edits count."""
    usual, own = dispatcher._cache._index_key, outside.digest_of(dispatcher.py_func)

    def index_key(sig, codegen):
        kinds = getattr(sig, "args", sig)  # a signature, or the argument types themselves
        digests = (own, *outside.digests_for(kinds))
        return (*usual(sig, codegen), digests) if any(digests) else usual(sig, codegen)

    dispatcher._cache._index_key = index_key


def widen(dispatcher):
    """Make a kernel take every whole number as int64, so it is compiled once for all widths and enumerations."""
    if not KNOWN:
        return
    resolve = dispatcher.get_call_template
    dispatcher.get_call_template = lambda args, kws: resolve(tuple(map(_wide, args)), kws)


def _wide(kind):
    kind = types.unliteral(kind)
    is_whole = isinstance(kind, types.Integer | types.IntEnumMember)
    return types.int64 if is_whole and kind != types.uint64 else kind


def when_compiling(begin, end):
    """Call `begin` with each Python function that is about to be compiled and its argument types, then `end`."""
    if not KNOWN:
        return

    class Listener(event.Listener):
        def on_start(self, event):
            begin(getattr(event.data.get("dispatcher"), "py_func", None), event.data.get("args") or ())

        def on_end(self, event):
            end()

    event.register("numba:compile", Listener())
