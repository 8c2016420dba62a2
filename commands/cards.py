"""The command `cards`: what the cards do."""

import itertools
import json
from collections.abc import Iterable
from typing import Any

import click

from stardeck.commands.shared.abbreviations import named
from stardeck.commands.shared.options import AS_JSON, refusing
from stardeck.commands.shared.printing import say
from stardeck.game.catalogue import kernels_of
from stardeck.game.registry import GAMES, make, playable
from stardeck.kernels.errors import shown
from stardeck.kernels.text.lines import folded


def cards_of(name: str) -> list[dict]:
    """Return the cards of all sets of a game, each once, with `game` and the list of its `sets`."""
    found: dict[tuple, dict] = {}
    tables: Iterable[dict[str, Any]] = getattr(kernels_of(name), "EVERY_CARD", ({},))
    for settings in tables:
        for row in make(name, **settings).cards():
            row = found.setdefault((row["name"], row["text"], row["cost"] if "cost" in row else None), row)
            row.setdefault("sets", [])
            if settings.get("set") and settings["set"] not in row["sets"]:
                row["sets"].append(settings["set"])
    return [{"game": name} | row for row in found.values()]


def described(row: dict) -> str:
    """Return a card in words: its name, its facts, and what it does."""
    facts = [row["kind"]]
    if row.get("faction"):
        facts.insert(0, row["faction"])
    if row.get("cost") is not None:
        facts.append(f"cost {row['cost']}" + (f" {row['pays']}" if row.get("pays") else ""))
    if row.get("number") is not None:
        facts.append(f"number {row['number']}")
    if row.get("defense") is not None:
        facts.append(f"defense {row['defense']}")
    if row.get("copies"):
        facts.append(f"{row['copies']} copies" if row["copies"] > 1 else "1 copy")
    if row.get("sets"):
        facts.append(f"set {' and '.join(row['sets'])}")
    if row.get("reconstructed"):
        facts.append("reconstructed")
    return "\n".join(folded(f"{row['name']} ({', '.join(facts)}). {row['text']}"))


@click.command(name="cards", epilog="Example: stardeck cards cutter")
@click.argument("what", metavar="[GAME] [NAME]", nargs=-1)
@AS_JSON
def main(what: tuple[str, ...], as_json: bool) -> None:
    """Show the cards of a game, or the cards with a given name in all games.

    You may write a name in any case and abbreviate it. Texts are generated from the card tables; they are not the
    printed ones.
    """
    with refusing():
        rows = _asked(what)
    if as_json:
        say(json.dumps(rows))
        return
    is_one_game = bool(what) and what[0] in GAMES
    for game, of_game in itertools.groupby(rows, key=lambda row: row["game"]):
        if not is_one_game:
            say(f"{game}:")
        for row in of_game:
            say(described(row))


def _asked(what):
    """Return the cards of the words after the command: a game, a card's name, or both."""
    games, words = ([what[0]], what[1:]) if what and what[0] in GAMES else (playable(), what)
    rows = [row for game in games for row in cards_of(game)]
    if not words:
        return rows
    name = " ".join(words)
    names = named(name, [row["name"] for row in rows])
    if not names:
        raise ValueError(f"no card is called {shown(name)}: must be a game ({', '.join(GAMES)}) or a card")
    return [row for row in rows if row["name"] in names]
