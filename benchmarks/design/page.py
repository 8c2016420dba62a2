"""The page of the designer's report: a self-contained HTML file, the same as PDF, and folders of pictures and data."""

import base64
import csv
import html
import io
import re
import shlex
from collections.abc import Mapping, Sequence
from importlib.util import find_spec
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

from stardeck.benchmarks.arena.variant_options import minimal_settings, option_text
from stardeck.benchmarks.design.catalogue import PARTS
from stardeck.benchmarks.design.comparison import Comparison, as_row, compared, notes, show
from stardeck.benchmarks.design.ladder import plays_alike
from stardeck.benchmarks.design.part import Asked, Shown, Table
from stardeck.benchmarks.design.words import agents_in_words
from stardeck.benchmarks.plots.style import SAVED
from stardeck.benchmarks.results.arrow import pa, pq
from stardeck.benchmarks.results.atomic_files import whole, write_whole
from stardeck.benchmarks.results.provenance import origin
from stardeck.benchmarks.results.words import number_of, variant_in_words
from stardeck.kernels.files import read_text

if TYPE_CHECKING:
    from matplotlib.figure import Figure

    from stardeck.benchmarks.design.report import Compared, PartResult

TEMPLATE = Path(__file__).with_name("page.html")
FINDINGS = 2  # of each part, in the summary
MOST_ROWS = 25  # of a table that are open on the page; it unfolds the others
FEW_MORE = 5  # rows that are not worth unfolding
ROWS_ON_PAPER = 100  # of a table in print; the file has all
CONFIDENCE = "95 %"  # of all intervals: no number of the game
BRACKETS = r"\[[^\[\]]*\d[^\[\]]*\]"
NUMBER = re.compile(rf"(?<!\w)[<+-]?\d+(?:[.,]\d+)*(?:e[+-]?\d+)?(?: %)?(?: {BRACKETS})?|{BRACKETS}")


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

    def open_rows(self, table: Table) -> int:
        """Return the number of rows that are not folded away."""
        count = len(table.rows)
        return count if count <= MOST_ROWS + FEW_MORE else MOST_ROWS


def write_page(folder: Path, variants: Mapping[str, "Compared"], asked: Asked) -> None:
    """Write `report.html`, `data/` and `pictures/` with the parts so far. A PDF of fewer parts goes.

    Args:
        folder: Folder of the report.
        variants: Variants of the report, with their parts.
        asked: Request of the printed variant.
    """
    from jinja2 import Environment, StrictUndefined

    for name in ("data", "pictures"):
        (folder / name).mkdir(exist_ok=True)
    for of_comparison in ("differences.*", "edited-*.csv"):  # perhaps of an earlier page
        for path in (folder / "data").glob(of_comparison):
            path.unlink()
    printed = variants["printed"]
    changes = variants["edited"].changes if "edited" in variants else {}
    sections = [_section(folder, asked, result, changes) for result in printed.parts.values()]
    differences: list[dict[str, Any]] = []
    if "edited" in variants:
        found = compared(printed, variants["edited"])
        differences = [as_row(one) for one in found.differences]
        sections.insert(0, _comparison(folder, variants, asked, found))
    _write_estimates(folder, variants, differences)
    environment = Environment(autoescape=True, undefined=StrictUndefined, trim_blocks=True, lstrip_blocks=True)
    environment.filters["marked"] = marked
    template = environment.from_string(read_text(TEMPLATE))
    page = template.render(
        title=variant_in_words(printed.game.id), sections=sections, origin=origin(), asked=asked,
        summary=[(one.name, text) for one in sections for text in one.findings[:FINDINGS]], paper=ROWS_ON_PAPER,
        left=[name for name in PARTS if name not in printed.parts], caption=caption,
        agents=agents_in_words([*asked.ladder, asked.agent]),
    )  # fmt: skip
    write_whole(folder / "report.html", page)
    (folder / "report.pdf").unlink(missing_ok=True)


def _section(folder: Path, asked: Asked, result: "PartResult", changes: Mapping[str, Any]) -> Section:
    part = PARTS[result.name]
    if result.problem:
        return Section(part.name, part.title, part.question, [], [], [], [], "", [], [], result.problem)
    shown = part.show(result.summary)
    made = result.summary["origin"]
    details = [
        f"Stardeck {made['version']}, {made['date']}, {made['machine']}",
        f"seed {asked.seed}, a budget of {number_of(asked.games, 'game')}, {result.summary['seconds']:.0f} seconds",
    ]
    return _shown(folder, part.name, part.title, part.question, shown)._replace(
        whole=_own_command(asked, [part.name], changes), commands=result.summary["commands"], details=details
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


def _own_command(asked: Asked, parts: Sequence[str], changes: Mapping[str, Any]) -> str:
    """Return the command of the report that measures some parts again; "" if only a call of Python can.

    Args:
        asked: What the parts measured.
        parts: Their names.
        changes: Settings of the edited variant that differ from the printed one.
    """
    settings = minimal_settings(asked.game)
    if any(isinstance(value, dict) for value in (*settings.values(), *changes.values())):
        return ""  # a table that came as data
    words = ["stardeck", "report", "design", asked.game.variant.game]
    words += [word for name, value in settings.items() for word in (f"--{name.replace('_', '-')}", option_text(value))]
    words += [word for part in parts for word in ("--only", part)] if len(parts) < len(PARTS) else []
    words += ["--games", str(asked.games), "--agents", asked.agent, "--ladder", ",".join(asked.ladder)]
    words += [word for name, value in changes.items() for word in ("--what-if", f"{name}={option_text(value)}")]
    words += [] if asked.logs is None else ["--logs", str(asked.logs)]
    return shlex.join([*words, "--seed", str(asked.seed)])


def _comparison(folder: Path, variants: Mapping[str, "Compared"], asked: Asked, found: Comparison) -> Section:
    """Return the section that compares the edited variant with the printed one."""
    printed, edited = variants["printed"], variants["edited"]
    problems = [
        f"Part {one.name} of the {name} game is not measured: {one.problem}."
        for name, variant, other in (("edited", edited, printed), ("printed", printed, edited))
        for one in variant.parts.values()
        if one.problem and not other.parts[one.name].problem
    ]
    title = f"What if: {variant_in_words(edited.game.id)}"
    question = f"What would the edited game change{', on the same deals' if found.paired else ''}?"
    section = _shown(folder, "edited", title, question, show(found, problems))
    how = [f"Both games have the same seed and the same ladder: {', '.join(asked.ladder)}.", *notes(found)]
    agents, games = dict.fromkeys([*asked.ladder, asked.agent]), (printed.game, edited.game)
    how += [f"{one} is not the same agent in both." for one in agents if not plays_alike(one, games)]
    command = _own_command(asked, list(printed.parts), edited.changes)
    return section._replace(whole=command, details=[" ".join(how)])


def _write_estimates(folder: Path, variants: Mapping[str, "Compared"], differences: list[dict[str, Any]]) -> None:
    rows = [
        {"variant": name, "part": part.name} | {key: value for key, value in one._asdict().items() if key != "blocks"}
        for name, variant in variants.items() for part in variant.parts.values() for one in part.estimates
    ]  # fmt: skip
    for file, held in (("estimates", rows), ("differences", differences)):
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

    parts = text.split("`")  # a digit in the name of an agent is no number
    numbers = [number for part in parts[::2] for number in _numbers(part)] if link else []
    written = "".join(
        f"<code>{html.escape(part)}</code>" if place % 2 else _written(part, bool(link))
        for place, part in enumerate(parts)
    )
    return Markup(f'<a class="number" href="#{html.escape(link)}">{written}</a>' if numbers else written)


def _numbers(text: str) -> list[re.Match[str]]:
    return [found for found in NUMBER.finditer(text) if found[0] != CONFIDENCE]


def _written(text: str, underlined: bool) -> str:
    """Return a text as HTML; its numbers are underlined if they lead somewhere."""
    written, at = "", 0
    for found in _numbers(text) if underlined else ():
        written += f"{html.escape(text[at : found.start()])}<span>{html.escape(found[0])}</span>"
        at = found.end()
    return written + html.escape(text[at:])


def caption(text: str) -> str:
    """Return the first line of the text of a picture. The rest, its numbers, is for those who do not see it."""
    return text.partition("\n")[0]


def write_pdf(folder: Path) -> None:
    """Write the page as PDF, unless `pdf_problem` says why there is none.

    Args:
        folder: Folder of the report, with its page.
    """
    if pdf_problem():
        return
    from weasyprint import HTML

    with whole(folder / "report.pdf") as written:
        HTML(string=read_text(folder / "report.html")).write_pdf(str(written))


def pdf_problem() -> str:
    """Return why no page can become a PDF here, such as a missing extra or library of the system; "" if one can."""
    import logging

    if not find_spec("weasyprint"):
        return "weasyprint: not installed; pip install 'stardeck[pdf]'"
    logging.getLogger("weasyprint").setLevel(logging.ERROR)  # it warns of every property for screens
    logging.getLogger("fontTools").setLevel(logging.ERROR)
    try:
        import weasyprint  # noqa: F401
    except OSError as error:  # Pango is missing
        return str(error).splitlines()[0]
    return ""
