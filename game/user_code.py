"""Modules of users: files and packages that agents and games of their own stand in.

A file is read anew whenever it has changed; what it imports from beside it is found. So is, for a module, what lies in
the folder in which the command was given.
"""

import importlib
import importlib.util
import os
import sys
import traceback
from hashlib import blake2b
from pathlib import Path
from types import ModuleType

from stardeck.kernels.errors import cut, said
from stardeck.kernels.files import read_bytes


class CannotImport(Exception):
    """Why a module of a user cannot be imported."""


def module_of(path: Path) -> ModuleType:
    """Return the module that a file makes, the same one as long as the file is the same. Raises CannotImport."""
    try:
        source = read_bytes(path)
    except (OSError, ValueError) as error:
        raise CannotImport(f"{cut(str(path))} cannot be read ({getattr(error, 'strerror', None) or error})") from error
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
        raise CannotImport(f"{path.name} cannot be imported ({told(error, path)})") from error
    return module


def module_named(name: str) -> ModuleType:
    """Return the module of a dotted name. Raises CannotImport."""
    _look_in(Path.cwd())
    try:
        return importlib.import_module(name)
    except ModuleNotFoundError as error:
        if error.name and name.startswith(error.name):
            raise CannotImport(f"there is no module {error.name}") from error
        raise CannotImport(f"{name} cannot be imported ({error})") from error
    except KeyboardInterrupt:
        raise
    except BaseException as error:
        raise CannotImport(f"{name} cannot be imported ({told(error, None)})") from error


def _look_in(folder: Path) -> None:
    """Have imports look in a folder too, after everything else: a file of the user hides no library."""
    if str(folder) not in sys.path:
        sys.path.append(str(folder))
        importlib.invalidate_caches()


def told(error: BaseException, path: Path | None, passing_on: str = __file__) -> str:
    """Return an error in short, with the line of a file that has led to it.

    Args:
        error: The error.
        path: The file whose last line is told; None: that of any file.
        passing_on: A file of this package that only passes a call on.
    """
    frames = [frame for frame in traceback.extract_tb(error.__traceback__) if frame.filename != passing_on]
    frames = [frame for frame in frames if path is None or frame.filename == os.fspath(path)]
    line = error.lineno if isinstance(error, SyntaxError) else frames[-1].lineno if frames else None
    where = f", line {line}" if line else ""
    return f"{type(error).__name__}: {cut(error.msg) if isinstance(error, SyntaxError) else said(error)}{where}"
