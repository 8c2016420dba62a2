"""Cache folders for machine code, and the check whose machine code may be loaded.

Loading machine code runs it. A folder counts only if root or the user of this process owns it and nobody else can
write to it; each file is checked again when it is opened. Reading needs no write access. You can therefore warm an
image as root and run it as any user: missing code goes into the first folder of the list that is writable.
"""

import os
import shutil
import stat
import tempfile
import time
from collections.abc import Iterable
from pathlib import Path
from typing import NamedTuple

ENDING = ".nbc"  # of a file with machine code
UNUSED = 30 * 24 * 3600  # seconds after which a cache folder is deleted
_FOLDER, _FILE, _PRIVATE = 0o755, 0o644, 0o700


class Caches(NamedTuple):
    """Folders with machine code.

    read: existing folders, in search order. write: the folder for new machine code, None if no folder is writable.
    lasts: False if `write` is a temporary folder. refused: reasons by folder.
    """

    read: tuple[Path, ...]
    write: Path | None
    lasts: bool
    refused: dict[Path, str]

    def hold_something(self) -> bool:
        """Return whether the folders hold any machine code."""
        return any(next(folder.rglob(f"*{ENDING}"), None) for folder in self.read)


def is_safe(about: os.stat_result) -> bool:
    """Return whether only root and the user of this process can have written a file or folder.

    Windows protects a user's folders by other means.
    """
    return not hasattr(os, "getuid") or about.st_uid in (0, os.getuid()) and not about.st_mode & 0o022


def find(name: str, beside: Path, given: str = "") -> Caches:
    """Find the folders called `name`, and make the one for new machine code.

    Args:
        name: The name of the folder below each of the places.
        beside: The place next to the kernels.
        given: The place that the user has set, such as `NUMBA_CACHE_DIR`.
    """
    read: list[Path] = []
    refused: dict[Path, str] = {}
    for place in _places(beside, given):
        folder = place / name
        if why := _unusable(folder):
            refused[place] = why
            continue
        read.append(folder)
        if _takes_files(folder):
            return Caches(tuple(read), folder, True, refused)
        refused[place] = "cannot be written to"
    temporary = _temporary(name)
    return Caches((*read, temporary) if temporary else tuple(read), temporary, False, refused)


def refusal(folder: Path) -> str:
    """Return why the folder, made if missing, cannot keep machine code; empty if it can."""
    return _unusable(folder) or ("" if _takes_files(folder) else "cannot be written to")


def open_to_all(folder: Path, above: Iterable[Path] = ()) -> None:
    """Make the folder and its contents readable to every user, whatever the umask.

    Args:
        folder: The folder.
        above: Folders above it, through which users must pass.
    """
    for path in (*above, folder, *folder.rglob("*")):
        path.chmod(_FOLDER if path.is_dir() else _FILE)


def _unusable(folder) -> str:
    try:
        _make(folder)
        return _unsafe(folder)
    except OSError as error:
        return error.strerror or str(error)


def _places(beside, given):
    if given:
        yield Path(given).absolute()
    yield beside
    if os.environ.get("XDG_CACHE_HOME"):
        yield Path(os.environ["XDG_CACHE_HOME"]).absolute() / "stardeck"
    try:
        yield Path.home() / ".cache" / "stardeck"
    except RuntimeError:  # a user without a home, as in containers
        return


def _make(folder, mode=_FOLDER):
    """Make the folder if it is missing, and delete old ones next to it."""
    if folder.is_dir():
        return
    for made in reversed([path for path in (folder, *folder.parents) if not path.is_dir()]):
        made.mkdir(mode=mode, exist_ok=True)
    for old in folder.parent.glob("kernels-*"):
        if old.stat().st_mtime < time.time() - UNUSED:
            shutil.rmtree(old, ignore_errors=True)


def _unsafe(folder) -> str:
    """Return why the folder may hold files of other users; empty if it cannot.

    The user chose the folders above it, so these count only if everyone can rename their contents.
    """
    folder = folder.resolve()
    if not is_safe(folder.stat()):
        return "other users can write to it, or own it"
    for above in folder.parents if hasattr(os, "getuid") else ():
        mode = above.stat().st_mode
        if mode & stat.S_IWOTH and not mode & stat.S_ISVTX:
            return f"everybody can write to {above}"
    if not os.access(folder, os.R_OK | os.X_OK):
        return "cannot be read"
    return ""


def _takes_files(folder) -> bool:
    try:
        os.utime(folder)
        with tempfile.TemporaryFile(dir=folder):
            return True
    except OSError:
        return False


def _temporary(name) -> Path | None:
    """Return a folder that lasts as long as temporary files do, shared by the processes of this user."""
    try:
        above = Path(tempfile.gettempdir())
        if above == Path.cwd():  # Python's last resort: that folder is for results, not for caches
            return None
        place = above / (f"stardeck-{os.getuid()}" if hasattr(os, "getuid") else "stardeck")
        place.mkdir(mode=_PRIVATE, exist_ok=True)
        about = place.lstat()  # anyone can make a link there
        if hasattr(os, "getuid") and (about.st_uid != os.getuid() or stat.S_IMODE(about.st_mode) & 0o077):
            return None
        if not stat.S_ISDIR(about.st_mode):
            return None
        _make(place / name, _PRIVATE)
        return place / name if not _unsafe(place / name) and _takes_files(place / name) else None
    except OSError:
        return None
