"""The command `agreement`: how often agents choose as the players of a folder of games did."""

import json
from pathlib import Path
from typing import Any

import click

from stardeck.commands.shared.figures import write_figures
from stardeck.commands.shared.options import (
    AS_JSON,
    FIGURE,
    GAME,
    File,
    GameCommand,
    agents_option,
    make_game,
    refusing,
)
from stardeck.commands.shared.printing import say


def _names(context: click.Context, parameter: click.Parameter, given: str | None) -> list[str]:
    return [name.strip() for name in given.split(",")] if given else []


@click.command(cls=GameCommand, epilog="Example: stardeck agreement star_realms examples --agents rules,expert")
@GAME
@click.argument("folder", type=File(exists=True, file_okay=False))
@agents_option("rules", "Agents to compare, with commas.")
@click.option("--of", metavar="NAMES", callback=_names, help="Players whose decisions count.  [default: all]")
@click.option("--exclude", metavar="NAMES", callback=_names, help='Players that do not count, such as "Hard AI".')
@click.option(
    "--asked",
    default=25,
    show_default=True,
    type=int,
    help="How often an agent without a policy is asked for each decision.",
)
@click.option("--out", type=File(file_okay=False), help="Folder of results.  [default: results/agreement-<variant>/]")
@FIGURE
@AS_JSON
def agreement(
    game: str, folder: str, agents: str, settings: dict[str, Any], out: str | None, figure: tuple[str, ...],
    as_json: bool, **options: Any,
) -> None:  # fmt: skip
    """Measure how often agents choose as people did in a folder of games.

    FOLDER holds text logs of the Star Realms app, or recorded games (*.jsonl). The command reports the agreement and
    the log likelihood of the players' choices by kind of decision, with 95 % intervals. Forced decisions are left out.
    It names the files that do not count, and the reason.
    """
    from stardeck.benchmarks.agreement import agreement as measure
    from stardeck.benchmarks.progress import progress_bar
    from stardeck.commands.shared.tables import print_agreement

    out = out or f"results/agreement-{make_game(game, settings).id.replace('/', '-')}"
    options["of"] = options["of"] or None
    try:
        with refusing(ValueError, OSError), progress_bar("files") as progress:
            summary = measure(game, folder, agents.split(","), out, progress=progress, **options, **settings)
    except KeyboardInterrupt:
        kept = f"{out} has the report on the files before it" if _is_partial(out) else "no file was finished"
        say(f"interrupted; {kept}", err=True)
        raise click.exceptions.Exit(130) from None
    write_figures(figure, out)
    say(json.dumps(summary)) if as_json else print_agreement(summary, out)


def _is_partial(out):
    """Return true if a report in a folder is of an interrupted run."""
    from stardeck.benchmarks.results.store import last_summary

    return any(one["reason"] == "interrupted" for one in last_summary(Path(out) / "summary.json").get("left_out", []))
