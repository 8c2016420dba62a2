"""`stardeck show` and `stardeck cite`: what lies in a folder of results."""

import json

import click

from stardeck.commands.shared.options import AS_JSON, File, refusing
from stardeck.commands.shared.printing import say

RESULTS = click.argument("results", type=File(exists=True, file_okay=False))


@click.command(epilog="Example: stardeck advantage star_realms --games 20 --out results/few; stardeck show results/few")
@RESULTS
@click.option("--game", "number", default=0, show_default=True, type=click.IntRange(0), help="The index of the game.")
@click.option("--match", metavar="MATCH", help='Of a league: the match, such as "rules vs simple".')
@click.option("--save", type=File(dir_okay=False), help="Write the game down as a line of JSON.")
@AS_JSON
def show(results: str, number: int, match: str | None, save: str | None, as_json: bool) -> None:
    """Tell a game of a measurement or a league as a log.

    By its moves if they were collected (--collect moves), else it is played again, which gives the very same game.
    """
    from stardeck.benchmarks.recordings import record
    from stardeck.benchmarks.recordings.replay_result import game_of

    with refusing(ValueError, OSError):
        told = game_of(results, number, match)
        if save:
            record.check_writable(save)
            record.write(save, told)
        if as_json:
            say(json.dumps(told))
            return
        say(f"Game {number} of {results}: {told['variant']}, seed {told['seed']}")
        game, _ = record.replay(told)
        record.replay(told, record.Log(game, told["agents"], say))


@click.command(epilog="Example: stardeck cite results/star_realms-core-standard-2")
@RESULTS
@AS_JSON
def cite(results: str, as_json: bool) -> None:
    """Say how the results in a folder are cited, and what makes the same results again."""
    from stardeck.benchmarks.results.citation import citation

    with refusing():
        cited = citation(results)
    say(json.dumps(cited) if as_json else f"{cited['text']}\n\n{cited['bibtex']}")
