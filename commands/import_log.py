"""The command `import-log`: recorded games from text logs of the digital Star Realms app."""

import json
from pathlib import Path
from typing import NoReturn

import click

from stardeck.commands.shared.options import AS_JSON, File, refusing
from stardeck.commands.shared.printing import say
from stardeck.kernels.files import read_text


@click.command(
    "import-log",
    epilog="Example: stardeck import-log examples/app_log.txt --save game.jsonl; stardeck replay game.jsonl",
)
@click.argument("files", nargs=-1, required=True, type=File(exists=True, dir_okay=False))
@click.option("--save", type=File(dir_okay=False), help="File for the recorded games, one JSON line each.")
@click.option(
    "--set", "card_set", type=click.Choice(["core", "box"]),
    help="Set of cards.  [default: the set with more of the cards in the log]",
)  # fmt: skip
@click.option("--keep-going", is_flag=True, hidden=True, help="Has no effect: games are always written.")
@AS_JSON
def import_log(
    files: tuple[str, ...], save: str | None, card_set: str | None, keep_going: bool, as_json: bool
) -> NoReturn:
    """Convert text logs of the Star Realms app into recorded games.

    If a log contradicts the rules, the command prints the line and what was expected, and exits with 1. It writes such
    a game up to the contradiction.
    """
    from stardeck.benchmarks.recordings import record

    if keep_going:
        say("--keep-going is deprecated and has no effect: games are written as far as they go", err=True)
    with refusing(ValueError, OSError):
        if save:
            record.check_writable(save)
        found = [(file, _read(file, card_set)) for file in files]
        if save:
            written = "".join(json.dumps(imported.record) + "\n" for _, imported in found)
            Path(save).write_text(written, encoding="utf-8")
    if as_json:
        say(json.dumps([_as_data(file, imported) for file, imported in found]))
    else:
        for file, imported in found:
            _print(file, imported)
    raise click.exceptions.Exit(int(any(imported.contradictions for _, imported in found)))


def _read(file, card_set):
    """Import a log. Raise ValueError naming the file."""
    from stardeck.benchmarks.recordings.app_log.importer import import_log as imported

    try:
        return imported(read_text(file).removeprefix("\ufeff"), card_set)
    except UnicodeDecodeError as error:
        raise ValueError(f"{file}: is not text in UTF-8 ({error})") from error
    except ValueError as error:
        raise ValueError(f"{file}: {error}") from error


def _as_data(file, imported):
    problems = [problem._asdict() for problem in imported.contradictions]
    return {
        "file": file, "turns": len(imported.turns), "turns_told": imported.turns_in_log,
        "players": imported.record["agents"],
        "returns": imported.record["returns"], "dealt": imported.record["dealt"], "unknown": imported.unknown,
        "contradictions": problems,
    }  # fmt: skip


def _print(file, imported):
    if imported.unknown:
        say(f"{file}: unknown {imported.unknown}")
    for problem in imported.contradictions:
        say(f"{file}: {problem}")
    names, returns = imported.record["agents"], imported.record["returns"]
    winner = next((f"{name} has won" for name, value in zip(names, returns, strict=True) if value > 0), "not over")
    say(
        f"{file}: {' against '.join(names)}, {len(imported.turns)} of {imported.turns_in_log} turns followed, {winner};"
        f" {len(imported.record['moves'])} decisions; dealt: {imported.record['dealt']}"
    )
