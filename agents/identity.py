"""Identities of agents: their own `identity`, or a hash of their code and state.

Results of two agents are never mixed. Without an `identity`, the hash covers the agent as Python holds it in memory. It
includes the methods of its class and base classes, and everything reachable from the object. It follows the names of
functions and values in them, also into your other files. Libraries count by name only. The hash does not see files that
an agent reads during play, and another version of Python gives another hash. An `identity` of its own avoids both.
"""

import functools
import os
import sys
import sysconfig
import types
import uuid
from collections.abc import Iterable
from hashlib import blake2b
from typing import Any

import numpy as np

from stardeck.game.agent import Agent
from stardeck.kernels.errors import said, shown

_PLAIN = (type(None), bool, int, float, complex, str, bytes, type(Ellipsis), type(NotImplemented))
_DESCRIPTORS = (types.MemberDescriptorType, types.GetSetDescriptorType)
_WRITTEN_BY_PYTHON = ("_abc_impl", "__static_attributes__")  # bookkeeping in a class


def check_names(agents: Iterable[Agent]) -> None:
    """Check that results, which go by name, can tell some agents apart. An agent may be given twice.

    Raises:
        ValueError: Two different agents have one name.
    """
    known: dict[str, Agent] = {}
    for agent in agents:
        other = known.setdefault(agent.name, agent)
        if other is not agent and identity_of(other) != identity_of(agent):
            own = "each needs a name of its own; a trained agent has the name of its file, or of the folder around it"
            raise ValueError(f"agents: {shown(agent.name)} is the name of two different agents; {own}")


def identity_of(agent: Agent) -> str:
    """Return a text that distinguishes an agent from others of its name.

    It is the name with the agent's own `identity`, or with a hash of its source and state. If neither can be had, the
    text is never the same twice, so nothing is resumed; it then says how to give an identity.
    """
    try:
        own = getattr(agent, "identity", None)
        if own is not None:
            return f"{agent.name} ({own})"
        if hasattr(agent, "kind") and is_library(type(agent).__module__):  # of this package, so the name is enough
            return agent.name
        return f"{agent.name} (source and state {digest(agent)})"
    except KeyboardInterrupt:
        raise
    except BaseException as error:  # a user's object may raise anything
        why = f"its source and state cannot be read: {said(error)}"
        return f"{agent.name} ({why}; to resume, give it an attribute `identity`; run {uuid.uuid4().hex[:8]})"


def digest(value: object) -> str:
    """Return a hash of a value, with the code of objects and functions in it. TypeError where a part is unreadable."""
    reader = _Reader()
    reader.read(value)
    return reader.hash.hexdigest()


class _Reader:
    """Reader of a value and everything reachable from it; it reads each part once."""

    def __init__(self):
        self.hash = blake2b(digest_size=8)
        self._met = {}  # id -> (number, value); keeping the value keeps its id from reuse

    def _say(self, *words):
        for word in words:
            told = word if isinstance(word, bytes) else str(word).encode("utf-8", "surrogatepass")
            self.hash.update(len(told).to_bytes(8) + told)

    def read(self, value):
        kind = type(value)
        if kind in _PLAIN:
            self._say(kind.__name__, value if kind is bytes else repr(value))
        elif id(value) in self._met:
            self._say("again", self._met[id(value)][0])
        else:
            self._met[id(value)] = len(self._met), value
            self._read_new(value, kind)

    def _read_new(self, value, kind):
        if kind in (tuple, list):
            self._all(kind.__name__, value)
        elif kind is dict:
            self._all("dict", (part for item in value.items() for part in item))
        elif kind in (set, frozenset):  # their order differs from process to process
            self._say("set", *sorted(map(digest, value)))
        elif isinstance(value, np.ndarray) and not value.dtype.hasobject:
            self._say("array", value.dtype.descr, value.shape, np.ascontiguousarray(value).tobytes())
        elif isinstance(value, types.FunctionType):
            self._function(value)
        elif isinstance(value, type):
            self._class(value)
        elif isinstance(value, types.CodeType):
            self._code(value)
        elif isinstance(value, types.ModuleType):
            self._say("module", value.__name__)
        elif isinstance(value, _DESCRIPTORS):
            self._say("slot", value.__name__)
        elif (inner := _inside(value)) is not None:
            self._all(kind.__name__, inner)
        else:
            self._object(value)

    def _all(self, name, values: Iterable[Any]):
        values = list(values)
        self._say(name, len(values))
        for value in values:
            self.read(value)

    def _object(self, value):
        """Read a value as it would be pickled, and its class as code."""
        reduced = value.__reduce_ex__(4)
        if isinstance(reduced, str):
            self._say("global", type(value).__qualname__, reduced)
            return
        make, given, state, items, pairs = (*reduced, None, None, None)[:5]
        self._all("object", [make, given, state, list(items or ()), list(pairs or ())])

    def _is_own(self, word, value):
        """Write the name of a class or function, and return true if it is the user's own; then its code counts."""
        own = not is_library(value.__module__)
        self._say(word, *(() if own else (value.__module__,)), value.__qualname__)
        return own

    def _class(self, kind):
        if not self._is_own("class", kind):
            return
        self.read(kind.__bases__)
        for name, value in vars(kind).items():
            held = isinstance(value, types.FunctionType | classmethod | staticmethod | property)
            if held or not (name.startswith("__") or name in _WRITTEN_BY_PYTHON):
                self._say(name)
                self.read(value)

    def _function(self, function):
        if not self._is_own("function", function):
            return
        self.read(function.__code__)
        self.read(function.__defaults__)
        self.read(function.__kwdefaults__)
        self._all("closure", (cell.cell_contents for cell in function.__closure__ or () if _is_filled(cell)))
        self._named(function.__globals__, _names(function.__code__))

    def _named(self, namespace, names):
        """Read everything that code refers to by name, in the user's own modules also `module.name`."""
        for name in names:
            if name not in namespace:
                continue
            value = namespace[name]
            self._say(name)
            if not isinstance(value, types.ModuleType) or is_library(value.__name__):
                self.read(value)
            elif (id(value), names) not in self._met:
                self._met[id(value), names] = 0, value
                self._named(vars(value), names)

    def _code(self, code):
        self._say("code", code.co_code, code.co_names, code.co_varnames, code.co_flags)
        self._all("constants", code.co_consts)


def _inside(value):
    """Return the relevant parts of a value that pickle does not take; None for other values."""
    if isinstance(value, classmethod | staticmethod):
        return (value.__func__,)
    if isinstance(value, types.MethodType):
        return value.__func__, value.__self__
    if isinstance(value, property):
        return value.fget, value.fset, value.fdel
    if isinstance(value, functools.cached_property):
        return (value.func,)
    if hasattr(value, "__wrapped__"):  # by functools.cache
        return (value.__wrapped__,)
    if is_library(type(value).__module__):
        if hasattr(value, "py_func"):  # compiled by Numba
            return (value.py_func,)
        if callable(getattr(value, "detach", None)):  # a tensor
            return (value.detach().cpu().numpy(),)
    return None


def _names(code):
    """Return the names in a function's code and in its inner functions, in a fixed order."""
    inner = [name for part in code.co_consts if isinstance(part, types.CodeType) for name in _names(part)]
    return tuple(dict.fromkeys([*code.co_names, *inner]))


def _is_filled(cell):
    try:
        cell.cell_contents  # noqa: B018
    except ValueError:  # a variable that was never set
        return False
    return True


@functools.cache
def _library_folders():
    return tuple(sysconfig.get_path(name) + os.sep for name in ("stdlib", "platstdlib", "purelib", "platlib"))


def is_library(module: str | None) -> bool:
    """Return true for a module that is not the user's own: part of Python, of this package, or installed."""
    if module is None or module == "__main__":
        return False
    if module.partition(".")[0] in (*sys.stdlib_module_names, "stardeck", "builtins"):
        return True
    path = getattr(sys.modules.get(module), "__file__", None)
    return path is not None and path.startswith(_library_folders())
