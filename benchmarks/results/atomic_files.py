"""Files that appear whole or not at all."""

import json
import os
import shutil
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import TYPE_CHECKING, Any

from stardeck.kernels.files import unfinished_path

if TYPE_CHECKING:
    from stardeck.benchmarks.results.filesystems import Place


@contextmanager
def whole(path: "str | Path | Place") -> Iterator[Path]:
    """Yield a path for a file or folder that replaces `path` atomically afterwards and survives a power cut.

    Readers find either the whole new content or the old one.

    Args:
        path: Path of this machine, or a `Place` (benchmarks/results/filesystems.py) for a file.

    Raises:
        OSError: The file cannot be written; the error names `path`.
    """
    if hasattr(path, "put"):
        with _put(path) as unfinished:
            yield unfinished
        return
    path = Path(path)
    unfinished = unfinished_path(path)
    try:
        yield unfinished
        for written in [*unfinished.glob("*"), unfinished]:
            to_disk(written)
        os.replace(unfinished, path)
        to_disk(path.parent)
    except OSError as error:
        raise OSError(error.errno, error.strerror or str(error), str(path)) from error
    finally:
        with suppress(OSError):
            shutil.rmtree(unfinished) if unfinished.is_dir() else unfinished.unlink()


@contextmanager
def _put(place):
    """Yield a local path for a file, and upload the file to its place afterwards."""
    with tempfile.TemporaryDirectory() as folder:
        unfinished = Path(folder) / place.name
        yield unfinished
        try:
            with unfinished.open("rb") as opened:
                place.put(opened)
        except OSError as error:
            raise OSError(error.errno, error.strerror or str(error), str(place)) from error


def to_disk(path: Path) -> None:
    """Flush a file, or the names in a folder, to the disk where the system supports it."""
    if path.is_dir() and os.name != "posix":
        return
    descriptor = os.open(path, os.O_RDONLY if path.is_dir() else os.O_RDWR)
    try:
        os.fsync(descriptor)
    finally:
        os.close(descriptor)


def write_whole(path: "str | Path | Place", text: str) -> None:
    """Write a text file, whole or not at all."""
    with whole(path) as unfinished:
        unfinished.write_text(text, encoding="utf-8")


def parse_json(text: str | bytes) -> Any:
    """Return the value of a JSON text. Raises ValueError for any other text, and for one that is nested too deeply."""
    try:
        return json.loads(text)
    except RecursionError:
        raise ValueError("is nested too deeply") from None
