"""Digests of outside games' files, under which their compiled code is cached.

The cache folder is named after the text of the package's own kernels. Entries of the package are also compiled for the
states of outside games, whose files are not part of that name. The digest of these files therefore becomes part of the
key of each entry that is compiled for such states.
"""

import hashlib
import secrets
import sys
from functools import cache
from pathlib import Path

PACKAGE = "stardeck"
_digests: dict = {}  # record type of Numba -> digests of the files of the game with such states


def digest_of(function) -> str:
    """Return the digest of the files that an outside function may depend on; "" for a function of the package.

    It covers every module of the function's package. A function of a single file is covered by the modules of its
    folder. A function without a file, such as one of a notebook, gets another digest in each process, because its
    references cannot be followed. The name of the module counts, because compiled code is loaded into the module of
    that name: a script has code of its own.
    """
    function = getattr(function, "py_func", function)
    top = (function.__module__ or "").partition(".")[0]
    if top == PACKAGE:
        return ""
    folders = getattr(sys.modules.get(top), "__path__", None)
    file = Path(function.__code__.co_filename)
    if folders is not None:
        return _digest(top, tuple(sorted(map(str, folders))), "**/*.py")
    return _digest(top, (str(file.parent),), "*.py") if file.is_file() else _of_this_process()


@cache
def _digest(module, folders, pattern):
    digest = hashlib.sha256(module.encode())
    for folder in map(Path, folders):
        for path in sorted(folder.glob(pattern)):
            if path.is_file():
                text = path.read_bytes()
                digest.update(f"{path.relative_to(folder).as_posix()} {len(text)}\n".encode() + text)
    return digest.hexdigest()[:16]


@cache
def _of_this_process():
    return secrets.token_hex(8)


def note(record, function) -> None:
    """Record that a verb for the states of a record type is this function."""
    if digest := digest_of(function):
        _digests.setdefault(record, set()).add(digest)


def digests_for(types) -> tuple[str, ...]:
    """Return the digests of the outside games whose states are among these argument types."""
    records = {getattr(kind, "dtype", kind) for kind in types}
    return tuple(sorted(digest for record in records for digest in _digests.get(record, ())))


def all_digests() -> tuple[str, ...]:
    """Return the digests of all outside games that this process knows."""
    return tuple(sorted(set().union(*_digests.values())))
