"""Files that users name: readers refuse pipes, devices and huge files; new files are hidden until they are whole."""

import errno
import stat
from collections.abc import Iterable
from pathlib import Path, PurePath
from typing import TypeVar

AnyPath = TypeVar("AnyPath", bound=PurePath)
MOST_BYTES = 1 << 28  # of a text file: a campaign of 100,000 recorded games is smaller


def regular_file(path: str | Path) -> Path:
    """Return the path of a regular file, or of a file that does not exist yet.

    Raises:
        OSError: The path names a folder, a pipe, a device or a socket. Opening one may block forever.
    """
    path = Path(path)
    try:
        mode = path.stat().st_mode
    except FileNotFoundError:  # opening it reports the error
        return path
    if stat.S_ISDIR(mode):
        raise IsADirectoryError(errno.EISDIR, "is a folder, not a file", str(path))
    if not stat.S_ISREG(mode):
        raise OSError(errno.EINVAL, "is not a regular file", str(path))
    return path


def in_order_of_numbers(paths: Iterable[Path]) -> list[Path]:
    """Return files whose names are numbers with leading zeros, in their order: 10000 comes after 9999."""
    return sorted(paths, key=lambda path: (len(path.stem), path.stem))


def unfinished_path(path: AnyPath) -> AnyPath:
    """Return the place of a new file until it replaces `path`: a hidden one, for a plain name may be a user's file."""
    return path.with_name(f".{path.name}.tmp")


def read_bytes(path: str | Path, most: int = MOST_BYTES) -> bytes:
    """Return the content of a regular file of at most `most` bytes. Raises OSError."""
    with regular_file(path).open("rb") as file:
        content = file.read(most + 1)
    if len(content) > most:
        raise OSError(errno.EFBIG, f"is larger than {most:,} bytes", str(path))
    return content


def read_text(path: str | Path, most: int = MOST_BYTES) -> str:
    """Return the text of a UTF-8 file, without its byte order mark and with line ends as `\\n`.

    Args:
        path: Names a regular file.
        most: The size in bytes up to which a file is read.

    Raises:
        OSError: The file cannot be read, is not a regular file, or is larger.
        ValueError: The file is not UTF-8, or the path has a null character.
    """
    return read_bytes(path, most).decode("utf-8-sig").replace("\r\n", "\n").replace("\r", "\n")
