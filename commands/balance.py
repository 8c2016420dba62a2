"""The commands `fair` and `worth`: settings without a first-player advantage, and card values."""

import json
from typing import Any

import click

from stardeck.benchmarks.fairness.parameters import WRITE
from stardeck.commands.shared.earlier_results import say_if_made_earlier
from stardeck.commands.shared.figures import write_figures
from stardeck.commands.shared.options import (
    AS_JSON,
    COMPILED_AGENT,
    DEVICE,
    FIGURE,
    GAME,
    GAMES_TO_PLAY,
    HONEST,
    ON,
    SEED,
    WORKERS,
    File,
    GameCommand,
    agents_option,
    keeping,
    make_game,
    refusing,
)
from stardeck.commands.shared.printing import say


@click.command(cls=GameCommand, epilog="Example: stardeck fair star_realms --knob authority.1=40:80 --within 0.3")
@GAME
@click.option(
    "--knob", "knobs", multiple=True, required=True, metavar="NAME=LOW:HIGH", help=f"A parameter to vary: {WRITE}."
)
@agents_option("rules", "One agent for all seats, or several with commas, which rotate over the seats.")
@HONEST
@click.option(
    "--within",
    default=0.3,
    show_default=True,
    help="Percentage points that the share of a side may be off, at 95 % confidence.",
)
@click.option(
    "--games", default=4_000_000, show_default=True, type=GAMES_TO_PLAY, help="Most games: the search ends there."
)
@SEED
@click.option("--out", type=File(file_okay=False), help="Folder of results.  [default: results/fair-<variant>/]")
@WORKERS
@ON
@DEVICE
@FIGURE
@AS_JSON
def fair(
    game: str, settings: dict[str, Any], knobs: tuple[str, ...], agents: str, out: str | None,
    figure: tuple[str, ...], as_json: bool, **options: Any,
) -> int:  # fmt: skip
    """Find the setting at which the first player wins no more often than others.

    With one --knob, the side that moves first gets its fair share. With one --knob fewer than there are sides, every
    side gets its fair share. The command writes stretches.parquet, summary.json and fair.png. The same command
    continues an interrupted search, and so does one with a smaller --within. The exit code is 1 if no value in the
    range is fair, or if --games does not suffice.
    """
    played = make_game(game, settings)
    out = out or f"results/fair-{played.id.replace('/', '-')}"
    with keeping(f"the finished part is in {out}"), refusing():
        from stardeck.benchmarks.fairness.search import fair as search
        from stardeck.benchmarks.progress import progress_bar
        from stardeck.commands.shared.tables import print_fair

        with progress_bar("games") as progress:
            summary = search(game, knobs, agents.split(","), out=out, progress=progress, **options, **settings)
    say_if_made_earlier(summary, out)
    write_figures(figure, out)
    say(json.dumps(summary)) if as_json else print_fair(summary, out)
    return 0 if summary["found"] else 1


@click.command(cls=GameCommand, epilog="Example: stardeck worth star_realms --games 12000000 --out results/worth")
@GAME
@COMPILED_AGENT
@click.option(
    "--what",
    metavar="WHAT",
    help="Decision that is randomised. Star Realms: purchases, openings (of the first three turns), scrapping, or"
    " upgrades (Rise of Empire). Empire of the Stars: technologies or powers.  [default: the first of the game]",
)
@click.option(
    "--occasions", type=File(exists=True, dir_okay=False),
    help="File of recorded games: trials of purchases begin where their players bought a card.",
)  # fmt: skip
@click.option("--games", default=1_000_000, show_default=True, type=GAMES_TO_PLAY, help="Number of games.")
@SEED
@click.option("--out", type=File(file_okay=False), help="Folder of results.  [default: results/worth-<variant>/]")
@WORKERS
@ON
@FIGURE
@AS_JSON
def worth(
    game: str, settings: dict[str, Any], agents: str, what: str | None, out: str | None, figure: tuple[str, ...],
    as_json: bool, **options: Any,
) -> None:  # fmt: skip
    """Measure card values by randomised trials.

    Once in every game, chance decides what a player buys, scraps or keeps. A card's value is the difference that this
    makes to the win rate. The command writes trials.parquet, pairs.parquet, summary.json, worth.png and, for purchases,
    worth.toml. The same command continues an interrupted run; with more --games it extends a finished one.
    """
    played = make_game(game, settings)
    out = out or f"results/{what or 'worth'}-{played.id.replace('/', '-')}"
    with keeping(f"the finished part is in {out}"), refusing():
        from stardeck.benchmarks.card_values.measure import worth as try_out
        from stardeck.benchmarks.progress import progress_bar
        from stardeck.commands.shared.tables import print_worth

        with progress_bar("games") as progress:
            summary = try_out(game, agents, out=out, what=what, progress=progress, **options, **settings)
    say_if_made_earlier(summary, out)
    write_figures(figure, out)
    say(json.dumps(summary)) if as_json else print_worth(summary, out)
