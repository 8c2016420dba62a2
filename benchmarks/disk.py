"""Files that appear whole or not at all, and folders that one process at a time writes to."""

import json
import os
import shlex
import shutil
import socket
import sys
from contextlib import contextmanager, suppress
from datetime import datetime
from pathlib import Path

from filelock import FileLock, Timeout

LOCK = ".lock"
WRITER = ".writer.json"  # who holds the lock: beside it, for on Windows nobody else can read a locked file
COMMAND_WIDTH = 200  # characters


class FolderError(ValueError):
    """A folder cannot be written to, or another process is writing to it; the message names both."""


@contextmanager
def whole(path):
    """Gives the path to write a file or folder to that then takes the place of `path`, and survives a power cut.

    Whoever looks finds all of it, or what was there before. OSError names `path`.
    """
    path = Path(path)
    unfinished = path.with_suffix(".tmp")
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


def to_disk(path):
    """Have the disk keep a file, or the names in a folder, where the system knows how to."""
    if path.is_dir() and os.name != "posix":
        return
    descriptor = os.open(path, os.O_RDONLY if path.is_dir() else os.O_RDWR)
    try:
        os.fsync(descriptor)
    finally:
        os.close(descriptor)


def write_whole(path, text: str) -> None:
    """Write a text file, whole or not at all."""
    with whole(path) as unfinished:
        unfinished.write_text(text, encoding="utf-8")


def parse_json(text):
    """What a JSON text says; ValueError for any text that says nothing, one that is nested too deeply too."""
    try:
        return json.loads(text)
    except RecursionError:
        raise ValueError("is nested too deeply") from None


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
        "command": shlex.join([Path(sys.argv[0]).name, *sys.argv[1:]])[:COMMAND_WIDTH],
        "since": datetime.now().astimezone().isoformat(" ", "seconds"),
    }


def _writer(folder):
    try:
        held = parse_json((folder / WRITER).read_text(encoding="utf-8"))
        return f"process {held['pid']} on {held['host']} is writing to it since {held['since']} ({held['command']})"
    except (OSError, ValueError, LookupError, TypeError):  # it has only just begun, or is about to end
        return "another process is writing to it"
