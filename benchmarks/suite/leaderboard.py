"""The leaderboard: pages of Markdown made from result files.

A page has marks, and what stands between two marks is made anew: the table of all results, or the table of one task.
Results that do not follow from their own counts are refused; `stardeck verify` plays their games again.
"""

import re
from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import Any, NamedTuple

from stardeck.benchmarks.suite.result_file import BadResult, read_result
from stardeck.benchmarks.suite.tasks import SUITE, Task
from stardeck.benchmarks.suite.verify import check_sums
from stardeck.kernels.files import read_text

MARKED = re.compile(
    r"<!-- (?P<name>leaderboard|task [\w-]+): stardeck leaderboard -->\n.*?<!-- end of (?P=name) -->", re.S
)
UNMARKED = "holds no marks, such as <!-- leaderboard: stardeck leaderboard --> and <!-- end of leaderboard -->"
DASH = "-"


class Entry(NamedTuple):
    """A result on the leaderboard: the name of its file, and its content."""

    file: str
    result: dict[str, Any]

    @property
    def overall(self) -> dict[str, Any] | None:
        """Points over all tasks, or None where a task was not played."""
        return self.result["overall"]

    def task(self, name: str) -> dict[str, Any] | None:
        """Return the row of a task, or None where it was not played."""
        return next((row for row in self.result["tasks"] if row["task"] == name), None)


def read_entries(folder: str | Path) -> list[Entry]:
    """Return the results in a folder, the best first; those that lack a task stand last.

    Raises:
        ValueError: The folder holds no results, or a file is none, or its numbers do not follow from its counts.
    """
    files = sorted(Path(folder).glob("*.json"))
    if not files:
        raise BadResult(f"{folder}: must be a folder with result files (*.json)")
    entries = []
    for path in files:
        entry = Entry(path.stem, read_result(path))
        try:
            check_sums(entry.result)
        except ValueError as error:
            raise type(error)(f"{path}: {error}") from error
        entries.append(entry)
    return sorted(entries, key=_order)


def _order(entry: Entry) -> tuple[bool, float, str]:
    played = [row["points"] for row in entry.result["tasks"]]
    points = entry.overall["points"] if entry.overall else sum(played) / len(played)
    return entry.overall is None, -points, entry.file


def put_into(text: str, entries: Sequence[Entry]) -> str:
    """Return a page in which everything between marks is made from results.

    Raises:
        ValueError: The page has no marks, or marks of an unknown task.
    """
    if not MARKED.search(text):
        raise ValueError(
            "holds no marks, such as <!-- leaderboard: stardeck leaderboard --> and <!-- end of leaderboard -->"
        )
    return MARKED.sub(lambda found: _marked(found["name"], entries), text)


def _marked(name, entries) -> str:
    if name == "leaderboard":
        lines = board(entries)
    else:
        tasks = {task.name: task for task in SUITE.tasks}
        if (wanted := name.removeprefix("task ")) not in tasks:
            raise ValueError(f"task {wanted}: must be among {', '.join(tasks)}")
        lines = task_table(tasks[wanted], entries)
    return "\n".join([f"<!-- {name}: stardeck leaderboard -->", *lines, f"<!-- end of {name} -->"])


def board(entries: Sequence[Entry]) -> list[str]:
    """Return the table of all results, in lines of Markdown."""
    head = ["agent", "all tasks", *(f"[{task.name}](benchmark/{task.name}.md)" for task in SUITE.tasks), "games"]
    rows = [
        [_agent(entry), _points(entry.overall), *(_middle(entry.task(task.name)) for task in SUITE.tasks),
         f"{entry.result['games']:,}"]
        for entry in entries
    ]  # fmt: skip
    return _table(head, rows)


def task_table(task: Task, entries: Sequence[Entry]) -> list[str]:
    """Return the table of the results of one task, in lines of Markdown, the best first."""
    played = [(entry, row) for entry in entries if (row := entry.task(task.name))]
    played.sort(key=lambda both: -both[1]["points"])
    head = ["agent", "points", *(level.name for level in task.levels), "decisions/s"]
    rows = [
        [_agent(entry), _points(row), *(f"{100 * level['win_rate']:.1f} %" for level in row["levels"]),
         f"{row['decisions_per_second']:,.0f}"]
        for entry, row in played
    ]  # fmt: skip
    return _table(head, rows)


def _text_of(page: Path) -> str:
    try:
        return read_text(page)
    except UnicodeDecodeError as error:
        raise ValueError(f"{page}: is not text in UTF-8") from error


def _agent(entry: Entry) -> str:
    about = entry.result.get("about", {})
    shown = about.get("name", entry.result["agent"])
    name = f"[{shown}]({about['url']})" if "url" in about else f"`{shown}`"
    return name + (f", {about['authors']}" if "authors" in about else "")


def _points(row: dict[str, Any] | None) -> str:
    return DASH if row is None else f"{row['points']:.1f} [{row['low']:.1f}, {row['high']:.1f}]"


def _middle(row: dict[str, Any] | None) -> str:
    return DASH if row is None else f"{row['points']:.1f}"


def _table(head: Sequence[str], rows: Iterable[Sequence[str]]) -> list[str]:
    lines = [head, ["---"] * len(head), *rows]
    return [f"| {' | '.join(cells)} |" for cells in lines]


def pages_of(place: str | Path) -> list[Path]:
    """Return the pages to fill in: the file itself, or the pages of a folder that have marks.

    Raises:
        ValueError: There is none.
    """
    path = Path(place)
    found = sorted(path.rglob("*.md")) if path.is_dir() else [path]
    pages = [page for page in found if MARKED.search(_text_of(page))]
    if not pages:
        raise ValueError(f"{place}: {UNMARKED}")
    return pages
