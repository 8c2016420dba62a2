"""Agents of one's own by where they stand: `mine.py:Agent`, the name in a file, or `package.module:Agent`.

The name is a class or a function, which is called without arguments, or an agent that is there already. A file is read
anew whenever it has changed; what it imports from beside it is found. So is, for a module, what lies in the folder in
which the command was given.
"""

import importlib
import importlib.util
import os
import re
import sys
import traceback
from collections.abc import Mapping
from hashlib import blake2b
from pathlib import Path
from typing import Any

import numpy as np

from stardeck.game.agent import Agent
from stardeck.kernels.errors import cut, said, shown
from stardeck.kernels.files import read_bytes

_PLACE = re.compile(r"(?P<file>.+\.py)(:(?P<in_file>.*))?|(?P<module>\w+(\.\w+)*):(?P<in_module>\w+)", re.S)
LONGEST_NAME = 200  # characters of the name of an agent


def is_place(text: str) -> bool:
    """Whether a text says where an agent stands."""
    return _PLACE.fullmatch(text) is not None


def agent_at(text: str) -> Agent:
    """The agent that stands where a text says. Raises ValueError."""
    found = _PLACE.fullmatch(text)
    assert found is not None
    try:
        if found["file"]:
            held, name = vars(_module_of(Path(found["file"]))), found["in_file"] or ""
        else:
            held, name = vars(_module_named(found["module"])), found["in_module"]
        return checked(_made(held, name))
    except _NoAgent as error:
        raise ValueError(f"agent {shown(text)}: {error}") from error.__cause__


def acts(agent: Any) -> bool:
    """Whether a value has a method `act`."""
    return callable(_held(agent, "act"))


def checked(agent: Any) -> Agent:
    """The agent, if it has what an agent must have. Raises ValueError."""
    if isinstance(agent, type):
        raise ValueError(f"agent {shown(agent)}: is a class; give an object of it, {agent.__name__}()")
    name = _held(agent, "name")
    if not isinstance(name, str) or not name.isprintable() or not 0 < len(name) <= LONGEST_NAME:
        wanted = f"must be a text of up to {LONGEST_NAME} characters that can be printed, which results call it by"
        raise ValueError(f"agent {shown(agent)}: name={shown(name)}: {wanted}")
    if _held(agent, "name") != name:
        raise ValueError(f"agent {shown(agent)}: name={shown(name)}: must stay the same")
    return agent


def is_thread_safe(agent: Agent) -> bool:
    """Whether several threads may ask an agent at once."""
    return isinstance(safe := _held(agent, "thread_safe"), bool | np.bool_) and bool(safe)


def check(agent: Agent, game: Any) -> None:
    """Ask an agent whether it can play a game, if it has a `check`. Raises ValueError."""
    asked = _held(agent, "check")
    try:
        if asked is not None:
            asked(game)
    except (ValueError, KeyboardInterrupt):
        raise
    except BaseException as error:
        raise ValueError(f"agent {shown(agent.name)}: check(game) has failed ({_told(error, None)})") from error


def _held(agent, name):
    """An attribute; None where there is none, or where it cannot be had."""
    try:
        return getattr(agent, name, None)
    except KeyboardInterrupt:
        raise
    except BaseException:
        return None


class _NoAgent(Exception):
    """Why there is no agent at a place."""


def _module_of(path):
    """The module that a file makes, the same one as long as the file is the same."""
    try:
        source = read_bytes(path)
    except (OSError, ValueError) as error:
        raise _NoAgent(f"{cut(str(path))} cannot be read ({getattr(error, 'strerror', None) or error})") from error
    path = path.resolve()
    _look_in(path.parent)
    name = f"{path.stem}_{blake2b(os.fsencode(path) + source, digest_size=6).hexdigest()}"
    if name in sys.modules:
        return sys.modules[name]
    spec = importlib.util.spec_from_file_location(name, path)
    assert spec is not None and spec.loader is not None
    module = sys.modules[name] = importlib.util.module_from_spec(spec)
    try:
        exec(compile(source, path, "exec"), vars(module))  # what was read, not what Python may keep of the file
    except KeyboardInterrupt:
        raise
    except BaseException as error:
        del sys.modules[name]
        raise _NoAgent(f"{path.name} cannot be imported ({_told(error, path)})") from error
    return module


def _module_named(name):
    _look_in(Path.cwd())
    try:
        return importlib.import_module(name)
    except ModuleNotFoundError as error:
        if error.name and name.startswith(error.name):
            raise _NoAgent(f"there is no module {error.name}") from error
        raise _NoAgent(f"{name} cannot be imported ({error})") from error
    except KeyboardInterrupt:
        raise
    except BaseException as error:
        raise _NoAgent(f"{name} cannot be imported ({_told(error, None)})") from error


def _look_in(folder):
    """Have imports look in a folder too, after everything else: a file of the user hides no library."""
    if str(folder) not in sys.path:
        sys.path.append(str(folder))
        importlib.invalidate_caches()


def _made(held: Mapping[str, Any], name: str) -> Any:
    """The agent of a name: the object, or what the class or function gives."""
    if name not in held:
        known = ", ".join(key for key, value in held.items() if isinstance(value, type) and hasattr(value, "act"))
        lacks = f"has no {shown(name)}" if name else "must go on with a colon and a name, mine.py:NAME"
        raise _NoAgent(lacks + (f"; agents in it: {known}" if known else ""))
    found = held[name]
    if acts(found) and not isinstance(found, type):
        return found
    if callable(found):
        try:
            found = found()
        except KeyboardInterrupt:
            raise
        except BaseException as error:
            raise _NoAgent(f"{name}() has failed ({_told(error, None)})") from error
    if not acts(found):
        raise _NoAgent(f"{shown(found)}: must have a method act(game, states, masks, seeds)")
    return found


def _told(error, path):
    """An error in short, with the line of a file that has led to it."""
    frames = [frame for frame in traceback.extract_tb(error.__traceback__) if frame.filename != __file__]
    frames = [frame for frame in frames if path is None or frame.filename == os.fspath(path)]
    line = error.lineno if isinstance(error, SyntaxError) else frames[-1].lineno if frames else None
    where = f", line {line}" if line else ""
    return f"{type(error).__name__}: {cut(error.msg) if isinstance(error, SyntaxError) else said(error)}{where}"
