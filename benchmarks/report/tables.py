"""Tables of a report: results in words, with headings; and as Markdown, between marks in a manual."""

import re
from collections.abc import Iterable
from typing import NamedTuple

from stardeck.benchmarks.arena.variant_options import option_text
from stardeck.benchmarks.report.cells import CELLS
from stardeck.benchmarks.report.declared import Table
from stardeck.benchmarks.report.measured import Result
from stardeck.benchmarks.results.words import number_of

BEGIN = "<!-- table {name}: stardeck report -->"
END = "<!-- end of {name} -->"
MARKED = re.compile(r"<!-- table (?P<name>[\w-]+): stardeck report -->\n.*?<!-- end of (?P=name) -->", re.S)

HEADINGS = {"knobs": "parameter"}  # headings of labels, where they differ from the keys of a declaration


class RenderedTable(NamedTuple):
    """A table of words."""

    name: str
    headings: list[str]
    rows: list[list[str]]


def render(table: Table, measured: dict[str, Result]) -> RenderedTable:
    """Return a table of results; failed and missing measurements are marked.

    Args:
        table: The declaration.
        measured: Results by folder.
    """
    labels = list(dict.fromkeys(key for row in table.rows for key in row.label if key != "games"))
    cells = [CELLS[table.kind][column] for column in table.columns]
    if table.across is None:
        headings = [heading for heading, _ in cells]
    else:
        headings = [f"{table.across[0].replace('_', ' ')} {option_text(value)}" for value in table.across[1]]
        cells = cells[:1]
    rows = []
    for row in table.rows:
        cells_of_row = [_label(key, row, measured) for key in labels]
        for measurement in row.measurements:
            cells_of_row += _words(measured.get(measurement.folder), cells)
        rows.append(cells_of_row)
    return RenderedTable(table.name, [_heading(label) for label in labels] + headings, rows)


def _heading(key):
    return HEADINGS.get(key, key.replace("_", " "))


def _label(key, row, measured):
    """Return the text of a row's label, with the number of games if the row sets it."""
    if key not in row.label:
        return ""
    value = row.label[key]
    values = value if isinstance(value, list) else [value]
    text = ", ".join(f"`{option_text(one)}`" if isinstance(one, str) else option_text(one) for one in values)
    found = measured.get(row.measurements[0].folder)
    if key == "agents" and "games" in row.label and found and found.summary:
        return f"{text}, {number_of(found.summary['games'], 'game')}"
    return text


def _words(measured, cells):
    if measured is None:
        return ["not measured yet"] * len(cells)
    if measured.problem:
        return [f"failed: {measured.problem}"] * len(cells)
    return [words(measured.summary) for _, words in cells]


def as_markdown(table: RenderedTable) -> str:
    """Return a table as Markdown."""
    lines = [table.headings, ["---"] * len(table.headings), *table.rows]
    return "".join(f"| {' | '.join(cell.replace('|', chr(92) + '|') for cell in line)} |\n" for line in lines)


def marked(table: RenderedTable) -> str:
    """Return a table as Markdown between the marks that `put_into` looks for."""
    return f"{BEGIN.format(name=table.name)}\n{as_markdown(table)}{END.format(name=table.name)}"


def put_into(text: str, tables: Iterable[RenderedTable]) -> str:
    """Replace the marked tables of a text; marks of other tables stay as they are.

    Args:
        text: Markdown text.
        tables: Tables to insert.
    """
    found = {table.name: table for table in tables}
    return MARKED.sub(lambda match: marked(found[match["name"]]) if match["name"] in found else match[0], text)
