"""Agents as programs of this machine: a line of JSON on their standard input, a line on their standard output.

No shell reads the command line. A program runs in a process group of its own, so Ctrl-C at the terminal does not reach
it: Stardeck ends it, with the processes that it has started. It starts with the first request, and again after a
failure. What it writes on standard error is kept for errors.
"""

import contextlib
import os
import selectors
import signal
import subprocess
import threading
import time
import weakref

from stardeck.agents.remote.transport import MOST_BYTES, RemoteError, late
from stardeck.kernels.errors import cut, reason

CHUNK = 2**16  # bytes
GRACE = 1.0  # seconds in which a program may end by itself once its input has ended
LINES = 3  # last lines on standard error that an error shows
KEPT = 2_000  # bytes of standard error that are kept
_RUNNING: dict[subprocess.Popen[bytes], int] = {}  # the process that has started each
_LEAVING = threading.Event()


class ProcessTransport:
    """Connection to a program that answers on standard output."""

    def __init__(self, command: list[str]) -> None:
        if os.name != "posix":
            raise ValueError("exec: programs on standard input and output need Linux or macOS; use http://")
        self.generation = 0
        self._command = command
        self._lock = threading.Lock()  # one request at a time
        self._program: _Program | None = None

    def exchange(self, request: bytes, timeout: float) -> bytes:
        """Send a request and return the answer, as in `Transport`."""
        with self._lock:
            try:
                if self._program is None:
                    self._program = _Program(self._command)
                return self._program.answer(request + b"\n", time.monotonic() + timeout, timeout)
            except BaseException:  # what it writes from now on would answer an old request
                self._end(0.0)
                raise

    def reset(self) -> None:
        """End the program; the next request starts it again."""
        with self._lock:
            self._end(0.0)

    def close(self) -> None:
        """End the program, which first sees the end of its input."""
        with self._lock:
            self._end(GRACE)

    def _end(self, grace):
        program, self._program = self._program, None
        if program is not None:
            self.generation += 1
            program.end(grace)


class _Program:
    """A running program and its pipes."""

    def __init__(self, command):
        if _LEAVING.is_set():
            raise RemoteError("is not started, because Stardeck is about to end")
        try:
            self._process = subprocess.Popen(
                command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE, start_new_session=True,
                bufsize=0,
            )  # fmt: skip
        except OSError as error:
            raise RemoteError(f"cannot be started ({reason(error)}: {cut(command[0])})") from error
        _RUNNING[self._process] = os.getpid()
        self._end = weakref.finalize(self, _end, self._process, GRACE)  # at the latest when Python ends
        self._stdin, self._stdout, self._stderr = (
            self._process.stdin.fileno(), self._process.stdout.fileno(), self._process.stderr.fileno(),
        )  # fmt: skip
        for pipe in (self._stdin, self._stdout, self._stderr):
            os.set_blocking(pipe, False)
        self._written = bytearray()  # on standard output, not yet read as an answer
        self._errors = bytearray()  # the last bytes on standard error

    def end(self, grace):
        """Stop the process and its children."""
        self._end.detach()
        _end(self._process, grace)

    def answer(self, request, deadline, timeout):
        """Return the line that answers a request."""
        self._check_silent()
        waiting = memoryview(request)
        with selectors.DefaultSelector() as selector:
            selector.register(self._stdout, selectors.EVENT_READ)
            selector.register(self._stderr, selectors.EVENT_READ)
            selector.register(self._stdin, selectors.EVENT_WRITE)
            while (end := self._written.find(b"\n")) < 0:
                left = deadline - time.monotonic()
                if left <= 0:
                    unread = f"; it has not read {len(waiting):,} bytes of the request" if waiting else ""
                    raise RemoteError(f"{late(timeout)}{unread}{self._complaint()}")
                for key, _ in selector.select(left):
                    if key.fd == self._stdin:
                        waiting = self._write(selector, waiting)
                    elif key.fd == self._stderr:
                        self._hear(selector)
                    else:
                        self._read()
        if waiting:
            raise RemoteError(f"it has answered before it read the whole request{self._complaint()}")
        line = bytes(self._written[:end])
        del self._written[: end + 1]
        return line

    def _check_silent(self):
        """Raise RemoteError if the program wrote something since its last answer."""
        with contextlib.suppress(BlockingIOError):
            self._written += os.read(self._stdout, CHUNK)
        if self._written:
            text = cut(self._written.decode("utf-8", "replace"))
            raise RemoteError(f"wrote {text!r} on standard output without a request: {_ONE_LINE}")

    def _write(self, selector, waiting):
        """Write a part of the request, and return the rest."""
        try:
            waiting = waiting[os.write(self._stdin, waiting[:CHUNK]) :]
        except BlockingIOError:
            return waiting
        except BrokenPipeError:
            selector.unregister(self._stdin)  # its end, or its answer, comes on the other pipes
            return waiting
        if not waiting:
            selector.unregister(self._stdin)
        return waiting

    def _read(self):
        """Read a part of the answer."""
        try:
            part = os.read(self._stdout, CHUNK)
        except BlockingIOError:
            return
        if not part:
            raise RemoteError(self._ending())
        self._written += part
        if len(self._written) > MOST_BYTES:
            raise RemoteError(f"the answer is too long: at most {MOST_BYTES:,} bytes are allowed")

    def _hear(self, selector):
        """Keep the end of what is written on standard error."""
        with contextlib.suppress(BlockingIOError):
            part = os.read(self._stderr, CHUNK)
            if not part:
                selector.unregister(self._stderr)
            self._errors += part
            del self._errors[:-KEPT]

    def _ending(self):
        """Return how a program ended whose standard output has ended."""
        with contextlib.suppress(subprocess.TimeoutExpired):
            self._process.wait(GRACE)
        with contextlib.suppress(BlockingIOError):
            while part := os.read(self._stderr, CHUNK):
                self._errors += part
        code = self._process.returncode
        if code is None:
            how = "has closed its standard output"
        elif code < 0:
            how = f"was ended by signal {-code}"
        else:
            how = f"has ended with exit code {code}"
        rest = f" after it wrote {cut(self._written.decode('utf-8', 'replace'))!r}" if self._written else ""
        return f"the program {how}{rest}{self._complaint()}"

    def _complaint(self):
        """Return the last lines on standard error, as the end of an error."""
        lines = self._errors.decode("utf-8", "replace").split("\n")
        last = list(filter(None, map(str.strip, lines)))[-LINES:]
        return f"; on standard error: {cut(' | '.join(last), 300)}" if last else ""


_ONE_LINE = "it holds one line for each answer, and everything else belongs on standard error"


def _end(process, grace):
    """End a program with all that it has started, and leave no zombie; a fork of this process leaves it alone."""
    if _RUNNING.get(process) != os.getpid():
        return
    try:
        with contextlib.suppress(OSError):
            process.stdin.close()
        if grace and process.poll() is None:
            with contextlib.suppress(subprocess.TimeoutExpired):
                process.wait(grace)
    finally:  # Ctrl-C may come while it waits
        _kill(process)
        process.wait()
        _RUNNING.pop(process, None)
        for pipe in (process.stdout, process.stderr):
            with contextlib.suppress(OSError):
                pipe.close()


def _kill(process):
    with contextlib.suppress(ProcessLookupError, PermissionError):
        os.killpg(process.pid, signal.SIGKILL)


def end_all() -> None:
    """Kill all programs and start no more: this process is about to leave, perhaps from a signal handler.

    It waits for none of them. A handler may have interrupted a wait, whose lock is still held.
    """
    _LEAVING.set()
    for process, owner in tuple(_RUNNING.items()):
        if owner == os.getpid():
            _kill(process)
