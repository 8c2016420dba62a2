"""Summaries of results: the kinds that commands write, and the file of each."""

from collections.abc import Mapping
from pathlib import Path
from typing import Any

from stardeck.agents.former_names import present
from stardeck.benchmarks.results.atomic_files import parse_json
from stardeck.benchmarks.results.filesystems import Place, place, read_file
from stardeck.benchmarks.results.store import ResultsError

FILES = ("league.json", "summary.json")
KEYS = {  # keys that only a summary of this kind has; the first match counts
    "league": {"cross_table"},
    "worth of cards": {"trials"},
    "fair settings": {"knobs"},
    "exploitability": {"responses"},
    "value network": {"explained", "positions"},
    "opponent-hand model": {"choice", "positions"},
    "training": {"evaluations"},
    "first-player advantage": {"seats", "agents"},
}
UNKNOWN = "unknown kind"


def kind_of(summary: Mapping[str, Any]) -> str:
    """Return the kind of a summary; UNKNOWN if this version knows none."""
    return next((kind for kind, keys in KEYS.items() if keys <= summary.keys()), UNKNOWN)


def read_summary(folder: "str | Path | Place") -> dict[str, Any]:
    """Return the summary in a folder of results. Raises ResultsError if there is none that can be read.

    Args:
        folder: Folder, or its URL.
    """
    held = place(folder)
    path = next((held / name for name in FILES if (held / name).exists()), None)
    if path is None:
        raise ResultsError(f"{folder}: holds no results: it has neither {' nor '.join(FILES)}")
    try:
        summary = parse_json(read_file(path))
    except (OSError, ValueError) as error:
        raise ResultsError(f"{path}: cannot be read ({error})") from error
    if not isinstance(summary, dict):
        raise ResultsError(f"{path}: holds no summary of results")
    return present(summary)
