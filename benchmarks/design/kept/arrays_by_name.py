"""Arrays of finished chunks in the folder of a part, so that an interrupted measurement goes on where it stopped."""

import hashlib
import io
import json
import re
import zipfile
import zlib
from collections.abc import Mapping
from pathlib import Path
from typing import Any, cast

import numpy as np
from numpy.typing import NDArray

from stardeck.benchmarks.results.atomic_files import parse_json, whole, write_whole
from stardeck.benchmarks.results.compatibility import difference
from stardeck.kernels.errors import reason
from stardeck.kernels.files import read_text, regular_file

ABOUT = "about.json"
CHUNK = re.compile(r"(\d+)-(\d+)(?:-([0-9a-f]{16}))?\.npz")  # without a digest: of an earlier version
Arrays = dict[str, NDArray[Any]]


class KeptChunks:
    """Chunks of numbered items, one NumPy file each, of one measurement.

    Args:
        folder: Folder of the files. It is made.
        identity: What identifies the measurement, as plain data for JSON. Equal identities give equal chunks.

    Raises:
        ValueError: The folder holds chunks of another measurement; the message names the first difference.
    """

    def __init__(self, folder: Path, identity: Mapping[str, Any]) -> None:
        self.folder = folder
        folder.mkdir(parents=True, exist_ok=True)
        wanted = json.loads(json.dumps(identity))
        about = folder / ABOUT
        if about.exists():
            try:
                held = parse_json(read_text(about))
            except (OSError, ValueError) as error:
                raise ValueError(
                    f"{about}: is damaged ({reason(error)}); remove {folder}, and its games are played again"
                ) from error
            if held != wanted:
                raise ValueError(f"{folder}: holds {difference(held, wanted, 'measurement')}; choose another folder")
        else:
            write_whole(about, json.dumps(wanted, indent=2) + "\n")

    def add(self, start: int, stop: int, arrays: Arrays) -> None:
        """Write the arrays of items [start, stop); once this returns they survive a crash."""
        made = io.BytesIO()
        np.savez(made, **cast(Any, arrays))
        content = made.getvalue()
        with whole(self.folder / f"{start:09d}-{stop:09d}-{_digest(content)}.npz") as unfinished:
            unfinished.write_bytes(content)

    def ranges(self) -> list[tuple[int, int]]:
        """Return the ranges of items in the folder, in order."""
        return [(start, stop) for start, stop, _ in self._files()]

    def _files(self):
        """Return the first item, the end, and the path of each chunk, in order."""
        found = ((CHUNK.fullmatch(path.name), path) for path in self.folder.glob("*-*.npz"))
        return sorted((int(name[1]), int(name[2]), path) for name, path in found if name)

    def missing(self, items: int) -> list[tuple[int, int]]:
        """Return the ranges of items below `items` that the folder lacks."""
        gaps, at = [], 0
        for start, stop in self.ranges():
            if at < min(start, items):
                gaps.append((at, min(start, items)))
            at = max(at, stop)
        return [*gaps, (at, items)] if at < items else gaps

    def read(self) -> list[tuple[int, Arrays]]:
        """Return the first item and the arrays of each chunk, in order.

        Raises:
            ValueError: A file is damaged; the message names it.
        """
        return [(start, _arrays(path)) for start, _, path in self._files()]


def _arrays(path):
    """Return the arrays of a chunk. Raises ValueError if its file is not the one that was written."""
    try:
        content = regular_file(path).read_bytes()
        digest = CHUNK.fullmatch(path.name)[3]
        if digest is not None and digest != _digest(content):
            raise ValueError("it is not the file that was written")
        with np.load(io.BytesIO(content), allow_pickle=False) as held:
            return {name: held[name] for name in held.files}
    except (OSError, ValueError, EOFError, zipfile.BadZipFile, zlib.error) as error:
        why = reason(error)
        raise ValueError(f"{path}: is damaged ({why}); remove it, and its games are played again") from error


def _digest(content):
    return hashlib.sha256(content).hexdigest()[:16]
