"""Arrays of finished chunks in the folder of a part, so that an interrupted measurement goes on where it stopped."""

import json
import zipfile
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
            held = parse_json(read_text(about))
            if held != wanted:
                raise ValueError(f"{folder}: holds {difference(held, wanted, 'measurement')}; choose another folder")
        else:
            write_whole(about, json.dumps(wanted, indent=2) + "\n")

    def add(self, start: int, stop: int, arrays: Mapping[str, NDArray[Any]]) -> None:
        """Write the arrays of items [start, stop); once this returns they survive a crash."""
        with whole(self.folder / f"{start:09d}-{stop:09d}.npz") as unfinished, unfinished.open("wb") as opened:
            np.savez(opened, **cast(Any, arrays))

    def ranges(self) -> list[tuple[int, int]]:
        """Return the ranges of items in the folder, in order."""
        names = [path.stem.partition("-") for path in self.folder.glob("*-*.npz")]
        return sorted((int(start), int(stop)) for start, _, stop in names)

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
        return [(start, self._arrays(start, stop)) for start, stop in self.ranges()]

    def _arrays(self, start, stop):
        path = self.folder / f"{start:09d}-{stop:09d}.npz"
        try:
            with np.load(regular_file(path), allow_pickle=False) as held:
                return {name: held[name] for name in held.files}
        except (OSError, ValueError, EOFError, zipfile.BadZipFile) as error:
            why = reason(error)
            raise ValueError(f"{path}: is damaged ({why}); remove it, and its games are played again") from error
