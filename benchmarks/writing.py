"""Folders of results that one process at a time writes to."""

import json
import os
import socket
from contextlib import contextmanager, suppress
from datetime import datetime
from pathlib import Path

from filelock import FileLock, Timeout

from stardeck.benchmarks.disk import parse_json, write_whole
from stardeck.benchmarks.origin import command

LOCK = ".lock"
WRITER = ".writer.json"  # who holds the lock: beside it, for on Windows nobody else can read a locked file
COMMAND_WIDTH = 200  # characters


class FolderError(ValueError):
    """A folder cannot be written to, or another process is writing to it; the message names both."""


@contextmanager
def only_writer(folder):
    """Make a folder and be its one writer. FolderError says who is writing to it, or why it cannot be written to."""
    folder = Path(folder)
    lock = FileLock(folder / LOCK, timeout=0)
    try:
        folder.mkdir(parents=True, exist_ok=True)
        lock.acquire()
    except Timeout:
        raise FolderError(f"{folder}: {_writer(folder)}; wait for its end, or choose another folder (--out)") from None
    except OSError as error:
        raise FolderError(f"{folder}: cannot be written to ({error.strerror})") from error
    try:
        write_whole(folder / WRITER, json.dumps(_ourselves()))
        yield
    finally:
        for name in (WRITER, LOCK):  # while the lock is held: whoever takes it next makes a new file
            with suppress(OSError):
                (folder / name).unlink()
        lock.release()


def _ourselves():
    return {
        "pid": os.getpid(),
        "host": socket.gethostname(),
        "command": command()[:COMMAND_WIDTH],
        "since": datetime.now().astimezone().isoformat(" ", "seconds"),
    }


def _writer(folder):
    try:
        held = parse_json((folder / WRITER).read_text(encoding="utf-8"))
        return f"process {held['pid']} on {held['host']} is writing to it since {held['since']} ({held['command']})"
    except (OSError, ValueError, LookupError, TypeError):  # it has only just begun, or is about to end
        return "another process is writing to it"
