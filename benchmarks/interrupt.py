"""Ctrl-C: the first ends a command in order, so that what is finished is kept; a second one ends it at once.

Python raises KeyboardInterrupt wherever the program happens to be. Inside a destructor or a callback of a library
nobody hears it; compiling and importing are full of them. So it is remembered, and raised again.
"""

import os
import signal
import sys
import threading
import time
from typing import NoReturn

CODE = 130  # exit code of an interrupted command
TWICE = 0.5  # seconds: what comes sooner is the same Ctrl-C, handed on by a parent process
AGAIN = 0.02  # seconds until what was swallowed is raised again


class _Presses:
    first = None  # when Ctrl-C was pressed
    swallowed = False
    again = False  # the next signal is one that was swallowed


def watch() -> None:
    """Listen to Ctrl-C in this process, from its main thread."""
    _Presses.first, _Presses.swallowed, _Presses.again = None, False, False
    signal.signal(signal.SIGINT, _on_interrupt)
    sys.unraisablehook = _on_unraisable


def leave(code: int) -> NoReturn:
    """End the process. After Ctrl-C at once: Python would take apart what a compiler has left half done."""
    for stream in (sys.stdout, sys.stderr):
        _empty(stream)
    if pressed():
        os._exit(code)
    signal.signal(signal.SIGINT, lambda number, frame: os._exit(code))
    sys.exit(code)


def _empty(stream):
    """Write what is still in a stream; where nobody reads it any more, Python shall not try again and complain."""
    try:
        stream.flush()
    except BrokenPipeError:
        nowhere = os.open(os.devnull, os.O_WRONLY)
        os.dup2(nowhere, stream.fileno())
        os.close(nowhere)
    except (OSError, ValueError, AttributeError):  # a full disk, a closed stream, none
        pass


def pressed() -> bool:
    """Whether Ctrl-C was pressed."""
    return _Presses.first is not None


def check() -> None:
    """Raise KeyboardInterrupt if Ctrl-C was pressed and a library has taken it for an error of its own."""
    if pressed():
        raise KeyboardInterrupt


def _on_interrupt(number, frame):
    again, _Presses.again = _Presses.again, False
    if not again:
        if pressed() and time.monotonic() - _Presses.first > TWICE:
            os._exit(CODE)
        if pressed():
            return
        _Presses.first = time.monotonic()
    elif not _Presses.swallowed:
        return
    _Presses.swallowed = False
    raise KeyboardInterrupt


def _on_unraisable(unraisable):
    """Python's hook for errors that nobody hears: it cannot raise them itself, it is called where they were lost."""
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
