"""The commands `list` and `cards`: the variants, the settings of a game, and what the cards do."""

import itertools
import json
from typing import Any

import click

from stardeck.benchmarks.game_name import GameName
from stardeck.commands.shared.abbreviations import named
from stardeck.commands.shared.card_words import cards_of, described
from stardeck.commands.shared.options import AS_JSON, refusing
from stardeck.commands.shared.printing import say
from stardeck.game.registry import GAMES, allowed_values, in_words, playable, settings_of, variants_with_tables
from stardeck.kernels.errors import shown


@click.command(name="list", epilog="Example: stardeck list --settings star_realms")
@click.option("--settings", "settings_game", type=GameName(), help="List the settings of a game instead.")
@AS_JSON
def list_variants(settings_game: str | None, as_json: bool) -> None:
    """List the variants of all games.

    The table has the number of players, the number of actions, the size of an observation in bytes, and the provenance
    of the card data. --settings lists what you can set in a game.
    """
    if settings_game:
        _list_settings(settings_game, as_json)
        return
    rows: list[dict[str, Any]] = []
    for entry, variant in variants_with_tables():
        observation = sum(field["size"] for field in variant.observation_table())
        sizes = {"players": variant.players, "actions": len(variant.actions), "observation": observation}
        content = {"set": variant.settings.get("set"), "provenance": variant.provenance}
        rows.append({**entry} | sizes | content | {"reconstructed": variant.reconstructed})
    if as_json:
        say(json.dumps(rows))
        return
    width = max(len(row["id"]) for row in rows)
    say(f"{'variant':{width}}  players  actions  observation  provenance")
    for row in rows:
        numbers = f"{row['players']:7d}  {row['actions']:7d}  {row['observation']:11d}"
        say(f"{row['id']:{width}}  {numbers}  {row['provenance']}")


def _list_settings(game, as_json):
    rows = [
        {"setting": one.name, "default": one.default, "allowed": allowed_values(one), "meaning": one.meaning}
        for one in settings_of(game)
    ]
    if as_json:
        say(json.dumps(rows))
        return
    for row in rows:
        say(in_words(row))


@click.command(name="cards", epilog="Example: stardeck cards cutter")
@click.argument("what", metavar="[GAME] [NAME]", nargs=-1)
@AS_JSON
def cards(what: tuple[str, ...], as_json: bool) -> None:
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
