"""Reading files that somebody has named: ordinary ones, and of a bounded size."""

import errno
import os
import stat
from pathlib import Path

MOST_BYTES = 256 << 20  # a recorded game has some ten thousand


def check_ordinary(path: str | Path) -> None:
    """Raise OSError for a pipe, device or socket, which may never end or never begin."""
    mode = os.stat(path).st_mode
    if not (stat.S_ISREG(mode) or stat.S_ISDIR(mode)):  # opening a folder fails by itself
        raise OSError(errno.EINVAL, "is no ordinary file", str(path))


def read_bytes(path: str | Path, most: int = MOST_BYTES) -> bytes:
    """Return the content of an ordinary file. Raises OSError, also beyond `most` bytes."""
    check_ordinary(path)
    with open(path, "rb") as opened:
        content = opened.read(most + 1)
    if len(content) > most:
        raise OSError(errno.EFBIG, f"is larger than {most:,} bytes", str(path))
    return content


def read_text(path: str | Path, most: int = MOST_BYTES) -> str:
    """Return the text of an ordinary file in UTF-8, line ends as `\\n`. Raises OSError and UnicodeDecodeError."""
    return read_bytes(path, most).decode("utf-8").replace("\r\n", "\n").replace("\r", "\n")
