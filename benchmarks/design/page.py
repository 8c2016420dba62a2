"""The page of the designer's report: a self-contained HTML file, the same as PDF, and folders of pictures and data."""

import base64
import csv
import html
import io
import re
import shlex
import warnings
from collections.abc import Mapping, Sequence
from importlib.util import find_spec
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

from stardeck.benchmarks.arena.variant_options import minimal_settings, option_text
from stardeck.benchmarks.design.catalogue import PARTS
from stardeck.benchmarks.design.comparison import Difference, as_row, clearest, compared
from stardeck.benchmarks.design.part import Asked, Shown, Table
from stardeck.benchmarks.design.words import amount, corrected_chance, with_interval
from stardeck.benchmarks.plots.style import SAVED
from stardeck.benchmarks.results.arrow import pa, pq
from stardeck.benchmarks.results.atomic_files import whole, write_whole
from stardeck.benchmarks.results.provenance import origin
from stardeck.benchmarks.results.words import variant_in_words
from stardeck.kernels.files import read_text

if TYPE_CHECKING:
    from matplotlib.figure import Figure

    from stardeck.benchmarks.design.report import Compared, PartResult

TEMPLATE = Path(__file__).with_name("page.html")
FINDINGS = 2  # of each part, in the summary
PAIRED = "A number that is a mean over deals is compared deal by deal, so its interval is that of the differences."
MOST_ROWS = 25  # of a table on the page; the file has all


class Section(NamedTuple):
    """A part as the page shows it."""

    name: str
    title: str
    question: str
    findings: Sequence[str]
    tables: Sequence[Table]
    files: Sequence[str]  # CSV file of each table
    pictures: Sequence[tuple[str, str, str]]  # file, data URL, text
    whole: str  # command of the report that measures this part again
    commands: Sequence[str]
    details: Sequence[str]
    problem: str

    def command_of(self, table: Table, row: int) -> str:
        """Return the place on the page that says how a row was measured."""
        if not table.commands or not self.commands[table.commands[row]]:
            return f"how-{self.name}"
        return f"how-{self.name}-{table.commands[row]}"


def write_page(folder: Path, variants: Mapping[str, "Compared"], asked: Asked) -> None:
    """Write `report.html`, `report.pdf`, `data/` and `pictures/` with the parts so far.

    Args:
        folder: Folder of the report.
        variants: Variants of the report, with their parts.
        asked: Request of the printed variant.
    """
    from jinja2 import Environment, StrictUndefined

    for name in ("data", "pictures"):
        (folder / name).mkdir(exist_ok=True)
    printed = variants["printed"]
    changes = variants["edited"].changes if "edited" in variants else {}
    sections = [_section(folder, asked, result, changes) for result in printed.parts.values()]
    differences = _differences(variants)
    if "edited" in variants:
        sections.insert(0, _comparison(folder, variants, differences))
    _write_estimates(folder, variants, differences)
    environment = Environment(autoescape=True, undefined=StrictUndefined, trim_blocks=True, lstrip_blocks=True)
    environment.filters["marked"] = marked
    template = environment.from_string(read_text(TEMPLATE))
    page = template.render(
        title=variant_in_words(printed.game.id), sections=sections, origin=origin(), asked=asked,
        summary=[(one.name, text) for one in sections for text in one.findings[:FINDINGS]], most=MOST_ROWS,
        left=[name for name in PARTS if name not in printed.parts], caption=caption,
    )  # fmt: skip
    write_whole(folder / "report.html", page)
    _write_pdf(folder / "report.pdf", page)


def _section(folder: Path, asked: Asked, result: "PartResult", changes: Mapping[str, Any]) -> Section:
    part = PARTS[result.name]
    if result.problem:
        return Section(part.name, part.title, part.question, [], [], [], [], "", [], [], result.problem)
    shown = part.show(result.summary)
    made = result.summary["origin"]
    details = [
        f"Stardeck {made['version']}, {made['date']}, {made['machine']}",
        f"seed {asked.seed}, a budget of {asked.games:,} games, {result.summary['seconds']:.0f} seconds",
    ]
    return _shown(folder, part.name, part.title, part.question, shown)._replace(
        whole=_own_command(asked, part.name, changes), commands=result.summary["commands"], details=details
    )


def _shown(folder: Path, name: str, title: str, question: str, shown: Shown) -> Section:
    files = []
    for number, table in enumerate(shown.tables, 1):
        files.append(f"data/{name}-{number}.csv")
        write_whole(folder / files[-1], _as_csv(table))
    pictures = [_picture(folder, f"pictures/{at}.svg", text, figure) for at, text, figure in shown.pictures]
    return Section(name, title, question, shown.findings, shown.tables, files, pictures, "", [], [], "")


def _as_csv(table: Table) -> str:
    text = io.StringIO()
    writer = csv.writer(text, lineterminator="\n")
    writer.writerows([[cell.replace("`", "") for cell in row] for row in (table.columns, *table.rows)])
    return text.getvalue()


def _picture(folder: Path, file: str, text: str, figure: "Figure") -> tuple[str, str, str]:
    import matplotlib

    drawn = io.StringIO()
    with matplotlib.rc_context(SAVED):
        figure.savefig(drawn, format="svg", metadata={"Date": None})
    write_whole(folder / file, drawn.getvalue())
    return file, "data:image/svg+xml;base64," + base64.b64encode(drawn.getvalue().encode()).decode(), text


def _own_command(asked: Asked, part: str, changes: Mapping[str, Any]) -> str:
    """Return the command of the report that measures this part again.

    Args:
        asked: What the part measured.
        part: Its name.
        changes: Settings of the edited variant that differ from the printed one.
    """
    settings = minimal_settings(asked.game)
    if any(isinstance(value, dict) for value in (*settings.values(), *changes.values())):
        return ""  # a table that came as data
    words = ["stardeck", "report", "design", asked.game.variant.game]
    words += [word for name, value in settings.items() for word in (f"--{name.replace('_', '-')}", option_text(value))]
    words += ["--only", part, "--games", str(asked.games), "--agents", asked.agent, "--ladder", ",".join(asked.ladder)]
    words += [word for name, value in changes.items() for word in ("--what-if", f"{name}={option_text(value)}")]
    words += [] if asked.logs is None else ["--logs", str(asked.logs)]
    return shlex.join([*words, "--seed", str(asked.seed)])


def _differences(variants: Mapping[str, "Compared"]) -> list[Difference]:
    if "edited" not in variants:
        return []
    printed, edited = (
        {name: part.estimates for name, part in variants[one].parts.items()} for one in ("printed", "edited")
    )
    return compared(printed, edited)


def _comparison(folder: Path, variants: Mapping[str, "Compared"], found: list[Difference]) -> Section:
    """Return the section that compares the edited variant with the printed one."""
    rows = [
        [one.printed.label, one.printed.unit, amount(one.printed.value, 2), amount(one.edited.value, 2),
         with_interval(one.apart._asdict(), 2, True), corrected_chance(one.q)]
        for one in found
    ]  # fmt: skip
    columns = ["number", "unit", "printed", "edited", "difference", "q"]
    texts = [_change_in_words(one) for one in clearest(found, 5)]
    lost = [one for one in variants["edited"].parts.values() if one.problem]
    texts += [
        f"Part {one.name} of the edited game is not measured: {one.problem}."
        for one in lost
        if not variants["printed"].parts[one.name].problem
    ]
    if not texts:
        texts = ["No number of the edited game differs from the printed one so that it can be distinguished."]
    title = f"What if: {variant_in_words(variants['edited'].game.id)}"
    question = "What would the edited game change, on the same deals?"
    section = _shown(folder, "edited", title, question, Shown(texts, [Table("Printed and edited", columns, rows)]))
    how = "Both games were measured by the commands of the parts below, with the same seed."
    corrected = "q is corrected for all rows (Benjamini and Hochberg)."
    return section._replace(details=[f"{how} {PAIRED} {corrected}"])


def _change_in_words(one: Difference) -> str:
    before, after = (amount(estimate.value, 1) for estimate in (one.printed, one.edited))
    apart = with_interval(one.apart._asdict(), 1, True)
    unit = f" {one.printed.unit}" if one.printed.unit else ""
    return f"In the edited game, {one.printed.label}: {after}{unit}, not {before} ({apart})."


def _write_estimates(folder: Path, variants: Mapping[str, "Compared"], differences: list[Difference]) -> None:
    rows = [
        {"variant": name, "part": part.name} | {key: value for key, value in one._asdict().items() if key != "blocks"}
        for name, variant in variants.items() for part in variant.parts.values() for one in part.estimates
    ]  # fmt: skip
    for file, held in (("estimates", rows), ("differences", [as_row(one) for one in differences])):
        if not held:
            continue
        table = pa.Table.from_pylist(held)
        with whole(folder / "data" / f"{file}.parquet") as path:
            pq.write_table(table, path)
        text = io.StringIO()
        writer = csv.DictWriter(text, list(held[0]), lineterminator="\n")
        writer.writeheader()
        writer.writerows(held)
        write_whole(folder / "data" / f"{file}.csv", text.getvalue())


def marked(text: str, link: str = "") -> Any:
    """Return a text for the page: words between backquotes as code, and a link where it has a number.

    Args:
        text: The text.
        link: Place on the page that says how the number was made; "" for no link.
    """
    from markupsafe import Markup

    parts = html.escape(text).split("`")
    written = "".join(f"<code>{part}</code>" if number % 2 else part for number, part in enumerate(parts))
    if link and re.search(r"\d", "".join(text.split("`")[::2])):  # a digit in the name of an agent is no number
        return Markup(f'<a class="number" href="#{html.escape(link)}">{written}</a>')
    return Markup(written)


def caption(text: str) -> str:
    """Return the first line of the text of a picture. The rest, its numbers, is for those who do not see it."""
    return text.partition("\n")[0]


def _write_pdf(path: Path, page: str) -> None:
    """Write the page as PDF, where the extra `pdf` and the libraries of the system that it needs are installed."""
    import logging

    if not find_spec("weasyprint"):
        return
    logging.getLogger("weasyprint").setLevel(logging.ERROR)  # it warns of every property for screens
    logging.getLogger("fontTools").setLevel(logging.ERROR)
    try:
        from weasyprint import HTML
    except OSError as error:  # Pango is missing
        path.unlink(missing_ok=True)
        warnings.warn(f"no report.pdf: {str(error).splitlines()[0]}", stacklevel=2)
        return
    with whole(path) as written:
        HTML(string=page).write_pdf(str(written))
