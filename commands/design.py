"""The command `report design`: what designers ask about a variant, as one page."""

import json
from typing import Any

import click

from stardeck.commands.shared.earlier_results import made_earlier
from stardeck.commands.shared.options import (
    AS_JSON,
    GAME,
    GAMES_TO_PLAY,
    ON,
    SEED,
    WORKERS,
    File,
    GameCommand,
    agents_option,
    keeping,
    make_game,
    read_setting,
    refusing,
)
from stardeck.commands.shared.printing import say


def _words(context: click.Context, parameter: click.Parameter, given: str | None) -> list[str] | None:
    return None if given is None else given.split(",")


@click.command(cls=GameCommand, epilog="Example: stardeck report design star_realms --quick")
@GAME
@click.option("--quick", is_flag=True, help="Some minutes: few games, and no searches on the ladder.")
@click.option("--games", type=GAMES_TO_PLAY, help="Budget of each part, in games of rules.  [default: 4000000]")
@click.option("--only", "parts", multiple=True, metavar="PART", help="Only this part; you may repeat the option.")
@agents_option(None, "Agent of all seats where a part does not compare agents; by default the usual one of the game.")
@click.option(
    "--ladder", metavar="LIST", callback=_words,
    help="Agents from the weakest to the strongest, with commas.  [default: those of the package]",
)  # fmt: skip
@click.option(
    "--what-if", "edited", multiple=True, metavar="CHANGE",
    help="Compare with an edited game: the file of a card table, or SETTING=VALUE; you may repeat the option.",
)  # fmt: skip
@click.option(
    "--logs", type=File(exists=True, file_okay=False), help="Folder of logs of people's games: where people stand."
)
@SEED
@click.option(
    "--out", type=File(file_okay=False),
    help="Folder of the report.  [default: results/design-<variant>/; with --quick, results/design-<variant>-quick/]",
)  # fmt: skip
@WORKERS
@ON
@AS_JSON
def design(
    game: str, settings: dict[str, Any], out: str | None, edited: tuple[str, ...], as_json: bool, **options: Any
) -> None:  # fmt: skip
    """Measure what designers and publishers ask about a variant, and write one page.

    The page has the first-player advantage along skill, the smallest change that makes the game fair, drama, skill
    against luck, restricted play and cards. It comes as report.html after each part, with pictures as SVG and all
    numbers as CSV and Parquet, and as report.pdf at the end, if the extra pdf is installed. Finished parts are not
    measured again, and interrupted ones continue. The exit code is 1 if a part failed; the others are measured all the
    same.
    """
    played = make_game(game, settings)
    out = out or f"results/design-{played.id.replace('/', '-')}{'-quick' if options['quick'] else ''}"
    with keeping(f"the finished parts are in {out}"), refusing(ValueError, OSError):
        from stardeck.benchmarks.arena.options import PlayOptions
        from stardeck.benchmarks.design.page import pdf_problem
        from stardeck.benchmarks.design.report import design_report, results_of

        where: PlayOptions = {"workers": options.pop("workers"), "on": options.pop("on")}
        options |= {"agent": options.pop("agents"), "parts": options["parts"] or None}
        changes = _changes(game, edited)
        found = design_report(played, out, _bar, where, edited=changes or None, **options)
    results = list(results_of(found))
    if held := [f"{part.name} ({name}), {date}" for name, part in results if (date := _made_earlier(part))]:
        say(f"not measured again: {'; '.join(held)}", err=True)
    if as_json:
        rows = [
            {"variant": name, "part": part.name, "problem": part.problem}
            | {"estimates": part.summary.get("estimates", [])}
            for name, part in results
        ]
        say(json.dumps(rows))
    for name, part in results:
        if part.problem and not as_json:
            say(f"{part.name} ({name}): not measured: {part.problem}", err=True)
    if not as_json:
        say(f"the page is {out}/report.html")
        if problem := pdf_problem():
            say(f"no report.pdf: {problem}", err=True)
    raise click.exceptions.Exit(int(any(part.failed for _, part in results)))


def _changes(game: str, edited: tuple[str, ...]) -> dict[str, Any]:
    """Return the settings of `--what-if` by name."""
    changes: dict[str, Any] = {}
    for text in edited:
        name, value = read_setting(game, text)
        if name in changes:
            raise click.UsageError(f"--what-if {text}: {name} is given twice")
        changes[name] = value
    return changes


def _made_earlier(part: Any) -> str:
    """Return when a part was measured, if that was before this command, else ""."""
    return made_earlier(part.summary.get("origin", {}))


def _bar(title: str) -> Any:
    """Print the name of a part, and open its progress bar."""
    from stardeck.benchmarks.progress import progress_bar

    say(title, err=True)
    return progress_bar("steps")
