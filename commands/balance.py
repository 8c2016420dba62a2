"""`stardeck fair` and `stardeck worth`: what would make a game fair, and what cards are worth."""

import json
from typing import Any

import click

from stardeck.benchmarks.fairness.parameters import WRITE
from stardeck.commands.shared.options import (
    AS_JSON,
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
@click.option("--knob", "knobs", multiple=True, required=True, metavar="KNOB", help=f"What is turned: {WRITE}.")
@agents_option("rules", "One agent, or several with commas, rotated over the seats.")
@HONEST
@click.option("--within", default=0.3, show_default=True, help="Percentage points that a share may be off, at 95 %.")
@click.option("--games", default=4_000_000, show_default=True, type=GAMES_TO_PLAY, help="Most games.")
@SEED
@click.option("--out", type=File(file_okay=False), help="Folder of results.  [default: results/fair-<variant>/]")
@WORKERS
@ON
@AS_JSON
def fair(
    game: str, settings: dict[str, Any], knobs: tuple[str, ...], agents: str, out: str | None, as_json: bool,
    **options: Any,
) -> int:  # fmt: skip
    """Find the setting at which the first player wins no more often than others.

    With one knob the side that moves first gets its fair share; with one knob fewer than there are sides, every side
    does. Writes stretches.parquet, summary.json and fair.png. Stopped or killed, the same command goes on where it was;
    asked for less error, it goes on too. Exits with 1 where nothing in the range is fair, or the games do not suffice.
    """
    played = make_game(game, settings)
    out = out or f"results/fair-{played.id.replace('/', '-')}"
    with keeping(f"what is finished is in {out}"), refusing():
        from stardeck.benchmarks.fairness.search import fair as search
        from stardeck.benchmarks.progress import progress_bar
        from stardeck.commands.shared.tables import print_fair

        with progress_bar("games") as progress:
            summary = search(game, knobs, agents.split(","), out=out, progress=progress, **options, **settings)
    say(json.dumps(summary)) if as_json else print_fair(summary, out)
    return 0 if summary["found"] else 1


@click.command(cls=GameCommand, epilog="Example: stardeck worth star_realms --games 12000000 --out results/worth")
@GAME
@agents_option("rules", "The agent, in all seats; a compiled one.")
@click.option(
    "--what",
    metavar="WHAT",
    help="What chance decides: in Star Realms purchases, openings (of the first three turns), scrapping or upgrades"
    " (Rise of Empire), in Empire of the Stars technologies or powers.  [default: the first of these]",
)
@click.option(
    "--occasions", type=File(exists=True, dir_okay=False),
    help="Recorded games: trials of purchases begin where their players bought.",
)  # fmt: skip
@click.option("--games", default=1_000_000, show_default=True, type=GAMES_TO_PLAY, help="Number of games.")
@SEED
@click.option("--out", type=File(file_okay=False), help="Folder of results.  [default: results/worth-<variant>/]")
@WORKERS
@ON
@AS_JSON
def worth(
    game: str, settings: dict[str, Any], agents: str, what: str | None, out: str | None, as_json: bool, **options: Any
) -> None:
    """Try out what each card is worth: in every game, once, chance decides what a player buys, scraps or keeps.

    Writes trials.parquet, pairs.parquet, summary.json, worth.png and, of purchases, worth.toml. Stopped or killed, the
    same command goes on where it was; with more games it extends what is there.
    """
    played = make_game(game, settings)
    out = out or f"results/{what or 'worth'}-{played.id.replace('/', '-')}"
    with keeping(f"what is finished is in {out}"), refusing():
        from stardeck.benchmarks.card_values.measure import worth as try_out
        from stardeck.benchmarks.progress import progress_bar
        from stardeck.commands.shared.tables import print_worth

        with progress_bar("games") as progress:
            summary = try_out(game, agents, out=out, what=what, progress=progress, **options, **settings)
    say(json.dumps(summary)) if as_json else print_worth(summary, out)
