"""The commands `show` and `cite`: games and citation of a folder of results."""

import json

import click

from stardeck.commands.shared.options import AS_JSON, File, refusing
from stardeck.commands.shared.printing import say

RESULTS = click.argument("results", type=File(exists=True, file_okay=False))


@click.command(epilog="Example: stardeck advantage star_realms --games 20 --out results/few; stardeck show results/few")
@RESULTS
@click.option("--game", "number", default=0, show_default=True, type=click.IntRange(0), help="Index of the game.")
@click.option("--match", metavar="MATCH", help='Match of a league, such as "rules vs simple".')
@click.option("--save", type=File(dir_okay=False), help="File for the game, as a line of JSON.")
@AS_JSON
def show(results: str, number: int, match: str | None, save: str | None, as_json: bool) -> None:
    """Print the log of a game of a measurement or a league.

    RESULTS is a folder of `stardeck advantage` or `stardeck league`. The log comes from the recorded moves if the
    folder has them (--collect moves). Otherwise the game is played again, which gives the same moves.
    """
    from stardeck.benchmarks.recordings import record
    from stardeck.benchmarks.recordings.replay_result import game_of

    with refusing(ValueError, OSError):
        recorded = game_of(results, number, match)
        if save:
            record.check_writable(save)
            record.write(save, recorded)
        if as_json:
            say(json.dumps(recorded))
            return
        say(f"Game {number} of {results}: {recorded['variant']}, seed {recorded['seed']}")
        game, _ = record.replay(recorded)
        record.replay(recorded, record.Log(game, recorded["agents"], say))


@click.command(epilog="Example: stardeck cite results/star_realms-core-standard-2")
@RESULTS
@AS_JSON
def cite(results: str, as_json: bool) -> None:
    """Print how to cite the results in a folder, and the command that reproduces them."""
    from stardeck.benchmarks.results.citation import citation

    with refusing():
        cited = citation(results)
    say(json.dumps(cited) if as_json else f"{cited['text']}\n\n{cited['bibtex']}")
