"""The commands `watch`, `replay`, `play` and `scenario`: single games."""

import json
from typing import Any

import click

from stardeck.commands.shared.options import (
    AS_JSON,
    DRAWN_SEED,
    GAME,
    HONEST,
    SEED_RANGE,
    File,
    GameCommand,
    agents_option,
    drawn,
    make_game,
    refusing,
)
from stardeck.commands.shared.printing import say
from stardeck.game.catalogue import default_agent
from stardeck.kernels.errors import shown


@click.command(cls=GameCommand, epilog="Example: stardeck watch star_realms --agents rules,simple --seed 3")
@GAME
@agents_option("rules", "The agents by seat, with commas; if there are too few, they are repeated.")
@HONEST
@DRAWN_SEED
@click.option(
    "--series",
    type=SEED_RANGE,
    help="Seed of the measurement that the game is from; it decides random choices of agents.  [default: --seed]",
)
@click.option("--save", type=File(dir_okay=False), help="File for the game, as a line of JSON.")
@click.option("--svg", type=File(file_okay=False), help="Empty folder for a picture of the table at each decision.")
@AS_JSON
def watch(
    game: str, settings: dict[str, Any], agents: str, save: str | None, svg: str | None, as_json: bool, **options: Any
) -> None:
    """Play one game between agents and print its log."""
    from stardeck.benchmarks.recordings import record
    from stardeck.commands.shared.album import Album

    made = make_game(game, settings)
    listed, honest = agents.split(","), options["honest"]
    with refusing(ValueError, OSError):
        names = [agent.name for agent in record.seated(made, listed, honest)]
        if save:
            record.check_writable(save)
        recorders: list[Any] = [] if as_json else [record.Log(made, names, say)]
        recorders += [Album(made, svg)] if svg else []
        seed = drawn(options["seed"], (lambda text: None) if as_json else say)  # the JSON has the seed

        def report(*now: Any) -> None:
            for recorder in recorders:
                recorder(*now)

        played = record.play(made, listed, seed, report, options["series"], honest)
        if save:
            record.write(save, played)
    if as_json:
        say(json.dumps(played))


@click.command(epilog="Example: stardeck watch star_realms --save game.jsonl; stardeck replay game.jsonl")
@click.argument("file", type=File(exists=True, dir_okay=False))
@AS_JSON
def replay(file: str, as_json: bool) -> None:
    """Replay recorded games and print their logs.

    FILE is JSON Lines with a game on each line, as `stardeck watch --save`, `stardeck show --save`, `stardeck
    import-log --save`, and `save` in `stardeck play` write it.
    """
    from stardeck.benchmarks.recordings import record

    with refusing():
        for number, played in enumerate(record.read(file), 1):
            try:
                game, _ = record.replay(played)
                if as_json:
                    say(json.dumps({"line": number, "variant": game.id, "returns": played["returns"]}))
                else:
                    record.replay(played, record.Log(game, played["agents"], say))
            except BrokenPipeError:  # the reader has gone
                raise
            except (ValueError, OSError) as error:
                raise record.RecordError(f"{file}: line {number}: {error}") from error


@click.command(cls=GameCommand, epilog="Example: stardeck play star_realms --agents rules --seat 1")
@GAME
@agents_option(None, "The other players, with commas; by default rules, or the game's best agent.")
@HONEST
@click.option("--seat", default=0, show_default=True, type=click.IntRange(0), help="Your seat; 0 is player_0.")
@DRAWN_SEED
@click.option(
    "--resume", type=File(exists=True, dir_okay=False), help="Continue a game that you saved with `save FILE`."
)
@AS_JSON
def play(
    game: str, settings: dict[str, Any], agents: str | None, resume: str | None, as_json: bool, **options: Any
) -> None:
    """Play against agents at the keyboard.

    Type a move, the beginnings of its words, or its number. An empty line lists the legal moves, and `help` lists the
    other commands.
    """
    from stardeck import agents as players
    from stardeck.commands.shared import keyboard_game

    def echo(text: str) -> None:
        say(text, err=as_json)

    notes: list[str] = []  # printed when the game begins, because an error must be one line
    others: list[Any] | None = agents.split(",") if agents else None
    others = [players.honest(agent) for agent in others] if others and options["honest"] else others
    with refusing():
        if resume:
            table = keyboard_game.resumed(_saved(resume, game), others, echo)
        else:
            made, seed = make_game(game, settings), drawn(options["seed"], notes.append)
            table = keyboard_game.Table(made, others or [default_agent(game)], options["seat"], seed, echo)
        for note in notes:
            echo(note)
        echo("type a move, or `help`")
        played = table.play()
    if as_json:
        say(json.dumps(played))


def _saved(file, game):
    """Return the game of a file that `save` wrote. Raise RecordError for other files."""
    from stardeck.benchmarks.recordings import record

    games = record.read(file)
    if len(games) != 1:
        raise record.RecordError(f"{file}: holds {len(games)} games: must be one that was saved while playing")
    record.check(games[0])
    if games[0]["variant"].split("/")[0] != game:
        raise record.RecordError(f"{file}: is a game of {shown(games[0]['variant'])}, not of {game}")
    return games[0]


@click.command(epilog="Example: stardeck scenario tests/scenarios/star_realms/*.yaml")
@click.argument("files", nargs=-1, required=True, type=File(exists=True, dir_okay=False))
@AS_JSON
def scenario(files: tuple[str, ...], as_json: bool) -> None:
    """Run rules scenarios from YAML files.

    A scenario has a position, moves, and the expected state; docs/guides/positions.md explains the format. The exit
    code is 1 if any scenario fails.
    """
    from stardeck.benchmarks.conformance.scenario import ScenarioError, run_file
    from stardeck.benchmarks.progress import progress_bar

    results = []
    with refusing(ScenarioError), progress_bar("files") as progress:
        for number, file in enumerate(files, 1):
            results += run_file(file)
            progress(number, len(files))
    failed = [result for result in results if not result.ok]
    if as_json:
        say(json.dumps([result._asdict() | {"ok": result.ok} for result in results]))
    else:
        for result in failed:
            say(f"{result.file}: {result.name}: {' | '.join(result.differences)}")
        say(f"{len(results) - len(failed)} of {len(results)} scenarios hold")
    raise click.exceptions.Exit(1 if failed else 0)
