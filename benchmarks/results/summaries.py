"""Summaries of results in their folders."""

from pathlib import Path
from typing import Any

from stardeck.agents.former_names import present
from stardeck.benchmarks.results.atomic_files import parse_json
from stardeck.benchmarks.results.filesystems import Place, place, read_file
from stardeck.benchmarks.results.store import ResultsError
from stardeck.kernels.errors import reason

FILES = ("league.json", "summary.json", "result.json", "learning.json")


def read_summary(folder: "str | Path | Place") -> dict[str, Any]:
    """Return the summary in a folder of results. Raises ResultsError if there is none that can be read.

    Args:
        folder: Folder, or its URL.
    """
    held = place(folder)
    path = next((held / name for name in FILES if (held / name).exists()), None)
    if path is None:
        raise ResultsError(f"{folder}: holds no results: it has neither {', '.join(FILES[:-1])} nor {FILES[-1]}")
    try:
        summary = parse_json(read_file(path))
    except (OSError, ValueError) as error:
        raise ResultsError(f"{path}: cannot be read ({reason(error)})") from error
    if not isinstance(summary, dict):
        raise ResultsError(f"{path}: holds no summary of results")
    return present(summary)
