"""Kernels as intermediate code only: machine code is made once, for the entries that Python calls.

Numba optimises every function with all that it calls, and turns it into machine code, before it is linked into its
callers, where all of that is done again. Nobody calls a kernel from Python, so both can wait for the entry: the games
compile in half the time, and LLVM sees each entry whole. The hook is the one that Numba has for compilers of one's own
(`pipeline_class`), but it reaches into code generation; other versions of Numba than those it was tried with compile
kernels their own way.
"""

from numba import _dynfunc, version_info
from numba.core.codegen import JITCodeLibrary
from numba.core.compiler import Compiler
from numba.core.compiler_machinery import register_pass
from numba.core.typed_passes import NativeLowering

TRIED = ((0, 68),)


class _KernelLibrary(JITCodeLibrary):
    """The code of one kernel and of those that it calls, to be linked into entries."""

    def _optimize_final_module(self):
        pass  # the entry does it for all of its kernels

    def _finalize_final_module(self):
        self._finalize_dynamic_globals()
        self._finalized = True


@register_pass(mutates_CFG=True, analysis_only=False)
class _KernelLowering(NativeLowering):
    """Lowers a function to intermediate code and makes it known to those that call it."""

    _name = "kernel_lowering"

    def run_pass(self, state):
        """Replaces Numba's pass of the same purpose, but for the step that makes machine code."""
        library = state.library = _KernelLibrary(state.targetctx.codegen(), state.func_id.func_qualname)
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


class KernelCompiler(Compiler):
    """Compiles a function that only compiled functions call."""

    def define_pipelines(self):
        """Numba's pipelines, with another lowering."""
        pipelines = super().define_pipelines()
        if version_info.short in TRIED:
            for pipeline in pipelines:
                pipeline.passes = [
                    (_KernelLowering if step is NativeLowering else step, why) for step, why in pipeline.passes
                ]
                pipeline.finalize()
        return pipelines
