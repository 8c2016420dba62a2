"""Summaries that figures are drawn from, and files that figures are written to."""

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

from stardeck.benchmarks.plots.style import SAVED
from stardeck.benchmarks.results.atomic_files import whole
from stardeck.benchmarks.results.filesystems import Place, place
from stardeck.benchmarks.results.kinds import kind_of
from stardeck.benchmarks.results.summaries import read_summary
from stardeck.kernels.errors import shown

if TYPE_CHECKING:
    from matplotlib.figure import Figure

FORMATS = ("pdf", "svg", "png")
DPI = 300

Source = str | Path | Place | Mapping[str, Any]


def summary_of(source: Any, kind: str) -> Mapping[str, Any]:
    """Return the summary of a folder, or a summary as it is.

    Args:
        source: Folder of results, its URL, or a summary.
        kind: Kind that the figure needs.

    Raises:
        ValueError: The results are of another kind, or have no games.
    """
    summary = source if isinstance(source, Mapping) else read_summary(source)
    found = kind_of(summary)
    if found != kind:
        where = "the summary" if isinstance(source, Mapping) else str(source)
        raise ValueError(f"{where}: holds results of another kind ({found}); this figure shows {kind}")
    return summary


def save(figure: "Figure", path: str | Path | Place) -> None:
    """Write a figure; its format is that of the file name, and a failure leaves no partial file.

    Args:
        figure: The figure.
        path: File to write, which ends in .pdf, .svg or .png.
    """
    import matplotlib

    kind = str(path).rpartition(".")[2].lower()
    if kind not in FORMATS:
        raise ValueError(f"{path}: must end in {_allowed('.')}")
    date = {"pdf": {"CreationDate": None}, "svg": {"Date": None}}.get(kind)  # not the time of drawing
    with whole(path) as unfinished, matplotlib.rc_context(SAVED):
        figure.savefig(unfinished, dpi=DPI, format=kind, metadata=date)


def check_wanted(text: str) -> tuple[str, ...]:
    """Return formats or names of files, as `pdf,svg` or `paper/first.pdf`.

    Args:
        text: The list, with commas.

    Raises:
        ValueError: A part is no format and no name of a file in an existing folder.
    """
    wanted = tuple(part.strip() for part in text.split(","))
    for part in wanted:
        if part in FORMATS:
            continue
        path = Path(part)
        if path.suffix[1:].lower() not in FORMATS or not path.stem:
            raise ValueError(f"{shown(part)}: must be {_allowed()}, or the name of a file that ends in one of them")
        if not path.parent.is_dir():
            raise ValueError(f"{shown(part)}: there is no folder {shown(str(path.parent))}")
        if path.is_dir():
            raise ValueError(f"{shown(part)}: is a folder")
    return wanted


def _allowed(before=""):
    *first, last = (before + name for name in FORMATS)
    return f"{', '.join(first)} or {last}"


def write(figure: "Figure", folder: str | Path | Place, name: str, wanted: Sequence[str]) -> list[str]:
    """Write a figure in every wanted format, and return the names of the files.

    Args:
        figure: The figure.
        folder: Folder of the results.
        name: Name of the file in that folder, without its format.
        wanted: Formats and names of files, as `check_wanted` returns them.
    """
    base = place(folder)
    paths = [base / f"{name}.{each}" if each in FORMATS else Path(each) for each in wanted]
    for path in paths:
        save(figure, path)
    return list(map(str, paths))
