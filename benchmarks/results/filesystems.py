"""Folders of results: paths of this machine, or URLs that many machines can write to.

Results go to `s3://bucket/folder`, `gs://bucket/folder` and all other file systems of PyArrow. All nodes of a cluster
must see `file:///mnt/shared/folder` under the same path. A `Place` has the methods of `pathlib.Path` that results use,
and no others.
"""

import io
import re
import shutil
from collections.abc import Iterator
from functools import cache
from pathlib import Path, PurePosixPath
from typing import Any

from stardeck.benchmarks.results.arrow import pa
from stardeck.kernels.errors import cut, said, shown
from stardeck.kernels.files import read_text, regular_file, unfinished_path

RETRYING, MOST_SECONDS = "retry_limit_seconds", 10  # seconds after which Google's client gives up
_URL = re.compile(r"[a-z][a-z0-9+.-]*://", re.I)


class PlaceError(ValueError):
    """A URL names no writable place; the message says why."""


def place(folder: Any) -> "Path | Place":
    """Return the folder of a path or URL. Raises PlaceError for a URL that no file system knows."""
    if isinstance(folder, Place):
        return folder
    if not _URL.match(str(folder)):
        return Path(folder)
    path = _opened(str(folder))[1]
    if not path:
        raise PlaceError(f"{shown(folder)}: must name a folder, such as s3://bucket/folder")
    return Place(str(folder), path)


def folder_here(folder: Any) -> Path:
    """Return a folder of this machine. Raises PlaceError for a URL."""
    if isinstance(folder, Place) or _URL.match(str(folder)):
        what = "must be a folder of this machine; only advantage and league take a URL"
        raise PlaceError(f"{shown(str(folder))}: {what}")
    return Path(folder)


@cache
def _opened(url: str) -> tuple[Any, str]:
    """Return the file system of a URL, and the path in it."""
    from pyarrow import fs

    try:
        return fs.FileSystem.from_uri(_limited(url))
    except (pa.ArrowException, OSError, ValueError) as error:
        raise PlaceError(f"{shown(url)}: cannot be opened ({cut(said(error))})") from error


def _limited(url):
    """Add a retry limit to a URL; without it, Google's client retries for a quarter of an hour."""
    if not url.lower().startswith(("gs://", "gcs://")) or RETRYING in url:
        return url
    return f"{url}{'&' if '?' in url else '?'}{RETRYING}={MOST_SECONDS}"


class Place:
    """A file or folder below a URL. It is pickled as the URL and its path, and opened again on each machine."""

    def __init__(self, url: str, path: str) -> None:
        self._url, self._path = url, PurePosixPath(path)
        self.name, self.stem, self.suffix = self._path.name, self._path.stem, self._path.suffix

    def __reduce__(self) -> tuple[Any, ...]:
        return Place, (self._url, str(self._path))

    def __truediv__(self, name: str) -> "Place":
        return Place(self._url, str(self._path / name))

    def __str__(self) -> str:
        return f"{_URL.match(self._url)[0]}{self._path}"  # type: ignore[index]

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Place) and (self._url, self._path) == (other._url, other._path)

    def __hash__(self) -> int:
        return hash((self._url, self._path))

    @property
    def files(self) -> Any:
        """The file system."""
        return _opened(self._url)[0]

    def exists(self) -> bool:
        """Return whether the file or folder exists."""
        return self.files.get_file_info(str(self._path)).type.name != "NotFound"

    def mkdir(self, parents: bool = True, exist_ok: bool = True) -> None:
        """Make the folder and its parents."""
        self.files.create_dir(str(self._path), recursive=True)

    def glob(self, pattern: str) -> "Iterator[Place]":
        """Yield the files in the folder that match a pattern such as `*.parquet`."""
        from pyarrow import fs

        selector = fs.FileSelector(str(self._path), allow_not_found=True)
        names = [info.base_name for info in self.files.get_file_info(selector)]
        return (self / name for name in sorted(names) if PurePosixPath(name).match(pattern))

    def open(self, mode: str = "rb") -> Any:
        """Open the file for reading. Raises OSError."""
        return self.files.open_input_file(str(self._path))

    def read_text(self, encoding: str = "utf-8") -> str:
        """Return the text of the file. Raises OSError."""
        with self.open() as opened:
            return opened.read().decode(encoding)

    def put(self, source: io.BufferedIOBase) -> None:
        """Write the file atomically. Raises OSError."""
        if self.files.type_name != "local":  # an object appears when it is closed, and not before
            self._write(str(self._path), source)
            return
        unfinished = str(unfinished_path(self._path))
        self._write(unfinished, source)
        self.files.move(unfinished, str(self._path))

    def _write(self, path, source):
        stream = self.files.open_output_stream(path)
        shutil.copyfileobj(source, stream, 1 << 20)
        stream.close()  # not after a failed copy: closing would create a file of the part that was copied

    def unlink(self, missing_ok: bool = False) -> None:
        """Delete the file. Raises OSError."""
        if not missing_ok or self.exists():
            self.files.delete_file(str(self._path))

    def delete_folder(self) -> None:
        """Delete the folder and all in it."""
        self.files.delete_dir(str(self._path))


def open_file(path: "Path | Place") -> Any:
    """Open a file for reading in bytes. Raises OSError, for a pipe or a device too."""
    return path.open("rb") if isinstance(path, Place) else regular_file(path).open("rb")


def read_file(path: "Path | Place") -> str:
    """Return the text of a file. Raises OSError, or ValueError for a file that is not UTF-8."""
    return path.read_text() if isinstance(path, Place) else read_text(path)


def delete_folder(folder: "Path | Place") -> None:
    """Delete a folder and all in it."""
    if isinstance(folder, Place):
        folder.delete_folder()
    else:
        shutil.rmtree(folder)
