"""Ctrl-C: the first one ends a command in order and keeps the finished part; a second one ends it at once.

Python raises KeyboardInterrupt wherever the program happens to be. It is lost inside a destructor or a callback of a
library, and compilation and imports run many of them. So this module records Ctrl-C and raises it again.
"""

import os
import signal
import sys
import threading
import time
from typing import NoReturn

CODE = 130  # exit code of an interrupted command
TWICE = 0.5  # seconds: an earlier second signal is the same Ctrl-C, passed on by a parent process
AGAIN = 0.02  # seconds until a lost interrupt is raised again


class _Presses:
    first = None  # time of the first Ctrl-C
    swallowed = False
    again = False  # the next signal repeats a lost interrupt


def watch() -> None:
    """Handle Ctrl-C in this process; call it from the main thread."""
    _Presses.first, _Presses.swallowed, _Presses.again = None, False, False
    signal.signal(signal.SIGINT, _on_interrupt)
    sys.unraisablehook = _on_unraisable


def leave(code: int) -> NoReturn:
    """End the process, after Ctrl-C without cleanup: Python would destroy the unfinished work of a compiler."""
    for stream in (sys.stdout, sys.stderr):
        _empty(stream)
    if pressed():
        _leave_now(code)
    signal.signal(signal.SIGINT, lambda number, frame: _leave_now(code))
    sys.exit(code)


def _leave_now(code):
    """End the process without cleanup, but with the programs that it has started for agents."""
    programs = sys.modules.get("stardeck.agents.remote.process")
    if programs is not None:
        programs.end_all()
    os._exit(code)


def _empty(stream):
    """Flush a stream; if its reader has gone, redirect it so Python does not try again and complain."""
    try:
        stream.flush()
    except BrokenPipeError:
        nowhere = os.open(os.devnull, os.O_WRONLY)
        os.dup2(nowhere, stream.fileno())
        os.close(nowhere)
    except (OSError, ValueError, AttributeError):  # a full disk, a closed stream, none
        pass


def pressed() -> bool:
    """Return True if Ctrl-C was pressed."""
    return _Presses.first is not None


def check() -> None:
    """Raise KeyboardInterrupt if Ctrl-C was pressed and a library turned it into another error."""
    if pressed():
        raise KeyboardInterrupt


def _on_interrupt(number, frame):
    again, _Presses.again = _Presses.again, False
    if not again:
        if pressed() and time.monotonic() - _Presses.first > TWICE:
            _leave_now(CODE)
        if pressed():
            return
        _Presses.first = time.monotonic()
    elif not _Presses.swallowed:
        return
    _Presses.swallowed = False
    raise KeyboardInterrupt


def _on_unraisable(unraisable):
    """Handle an error that Python cannot raise where it happened; raise a lost interrupt again a little later."""
    if not issubclass(unraisable.exc_type, KeyboardInterrupt):
        sys.__unraisablehook__(unraisable)
        return
    _Presses.swallowed = True
    again = threading.Timer(AGAIN, _raise_again)
    again.daemon = True
    again.start()


def _raise_again():
    _Presses.again = True
    if os.name == "posix":
        signal.pthread_kill(threading.main_thread().ident, signal.SIGINT)
    else:
        signal.raise_signal(signal.SIGINT)
