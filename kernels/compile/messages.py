"""Messages to people while kernels are compiled: what is compiled, why, and how long the result is kept.

Each process writes one line to standard error. On a terminal a bar follows with the game and the entry: rich's bar if
installed, else one line that is overwritten. Processes that another one has started with `multiprocessing` share the
line: the first that compiles writes it for all.
"""

import multiprocessing
import sys
from collections.abc import Callable
from contextlib import suppress

import numba

from stardeck.kernels.compile.cache_folders import Caches
from stardeck.kernels.errors import harmless

ADVICE = "set NUMBA_CACHE_DIR to a folder that can be written to"


class Notice:
    """Monitor of the compilation.

    compiled counts functions. `follow`, if set, is called with the game and the step, and returns whether it has shown
    them; otherwise a bar does. `games` names the game of a state type.
    """

    def __init__(self, caches: Caches):
        self.compiled = 0
        self.games: dict = {}
        self.follow: Callable[[str, str], bool] | None = None
        self._caches = caches
        self._depth = 0
        self._game = self._step = ""
        self._bar = None
        self._alone = None  # the lock of the process that writes for its siblings
        self._announced = self._silent = self._waited = False

    def begin(self, function, arguments) -> None:
        """Record that the compilation of a function begins, for arguments of these types."""
        self._depth += 1
        if not getattr(function, "__module__", "").startswith("stardeck."):
            return
        self.compiled += 1
        if self._depth == 1:
            self._game, self._step = self._game_of(arguments) or "shared kernels", function.__name__
            self._announce_once()
        if self._silent:
            return
        step = f"{self._step}, {self.compiled} functions"
        if self.follow and self.follow(self._game, step):
            return
        if sys.stderr is not None and sys.stderr.isatty():
            self._draw(f"{self._game}: {step}")

    def end(self) -> None:
        """Record that the compilation ends."""
        self._depth -= 1
        if self._depth == 0 and self._bar:
            bar, self._bar = self._bar, None
            bar.stop()

    def wait(self) -> None:
        """Record that another process compiles what this one needs."""
        if not self._waited and multiprocessing.parent_process() is None:
            self._waited = True
            _say("stardeck: waiting for another process that compiles the same kernels\n")

    def _game_of(self, arguments):
        for argument in arguments:
            record = getattr(argument, "dtype", argument)
            if isinstance(record, numba.types.Record):
                for dtype, name in self.games.items():
                    if numba.from_dtype(dtype) == record:
                        return name
        return ""

    def _announce_once(self):
        if self._announced:
            return
        self._announced = True
        self._silent = not self._is_announcer()
        if not self._silent:
            _say(f"stardeck: {harmless(self._announcement(self._game))}\n")

    def _is_announcer(self):
        """Return whether no sibling has written the line; the lock is held until this process ends."""
        if multiprocessing.parent_process() is None or self._caches.write is None:
            return True
        from filelock import FileLock, Timeout

        try:
            self._alone = FileLock(self._caches.write / "announcer.lock", timeout=0)
            self._alone.acquire()
        except Timeout:
            return False
        except (OSError, NotImplementedError):
            pass  # no locks there
        return True

    def _announcement(self, what):
        caches = self._caches
        why = "not in the cache yet" if caches.hold_something() else "first run of this version"
        begin = f"compiling {what} ({why})"
        if caches.write and caches.lasts:
            return f"{begin}; the result is kept in {caches.write.parent}"
        refused = "; ".join(f"{place}: {reason}" for place, reason in caches.refused.items())
        if caches.write:
            return f"{begin}; the result is kept in {caches.write.parent} until that is emptied, {ADVICE} ({refused})"
        return f"{begin}; the result is not kept, {ADVICE} ({refused})"

    def _draw(self, text):
        if self._bar is None:
            self._bar = _bar()
        self._bar.show(text)


class _Line:
    """Progress line that is overwritten."""

    def show(self, text):
        _say(f"\rstardeck: {text}\033[K")

    def stop(self):
        _say("\r\033[K")


def _bar():
    with suppress(ImportError):
        from rich.console import Console
        from rich.progress import BarColumn, Progress, TextColumn

        class Bar:
            """Bar of rich that disappears at the end."""

            def __init__(self):
                columns = TextColumn("compiling"), BarColumn(), TextColumn("{task.description}", markup=False)
                self._progress = Progress(*columns, console=Console(stderr=True), transient=True)
                self._task = self._progress.add_task("", total=None)
                self._progress.start()

            def show(self, text):
                self._progress.update(self._task, description=text)

            def stop(self):
                self._progress.stop()

        return Bar()
    return _Line()


def _say(text):
    if sys.stderr is not None:
        sys.stderr.write(text)
        sys.stderr.flush()
