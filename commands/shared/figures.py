"""Figures that `--figure` asks for."""

from pathlib import Path

from stardeck.commands.shared.options import refusing


def write_figures(wanted: tuple[str, ...], results: str | Path) -> list[str]:
    """Write the figure of a folder of results in every wanted format, and return the names of the files.

    Args:
        wanted: Formats, or names of files; may be empty.
        results: The folder, or its URL.
    """
    if not wanted:
        return []
    with refusing(ValueError, OSError):
        from stardeck.benchmarks import plots

        return plots.write_figures(results, wanted)
