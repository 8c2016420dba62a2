"""Progress of long work: a bar on a terminal, lines elsewhere."""

import contextlib
import importlib.util
import time
from collections.abc import Callable, Iterator
from typing import Any, Protocol

import click

from stardeck.benchmarks import interrupt
from stardeck.kernels.compile.jit import NOTICE
from stardeck.kernels.errors import harmless

LINE_EVERY = 10.0  # seconds between two lines of progress where there is no terminal
Report = Callable[[int, int, str], Any]  # called as report(done, all, note)


class Bar(Protocol):
    """A function that reports progress; the note is optional."""

    def __call__(self, done: int, total: int, note: str = "") -> Any:
        """Show the progress.

        Args:
            done: Finished units.
            total: All units.
            note: Text to show next to the progress.
        """


Wanted = Report | bool | None  # argument of a call from Python: see `progress_of_call`


@contextlib.contextmanager
def progress_of_call(progress: Wanted, unit: str) -> Iterator[Report]:
    """Yield the function to which a call from Python reports its progress.

    Args:
        progress: A function, which is called as `progress(done, all, note)`; None for a bar on a terminal, lines in a
            notebook and nothing elsewhere; True for lines elsewhere too; False for nothing.
        unit: The unit of progress, in the plural.
    """
    if callable(progress):
        yield progress
    elif progress or (progress is None and _is_watched()):
        with progress_bar(unit) as shown:
            yield shown
    else:
        yield _nothing


def _is_watched():
    """Return True if standard error is a terminal or a notebook."""
    if importlib.util.find_spec("rich") is None:
        return False
    console = console_for(stderr=True)
    return console.is_terminal or console.is_jupyter


def _nothing(done: int, total: int, note: str = "") -> None:
    """Report no progress."""


@contextlib.contextmanager
def progress_bar(unit: str) -> Iterator[Bar]:
    """Show progress on standard error; yield a function progress(done, total, note).

    On a terminal it draws a bar. Elsewhere, and without the extra that draws bars, it prints a line now and then.
    """
    if importlib.util.find_spec("rich") is None:
        yield Lines(unit)
        return
    console = console_for(stderr=True)
    if not console.is_terminal:
        yield Lines(unit)
        return
    from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeRemainingColumn

    columns = (BarColumn(), MofNCompleteColumn(), TextColumn(unit), TextColumn("{task.fields[speed]}"))
    bar = Progress(*columns, TimeRemainingColumn(), TextColumn("{task.fields[note]}", markup=False), console=console)
    task = bar.add_task("", total=None, speed="", note="")

    def progress(done, total, note=""):
        interrupt.check()
        bar.start()  # not before the first figures: compilation shows its own progress on the same screen
        if done < bar.tasks[0].completed:
            bar.reset(task)  # the next stage begins
        pace = bar.tasks[0].finished_speed or bar.tasks[0].speed
        bar.update(
            task, completed=done, total=total, speed=f"{pace:,.0f}/s" if pace and pace >= 1 else "", note=harmless(note)
        )

    def compiling(game, step):
        if bar.live.is_started:
            bar.update(task, note=f"compiling {game}: {step}")
        return bar.live.is_started  # otherwise compilation draws its own bar

    NOTICE.follow = compiling
    try:
        yield progress
    finally:
        NOTICE.follow = None
        bar.stop()


class Lines:
    """Progress in a file or log: at most one line every LINE_EVERY seconds, so quick commands print none.

    Args:
        unit: The unit of progress, in the plural.
    """

    def __init__(self, unit: str) -> None:
        self._unit = unit
        self._printed_at = time.monotonic()

    def __call__(self, done: int, total: int, note: str = "") -> None:
        """Print a line if the last one is old enough.

        Args:
            done: Finished units.
            total: All units.
            note: Text to add to the line.
        """
        interrupt.check()
        now = time.monotonic()
        if now - self._printed_at < LINE_EVERY:
            return
        self._printed_at = now
        line = f"{done:,} of {total:,} {self._unit}" + (f"; {note}" if note else "")
        click.echo(harmless(f"{time.strftime('%H:%M:%S')}  {line}"), err=True)


def console_for(**options: Any) -> Any:
    """Return a console for tables and bars that prints texts unchanged.

    Names of agents may contain brackets, and rich would replace `:100:` by an emoji.
    """
    from rich.console import Console

    class Ours(Console):
        """A console that escapes control characters in texts from files, and leaves a broken pipe to the command."""

        def on_broken_pipe(self):
            raise  # the command line answers BrokenPipeError; rich would exit with code 1

        def render_str(self, text, **how):
            """Return the text for the terminal."""
            return super().render_str(harmless(text), **how)

    return Ours(highlight=False, markup=False, emoji=False, **options)
