"""Figures of results. `stardeck.plots` has the same functions for users; commands write the files."""

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from stardeck.benchmarks.plots.agreement import agreement
from stardeck.benchmarks.plots.card_values import worth
from stardeck.benchmarks.plots.fairness import fair, fair_curves
from stardeck.benchmarks.plots.ladder import by_rating, is_explained, league, scores
from stardeck.benchmarks.plots.learning_curve import training
from stardeck.benchmarks.plots.learning_track import learning
from stardeck.benchmarks.plots.rates import advantage, exploit
from stardeck.benchmarks.plots.skill import skill
from stardeck.benchmarks.plots.source import FORMATS, check_wanted, save, write
from stardeck.benchmarks.plots.style import COLUMN, shortened
from stardeck.benchmarks.results.kinds import kind_of
from stardeck.benchmarks.results.summaries import read_summary

if TYPE_CHECKING:
    from matplotlib.figure import Figure

__all__ = [
    "COLUMN", "FORMATS", "advantage", "agreement", "by_rating", "check_wanted", "draw", "exploit", "fair",
    "fair_curves", "is_explained", "league", "learning", "save", "scores", "shortened", "skill", "training", "worth",
    "write", "write_figures",
]  # fmt: skip

FIGURES = {  # name of the file, and function, by kind of results
    "first-player advantage": ("advantage", advantage),
    "league": ("league", league),
    "fair settings": ("fair", fair),
    "worth of cards": ("worth", worth),
    "training": ("learning_curve", training),
    "learning track": ("learning_curve", learning),
    "exploitability": ("exploit", exploit),
    "agreement with players": ("agreement", agreement),
}


def draw(folder: Any, *, width: float = COLUMN, style: Any = None) -> "Figure":
    """Draw the figure of a folder of results, of any kind that has one.

    Args:
        folder: Folder of results, or its URL.
        width: Width in inches.
        style: Matplotlib style laid over that of the package.

    Raises:
        ValueError: The folder holds no results that have a figure.
    """
    return _figure_of(folder)[1](folder, width=width, style=style)


def write_figures(folder: Any, wanted: Sequence[str]) -> list[str]:
    """Write the figure of a folder of results, and return the names of the files.

    Args:
        folder: Folder of results, or its URL.
        wanted: Formats, or names of files, as `check_wanted` returns them.

    Raises:
        ValueError: The folder holds no results that have a figure.
        OSError: A file cannot be written.
    """
    from stardeck.benchmarks.results.filesystems import place

    name, function = _figure_of(folder)
    return write(function(folder), place(folder), name, wanted)


def _figure_of(folder):
    kind = kind_of(read_summary(folder))
    if kind not in FIGURES:
        raise ValueError(f"{folder}: holds results without a figure ({kind}); figures show {', '.join(FIGURES)}")
    return FIGURES[kind]
