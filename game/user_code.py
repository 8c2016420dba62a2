"""Modules of users: files and packages with agents and games of their own.

A file is read again whenever it has changed. Its imports also search the folder of the file; imports of modules
also search the working directory.
"""

import importlib
import importlib.util
import os
import sys
import traceback
from hashlib import blake2b
from pathlib import Path
from types import ModuleType

from stardeck.kernels.errors import cut, reason, said
from stardeck.kernels.files import read_bytes


class CannotImport(Exception):
    """Reason why a user's module cannot be imported."""


def module_of(path: Path) -> ModuleType:
    """Return the module of a file, the same one as long as the file is unchanged.

    Raises:
        CannotImport: The file cannot be read or imported.
    """
    try:
        source = read_bytes(path)
    except (OSError, ValueError) as error:
        raise CannotImport(f"{cut(str(path))} cannot be read ({reason(error)})") from error
    path = path.resolve()
    _look_in(path.parent)
    name = f"{path.stem}_{blake2b(os.fsencode(path) + source, digest_size=6).hexdigest()}"
    if name in sys.modules:
        return sys.modules[name]
    spec = importlib.util.spec_from_file_location(name, path)
    assert spec is not None and spec.loader is not None
    module = sys.modules[name] = importlib.util.module_from_spec(spec)
    try:
        exec(compile(source, path, "exec"), vars(module))  # the bytes just read, not Python's cached bytecode
    except KeyboardInterrupt:
        raise
    except BaseException as error:
        del sys.modules[name]
        raise CannotImport(f"{path.name} cannot be imported ({error_report(error, path)})") from error
    return module


def module_named(name: str) -> ModuleType:
    """Return the module of a dotted name.

    Raises:
        CannotImport: There is no such module, or it cannot be imported.
    """
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
        raise CannotImport(f"{name} cannot be imported ({error_report(error, None)})") from error


def _look_in(folder: Path) -> None:
    """Append a folder to the import path; as the last one it hides no library."""
    if str(folder) not in sys.path:
        sys.path.append(str(folder))
        importlib.invalidate_caches()


def error_report(error: BaseException, path: Path | None, passing_on: str = __file__) -> str:
    """Return an error as a short text, with the line of the file that led to it.

    Args:
        error: The error.
        path: The file whose last line is reported; None: any file.
        passing_on: A file of this package that only passes a call on.
    """
    frames = [frame for frame in traceback.extract_tb(error.__traceback__) if frame.filename != passing_on]
    frames = [frame for frame in frames if path is None or frame.filename == os.fspath(path)]
    line = error.lineno if isinstance(error, SyntaxError) else frames[-1].lineno if frames else None
    where = f", line {line}" if line else ""
    return f"{type(error).__name__}: {cut(error.msg) if isinstance(error, SyntaxError) else said(error)}{where}"
