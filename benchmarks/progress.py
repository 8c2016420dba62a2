"""Progress of what takes long: a bar on a terminal, and lines where there is none."""

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
    """A report of progress in which the note may be left out."""

    def __call__(self, done: int, total: int, note: str = "") -> Any:
        """Show how much is done."""


Wanted = Report | bool | None  # of a call from Python: see `progress_of_call`


@contextlib.contextmanager
def progress_of_call(progress: Wanted, unit: str) -> Iterator[Report]:
    """Yield what a call from Python reports its progress to.

    Args:
        progress: A function, which is called as `progress(done, all, note)`; None for a bar on a terminal, lines in a
            notebook and nothing elsewhere; True for lines elsewhere too; False for nothing.
        unit: What is counted, in the plural.
    """
    if callable(progress):
        yield progress
    elif progress or (progress is None and _is_watched()):
        with progress_bar(unit) as shown:
            yield shown
    else:
        yield _nothing


def _is_watched():
    """Check whether somebody sees standard error as it is written."""
    if importlib.util.find_spec("rich") is None:
        return False
    console = console_for(stderr=True)
    return console.is_terminal or console.is_jupyter


def _nothing(done: int, total: int, note: str = "") -> None:
    """Report no progress."""


@contextlib.contextmanager
def progress_bar(unit: str) -> Iterator[Bar]:
    """Progress on standard error, as progress(done, total, note): a bar on a terminal, else now and then a line.

    So it is too without the extra that draws bars, for commands that need no other.
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
        bar.start()  # not before the first figures: what is compiled first says so on the same screen
        if done < bar.tasks[0].completed:
            bar.reset(task)  # another stage begins
        pace = bar.tasks[0].finished_speed or bar.tasks[0].speed
        bar.update(
            task, completed=done, total=total, speed=f"{pace:,.0f}/s" if pace and pace >= 1 else "", note=harmless(note)
        )

    def compiling(game, step):
        if bar.live.is_started:
            bar.update(task, note=f"compiling {game}: {step}")
        return bar.live.is_started  # else it has a bar of its own

    NOTICE.follow = compiling
    try:
        yield progress
    finally:
        NOTICE.follow = None
        bar.stop()


class Lines:
    """Progress in a file or log: a line at most every LINE_EVERY seconds, so that quick commands are silent."""

    def __init__(self, unit: str) -> None:
        self._unit = unit
        self._told = time.monotonic()

    def __call__(self, done: int, total: int, note: str = "") -> None:
        """Write a line if the last one was long ago."""
        interrupt.check()
        now = time.monotonic()
        if now - self._told < LINE_EVERY:
            return
        self._told = now
        told = f"{done:,} of {total:,} {self._unit}" + (f"; {note}" if note else "")
        click.echo(harmless(f"{time.strftime('%H:%M:%S')}  {told}"), err=True)


def console_for(**options: Any) -> Any:
    """Return where tables and bars are printed, as they are: names of agents may hold brackets, and `:100:` is an emoji
    to rich.
    """
    from rich.console import Console

    class Ours(Console):
        """Spells control characters in texts from files, and leaves a broken pipe to the command line."""

        def on_broken_pipe(self):
            raise  # the command line answers BrokenPipeError; rich would exit with code 1

        def render_str(self, text, **how):
            """Return the text for the terminal."""
            return super().render_str(harmless(text), **how)

    return Ours(highlight=False, markup=False, emoji=False, **options)
