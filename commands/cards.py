"""`stardeck cards`: what the cards do."""

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
    """The cards of all sets of a game: each once, with `game` and, where sets differ, those that have it as `sets`."""
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
    """A card in words: its name, what is printed beside it, and what it does."""
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
@click.argument("what", metavar="[GAME|NAME]", nargs=-1)
@AS_JSON
def main(what: tuple[str, ...], as_json: bool) -> None:
    """Say what each card of a game does, or those of a name, whatever game they are in.

    A name may be in any case and abbreviated. Texts are made from the card tables, not the printed ones.
    """
    with refusing():
        games = [what[0]] if what and what[0] in GAMES else playable()
        name = " ".join(what[1:] if what and what[0] in GAMES else what)
        rows = [row for game in games for row in cards_of(game)]
        if name:
            names = named(name, [row["name"] for row in rows])
            if not names:
                raise ValueError(f"no card is called {shown(name)}: must be a game ({', '.join(GAMES)}) or a card")
            rows = [row for row in rows if row["name"] in names]
    if as_json:
        say(json.dumps(rows))
        return
    shown_game = None
    for row in rows:
        if len(games) > 1 and row["game"] != shown_game:
            shown_game = row["game"]
            say(f"{shown_game}:")
        say(described(row))
