"""The page of a report: one self-contained HTML file, for offline reading and for print."""

import base64
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from stardeck.benchmarks import plots
from stardeck.benchmarks.report.declared import Report, Table
from stardeck.benchmarks.report.measured import Result, cut_to
from stardeck.benchmarks.report.tables import as_markdown, render
from stardeck.benchmarks.results.atomic_files import write_whole
from stardeck.benchmarks.results.citation import citation
from stardeck.benchmarks.results.provenance import origin
from stardeck.benchmarks.results.store import ResultsError
from stardeck.kernels.files import read_bytes

CURVES = "curves"  # figure of a table of searches, in its folder
TEMPLATE = Path(__file__).with_name("page.html")


def write_page(
    report: Report, measured: dict[str, Result], newest: Result, out: Path, games: int | None = None,
    formats: Sequence[str] = (),
) -> None:  # fmt: skip
    """Write `report.html` and `tables.md` with the results so far.

    Args:
        report: The declaration.
        measured: Results by folder.
        newest: The last result; the plot of its table is drawn again.
        out: Folder of the report.
        games: Most games of each measurement, or None for no limit.
        formats: Formats of figures besides PNG.
    """
    from jinja2 import Environment, StrictUndefined

    for table in report.tables:
        if table.kind == "fair" and newest in _results_of(table, measured):
            _draw_curves(table, measured, out, formats)
    rendered = [render(table, measured) for table in report.tables]
    sections = [
        {
            "table": table,
            "rendered": words,
            "details": _details(table, measured),
            "pictures": _pictures(table, measured, out),
        }
        for table, words in zip(report.tables, rendered, strict=True)
    ]
    environment = Environment(autoescape=True, undefined=StrictUndefined, trim_blocks=True, lstrip_blocks=True)
    template = environment.from_string(TEMPLATE.read_text(encoding="utf-8"))
    counted = {
        "done": sum(not found.problem for found in measured.values()),
        "failed": sum(bool(found.problem) for found in measured.values()),
        "declared": sum(len(row.measurements) for table in report.tables for row in table.rows),
    }
    cut = cut_to(games, {table.kind for table in report.tables})
    page = template.render(report=report, sections=sections, origin=origin(), counted=counted, cut=cut)
    write_whole(out / "report.html", page)
    texts = (f"## {table.title}\n\n{as_markdown(words)}" for table, words in zip(report.tables, rendered, strict=True))
    write_whole(out / "tables.md", f"# {report.title}\n\n" + "\n".join(texts))


def _results_of(table: Table, measured):
    """Return the results of a table, in its order."""
    folders = (one.folder for row in table.rows for one in row.measurements)
    return [measured[folder] for folder in folders if folder in measured]


def _details(table, measured) -> list[dict[str, Any]]:
    """Return the command and the provenance of each result."""
    return [_detail(found) for found in _results_of(table, measured) if not found.problem]


def _detail(found):
    try:
        cited = citation(found.folder)
    except ResultsError:
        cited = {}
    return {
        "name": found.measurement.name,
        "command": cited.get("reproduce", found.summary["origin"]["command"]),
        "version": found.summary["origin"]["version"],
        "date": found.summary["origin"]["date"],
        "machine": found.summary["origin"]["machine"],
        "tables": found.summary["tables"],
        "identities": ", ".join(found.summary.get("identities", [])),
        "hashes": found.hashes(),
        "show": _show(found),
    }


def _show(found):
    """Return the command that prints a game of a measurement; "" if it keeps no games."""
    if not (found.folder / "games.parquet").exists():
        return ""
    matches = found.summary.get("cross_table", [])
    match = f" --match '{' vs '.join(matches[0]['agents'])}'" if matches else ""
    return f"stardeck show '{found.measurement.folder}' --game 0{match}"


def _pictures(table, measured, out):
    """Return the figures of a table as data URLs: its response curves, or else the figures of its measurements."""
    if table.kind == "fair":
        paths = [out / table.name / f"{CURVES}.png"]
        return [_shown(path, table.title) for path in paths if _answered(table, measured) and path.exists()]
    drawn = ((one, path) for one in _results_of(table, measured) for path in sorted(one.folder.glob("*.png")))
    return [_shown(path, f"{one.measurement.name}: {path.stem}") for one, path in drawn]


def _shown(path, text):
    data = base64.b64encode(read_bytes(path)).decode()
    return {"source": f"data:image/png;base64,{data}", "text": text}


def _answered(table, measured):
    """Return the searches for one parameter that have an answer: the name in the plot and the summary of each.

    With several parameters, none of them alone says how far a side is from its fair share: such a curve shows nothing.
    """
    found = []
    for row in table.rows:
        name = ", ".join(_label(key, value) for key, value in row.label.items() if key != "knobs")
        summaries = (measured[one.folder].summary for one in row.measurements if one.folder in measured)
        found += [(name or table.title, summary) for summary in summaries
                  if summary.get("found") and len(summary["answer"]) == 1]  # fmt: skip
    return found


def _label(key, value):
    if key == "players":
        return f"{value} players"
    return str(value) if key == "agents" else str(value).replace("_", " ")


def _draw_curves(table, measured, out, formats):
    if found := _answered(table, measured):
        figure = plots.fair_curves(table.title, found)
        plots.write(figure, out / table.name, CURVES, ["png", *(name for name in formats if name != "png")])
