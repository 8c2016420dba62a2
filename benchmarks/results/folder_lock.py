"""Locks for folders of results: one process at a time writes to a folder.

The operating system locks a local folder, and frees it when the writer ends. Folders behind a URL have no locks; there
the writer leaves a marker and renews it. Another writer may take over an old marker. If two writers begin at the same
moment, each sees the marker of the other a little later, and one of them gives way. A writer whose machine slept is not
detected, but any writer writes equal chunks of one series.
"""

import json
import os
import socket
import threading
import time
import uuid
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from datetime import datetime
from pathlib import Path

from filelock import FileLock, Timeout

from stardeck.benchmarks.results.atomic_files import parse_json, write_whole
from stardeck.benchmarks.results.filesystems import Place, place, read_file
from stardeck.benchmarks.results.provenance import command
from stardeck.kernels.errors import cut, reason, said

LOCK = ".lock"
WRITER = ".writer.json"  # who holds the lock; a file of its own, for Windows denies reading locked files
COMMAND_WIDTH = 200  # characters
RENEWED = 15.0  # seconds between two renewals of a marker
STALE = 60.0  # seconds after which the writer of a marker counts as killed
MARKED = 4096  # bytes of a marker: with a fixed length, a reader never sees parts of two markers
SETTLED = 0.5  # seconds until another writer that began at the same moment has left its marker too


class FolderError(ValueError):
    """A folder cannot be written to, or another process is writing to it; the message names both."""


@contextmanager
def only_writer(folder: str | Path | Place) -> Iterator[None]:
    """Make a folder and lock it for this process. Raises FolderError, which names the other writer or the cause."""
    folder = place(folder)
    if isinstance(folder, Place):
        with _marked(folder):
            yield
        return
    lock = FileLock(folder / LOCK, timeout=0)
    try:
        folder.mkdir(parents=True, exist_ok=True)
        lock.acquire()
    except Timeout:
        raise FolderError(f"{folder}: {_writer(folder)}; wait for its end, or choose another folder (--out)") from None
    except OSError as error:
        raise FolderError(f"{folder}: cannot be written to ({reason(error)})") from error
    try:
        write_whole(folder / WRITER, json.dumps(_ourselves()))
        yield
    finally:
        for name in (WRITER, LOCK):  # while the lock is held: the next owner makes a new file
            with suppress(OSError):
                (folder / name).unlink()
        lock.release()


@contextmanager
def _marked(folder):
    """Lock a folder behind a URL by a marker."""
    mine = _ourselves() | {"token": uuid.uuid4().hex}
    over = threading.Event()

    def mark():
        write_whole(folder / WRITER, json.dumps(mine | {"seen": time.time()}).ljust(MARKED))

    def renew():
        while not over.wait(RENEWED):
            with suppress(OSError):  # the next renewal may succeed
                mark()

    _refuse_other(folder, mine)
    try:
        folder.mkdir()
        mark()
    except OSError as error:
        raise FolderError(f"{folder}: cannot be written to ({cut(said(error))})") from error
    time.sleep(SETTLED)
    _refuse_other(folder, mine)
    renewing = threading.Thread(target=renew, daemon=True)
    renewing.start()
    try:
        yield
    finally:
        over.set()
        renewing.join()
        with suppress(OSError):
            (folder / WRITER).unlink()


def _refuse_other(folder, mine):
    """Raise FolderError if the marker of a folder belongs to another writer that has renewed it lately."""
    try:
        held = parse_json(read_file(folder / WRITER))
        other = held["token"] != mine["token"] and time.time() - held["seen"] < STALE
    except (OSError, ValueError, LookupError, TypeError):  # no marker, or an unreadable one
        return
    if other:
        wait = f"wait for its end ({STALE:.0f} s where it was killed), or choose another folder (--out)"
        raise FolderError(f"{folder}: {_writer(folder)}; {wait}")


def _ourselves():
    return {
        "pid": os.getpid(),
        "host": socket.gethostname(),
        "command": command()[:COMMAND_WIDTH],
        "since": datetime.now().astimezone().isoformat(" ", "seconds"),
    }


def _writer(folder):
    try:
        held = parse_json(read_file(folder / WRITER))
        return f"process {held['pid']} on {held['host']} is writing to it since {held['since']} ({held['command']})"
    except (OSError, ValueError, LookupError, TypeError):  # the other writer has just begun, or is about to end
        return "another process is writing to it"
