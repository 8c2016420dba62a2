"""Tables of Stardeck-8 in a terminal."""

from typing import Any

from stardeck.benchmarks.progress import console_for
from stardeck.benchmarks.results.words import number_of
from stardeck.benchmarks.suite.tasks import SUITE


def _points(row: dict[str, Any] | None) -> str:
    return "-" if row is None else f"{row['points']:.1f}  [{row['low']:.1f}, {row['high']:.1f}]"


def print_result(result: dict[str, Any], out: str) -> None:
    """Print a result as one table.

    Args:
        result: The result.
        out: Folder of the run.
    """
    from rich.table import Column, Table

    console = console_for()
    games = f"{number_of(result['games'], 'game')} of each level"
    console.print(f"{SUITE.name} {SUITE.version}, {result['agent']}: {games}", style="italic", soft_wrap=True)
    table = Table(
        Column("task", no_wrap=True), Column("points  [95 %]", no_wrap=True), "points by level", "decisions/s"
    )
    for row in result["tasks"]:
        levels = ", ".join(f"{level['level']} {level['points']:.0f}" for level in row["levels"])
        table.add_row(row["task"], _points(row), levels, f"{row['decisions_per_second']:,.0f}")
    for name in result["not_played"]:
        table.add_row(name, "-", "", "")
    table.add_section()
    table.add_row("interquartile mean", _points(result["overall"]), "", "")
    console.print(table)
    for name, reason in result["not_played"].items():
        console.print(f"{name} was not played: {reason}", soft_wrap=True, markup=False)
    console.print("points: the chance to beat the opponent of a level in a game of two; itself, it would have 50")
    console.print(f"results in {out}", soft_wrap=True)


def print_learning(result: dict[str, Any], out: str) -> None:
    """Print the curve of the learning track.

    Args:
        result: The result of a task.
        out: Folder of the result.
    """
    from rich.table import Table

    console = console_for()
    seeds = f"{number_of(len(result['seeds']), 'seed')} of {number_of(result['decisions'], 'decision')}"
    console.print(f"{result['task']}, {result['trainer']}: {seeds}", style="italic", soft_wrap=True)
    table = Table("decisions", "points  [95 % interval]")
    for point in result["curve"]:
        table.add_row(f"{point['decisions']:,}", _points(point))
    console.print(table)
    console.print(f"results in {out}", soft_wrap=True)


def print_tasks() -> None:
    """Print the tasks and their levels."""
    from rich.table import Table

    table = Table("task", "what is played", "levels")
    for task in SUITE.tasks:
        table.add_row(task.name, task.title, ", ".join(level.name for level in task.levels))
    console = console_for()
    console.print(f"{SUITE.name} {SUITE.version}", style="italic")
    console.print(table)
