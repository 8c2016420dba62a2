"""The command `report`: one page of results from a declared list of measurements."""

from pathlib import Path
from typing import Any

import click

from stardeck.commands.shared.figures import write_figures
from stardeck.commands.shared.options import FIGURE_FORMATS, GAMES_TO_PLAY, ON, WORKERS, File, keeping, refusing
from stardeck.commands.shared.printing import say


class WithDesign(click.Command):
    """The command `report`, whose first word may be `design`: that is a command of its own."""

    def make_context(
        self, info_name: str | None, args: list[str], parent: click.Context | None = None, **extra: Any
    ) -> click.Context:
        """Return the context of the command that the first word names."""
        if args[:1] == ["design"]:
            from stardeck.commands.design import design

            return design.make_context(f"{info_name} design", args[1:], parent, **extra)
        return super().make_context(info_name, args, parent, **extra)


@click.command(cls=WithDesign, epilog="Example: stardeck report --out results/report --only core")
@click.argument("declared", required=False, type=File(exists=True, dir_okay=False), metavar="[FILE]")
@click.option(
    "--out", default="results/report", show_default=True, type=File(file_okay=False), help="Folder of the report."
)
@click.option("--only", multiple=True, metavar="TABLE", help="Only this table; you may repeat the option.")
@click.option("--games", type=GAMES_TO_PLAY, help="Most games of each measurement, for a quick report.")
@click.option(
    "--put-into", "manuals", multiple=True, type=File(exists=True, dir_okay=False),
    help="Markdown file whose marked tables are replaced by the measured ones; you may repeat the option.",
)  # fmt: skip
@WORKERS
@ON
@FIGURE_FORMATS
def report(
    declared: str | None,
    out: str,
    only: tuple[str, ...],
    games: int | None,
    manuals: tuple[str, ...],
    figure: tuple[str, ...],
    **where: Any,
) -> int:
    """Run the measurements that FILE declares, and write report.html and tables.md.

    FILE is TOML; the default is benchmarks/report.toml. Finished measurements do not run again, and interrupted ones
    continue. The page shows which measurements failed; the others run all the same. The exit code is 1 if any failed.

    `stardeck report design GAME` writes another report: what designers of games ask about one variant.
    """
    with refusing(ValueError, OSError):
        from stardeck.benchmarks.plots import FORMATS
        from stardeck.benchmarks.report.measured import run
        from stardeck.benchmarks.report.page import write_page
        from stardeck.benchmarks.results.filesystems import folder_here
        from stardeck.kernels.files import read_text

        if names := [name for name in figure if name not in FORMATS]:
            raise ValueError(f"--figure {names[0]}: must be {', '.join(FORMATS)}: a report has many figures")
        folder = folder_here(out)
        asked = _asked(declared, only)
        for manual in manuals:  # an unreadable file must fail before hours of measurements
            read_text(manual)
        waiting = [one for table in asked.tables for row in table.rows for one in row.measurements]
        measured = {}
        with keeping(f"the finished part is in {out}"):
            for result in run(waiting, folder, _bar(len(waiting)), games, **where):
                measured[result.measurement.folder] = result
                if result.problem:
                    say(f"{result.measurement.folder}: {result.problem}", err=True)
                else:
                    write_figures(figure, result.folder)
                write_page(asked, measured, result, folder, games, figure)
        _update(manuals, asked, measured)
    failed = sum(bool(result.problem) for result in measured.values())
    say(f"{len(measured) - failed} of {len(waiting)} measurements; the page is {out}/report.html")
    raise click.exceptions.Exit(int(failed > 0))


def _asked(declared, only):
    """Return the declared report with the named tables, by default with all."""
    from stardeck.benchmarks.report.declared import DEFAULT_REPORT, Report, read_report

    whole = read_report(declared or DEFAULT_REPORT)
    known = [table.name for table in whole.tables]
    if unknown := [name for name in only if name not in known]:
        raise ValueError(f"--only {unknown[0]}: must be among {', '.join(known)}")
    return Report(whole.title, [table for table in whole.tables if not only or table.name in only])


def _update(manuals, report, measured):
    """Replace the marked tables in manuals."""
    from stardeck.benchmarks.report.tables import put_into, render
    from stardeck.kernels.files import read_text

    for manual in manuals:
        tables = [render(table, measured) for table in report.tables]
        Path(manual).write_text(put_into(read_text(manual), tables), encoding="utf-8")


def _bar(count):
    """Return a function that prints the name and number of a measurement, and opens a progress bar for it."""
    from stardeck.benchmarks.progress import progress_bar

    numbers = iter(range(1, count + 1))

    def bar(name):
        say(f"{next(numbers)} of {count}: {name}", err=True)
        return progress_bar("games")

    return bar
