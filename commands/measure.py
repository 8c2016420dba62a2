"""The commands `advantage`, `league` and `dataset`: many games."""

import json
from typing import Any

import click

from stardeck.benchmarks.results.words import number_of
from stardeck.commands.shared.earlier_results import say_if_made_earlier
from stardeck.commands.shared.figures import write_figures
from stardeck.commands.shared.options import (
    AS_JSON,
    COLLECT,
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


@click.command(cls=GameCommand, epilog="Example: stardeck advantage star_realms --agents rules --games 200000")
@GAME
@agents_option("rules", "One agent for all seats, or several with commas, which rotate over the seats.")
@HONEST
@click.option("--games", default=10_000, show_default=True, type=GAMES_TO_PLAY, help="Number of games.")
@SEED
@click.option("--out", type=File(file_okay=False), help="Folder of results, or its URL.  [default: results/<variant>/]")
@COLLECT
@WORKERS
@ON
@DEVICE
@FIGURE
@AS_JSON
def advantage(
    game: str, settings: dict[str, Any], agents: str, out: str | None, figure: tuple[str, ...], as_json: bool,
    **options: Any,
) -> None:  # fmt: skip
    """Measure how often the first player wins.

    The command writes games.parquet, summary.json and advantage.png. The same command continues an interrupted run;
    with more --games it extends a finished one.
    """
    from stardeck.benchmarks.advantage.measure import advantage as measure
    from stardeck.benchmarks.progress import progress_bar
    from stardeck.commands.shared.tables import print_advantage

    out = out or f"results/{make_game(game, settings).id.replace('/', '-')}"
    with keeping(f"the finished part is in {out}"), refusing(), progress_bar("games") as progress:
        summary = measure(game, agents.split(","), out=out, progress=progress, **options, **settings)
    say_if_made_earlier(summary, out)
    write_figures(figure, out)
    say(json.dumps(summary)) if as_json else print_advantage(summary, out)


def _bounds(context, parameter, given):
    """Return LOW,HIGH as two numbers."""
    if given is None:
        return None
    try:
        low, high = (float(bound) for bound in given.split(","))
    except ValueError:
        raise click.UsageError(f"--sprt {given}: must be two numbers with a comma, such as 0,10") from None
    return low, high


def _check_rating(rating, game, players):
    """Raise UsageError if a league has no such rating."""
    if rating not in (None, "elo"):
        sides = len(game.variant.sides)
        if sides != 2:
            raise click.UsageError(f"--rating {rating}: needs two sides, and {game.id} has {sides}")
        if len(players) < 3:
            raise click.UsageError(f"--rating {rating}: needs 3 agents or more, and there are {len(players)}")


@click.command(
    cls=GameCommand,
    epilog="Example: stardeck league star_realms --agents rules,simple,random --games 10000 --sprt 0,10",
)
@GAME
@agents_option("rules,simple,random", "The agents, with commas; the first has 0 Elo.")
@HONEST
@click.option(
    "--panel",
    is_flag=True,
    help="Add the reference agents rules, ppo-0.1, cheap-combat and same-faction, as far as they can play the variant.",
)
@click.option("--games", default=1_000, show_default=True, type=GAMES_TO_PLAY, help="Number of games in each match.")
@click.option(
    "--sprt",
    metavar="LOW,HIGH",
    callback=_bounds,
    help="Sequential test: stop a match once it shows if its first agent is better by LOW or by HIGH normalised Elo.",
)
@click.option(
    "--rating",
    type=click.Choice(["elo", "nash", "alpha-rank"]),
    help="Rating to print: Elo, the score against the Nash mixture, or alpha-rank.  "
    "[default: elo; all three if Elo does not explain the results]",
)
@SEED
@click.option(
    "--out", type=File(file_okay=False), help="Folder of results, or its URL.  [default: results/league-<variant>/]"
)
@COLLECT
@WORKERS
@ON
@DEVICE
@FIGURE
@AS_JSON
def league(
    game: str, settings: dict[str, Any], agents: str, panel: bool, out: str | None, figure: tuple[str, ...],
    as_json: bool, **options: Any,
) -> None:  # fmt: skip
    """Rate agents in a round-robin league, with seats swapped on the same deals.

    The command writes games.parquet, league.json and league.png. The same command continues an interrupted league. With
    more agents it plays the missing matches; with more --games it extends all matches.
    """
    from stardeck.benchmarks.league.panel import panel as panel_of
    from stardeck.benchmarks.league.tournament import league as play_league
    from stardeck.benchmarks.progress import progress_bar
    from stardeck.commands.shared.tables import print_league

    played = make_game(game, settings)
    out = out or f"results/league-{played.id.replace('/', '-')}"
    players = agents.split(",")
    players += [name for name in panel_of(played) if name not in players] if panel else []
    rating = options.pop("rating")
    _check_rating(rating, played, players)
    finished = f"the finished part is in {out}"
    with keeping(finished), refusing(ValueError, OSError), progress_bar("games") as progress:
        summary = play_league(game, players, out=out, progress=progress, **options, **settings)
    say_if_made_earlier(summary, out)
    write_figures(figure, out)
    say(json.dumps(summary)) if as_json else print_league(summary, out, rating)


@click.command(cls=GameCommand, epilog="Example: stardeck dataset star_realms --agents expert --out results/games")
@GAME
@agents_option("expert", "One agent for all seats, or several with commas, which rotate over the seats.")
@HONEST
@click.option("--games", default=100_000, show_default=True, type=GAMES_TO_PLAY, help="Number of games.")
@SEED
@click.option("--out", type=File(file_okay=False), help="Folder to write.  [default: results/dataset-<variant>/]")
@click.option("--hub", metavar="OWNER/NAME", help="Name on the Hugging Face Hub, for the card. Nothing is uploaded.")
@WORKERS
@ON
@DEVICE
@AS_JSON
def dataset(
    game: str, settings: dict[str, Any], agents: str, out: str | None, hub: str | None, as_json: bool, **options: Any
) -> None:
    """Make a data set of games for offline learning.

    The command writes the games with their moves and events as Parquet files, a card (README.md) and a datasheet. The
    same command continues an interrupted one; with more --games it extends a finished one.
    """
    from stardeck.benchmarks.dataset.make import dataset as make_dataset
    from stardeck.benchmarks.progress import progress_bar

    out = out or f"results/dataset-{make_game(game, settings).id.replace('/', '-')}"
    with keeping(f"the finished part is in {out}"), refusing(), progress_bar("games") as progress:
        summary = make_dataset(game, agents.split(","), out=out, hub=hub, progress=progress, **options, **settings)
    say_if_made_earlier(summary, out)
    if as_json:
        say(json.dumps(summary))
        return
    say(f"{number_of(summary['games'], 'game')}: {out}; README.md there says how to read them")
    if hub is not None:
        say(f"to upload them: hf upload {hub} {out} --repo-type dataset")
