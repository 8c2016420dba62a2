"""Guided first games: scripts of moves with the words of a coach, filled in and checked by playing them.

A script `first_game_*.toml` names a game, its settings, the players and the seed. Each step has a text and the moves
that it suggests. A text contains no figures of its own: `{me trade}` and the like are read off the table, before the
moves of the step or, as `{after me trade}`, behind them. So the figures are always true.

`python -m stardeck.web.learn.first_games` plays every script, and prints the steps.
"""

import re
import tomllib
from functools import cache
from pathlib import Path
from typing import Any, NamedTuple

import click

from stardeck.benchmarks.recordings import record
from stardeck.kernels.errors import IllegalAction, harmless, shown
from stardeck.web.choices import PERSON, agent_from, game_from
from stardeck.web.learn.texts import taught
from stardeck.web.match import Match, Player

HERE = Path(__file__).parent
BLANK = re.compile(r"\{(after )?([^}]+)\}")
LEARNER = 0  # the seat of the person
PARTNER = 1  # "them" in the texts
Table = dict[str, Any]


class Broken(ValueError):
    """A script that cannot be played; the message names the step."""


class Course(NamedTuple):
    """A script as it was played: what a page needs, in JSON."""

    game: str
    begin: dict[str, Any]  # the request for the game, as `POST /api/games` takes it
    intro: str
    outro: str
    steps: list[dict[str, Any]]
    course: list[str]  # the words of every decision up to the last step, as the learner may know them
    tips: list[dict[str, str]]


def scripted() -> list[str]:
    """Return the names of the games that have a guided first game."""
    return [name for name in taught() if _path(name).exists()]


def _path(game):
    return HERE / f"first_game_{game}.toml"


@cache
def course_of(game: str) -> Course:
    """Return the guided first game of a game, played.

    Raises:
        Broken: A move is not legal at its step, or a text names what is not on the table.
    """
    return played(tomllib.loads(_path(game).read_text(encoding="utf-8")))


def played(script: dict[str, Any]) -> Course:
    """Play a script. Raises Broken."""
    game = game_from(script["game"], script.get("settings", {}))
    seats = script["seats"]
    players = [Player(None, None) if name == PERSON else Player(agent_from(name, game, {}), None) for name in seats]
    record.warm_up(game, [player.agent for player in players if player.agent])
    match = Match(game, script["seed"], players, [])
    steps: list[dict[str, Any]] = []
    for number, step in enumerate(script["steps"], 1):
        steps += _step(match, step, number, len(script["steps"]))
    begin = {"game": script["game"], "settings": script.get("settings", {}), "seats": seats, "seed": script["seed"]}
    course = [entry["words"] for entry in match.log(LEARNER)]
    return Course(script["game"], begin, script["intro"], script["outro"], steps, course, script["tips"])


def _step(match, step, number, of):
    """Play the moves of a step, one entry for each, and let the others decide up to the learner's next turn."""
    _let_others_play(match)
    before, entries = match.table(LEARNER), []
    for move in step["moves"]:
        _let_others_play(match)
        table, at = match.table(LEARNER), match.number
        action = _action(match, move, number)
        places = next(entry["place"] for entry in table["moves"] if entry["action"] == action)
        entries.append({
            "number": at, "step": number, "of": of, "turn": step.get("turn", ""), "move": move, "action": action,
            "places": [*step.get("places", []), *places],
        })  # fmt: skip
        match.apply(action)
    text = _filled(step["text"], before, match.table(LEARNER), number)
    return [entry | {"text": text} for entry in entries]


def _let_others_play(match):
    while match.to_act not in (LEARNER, None):
        match.apply(match.ask())
    if match.to_act is None:
        raise Broken("the game is over before the script is")


def _action(match, move, number):
    try:
        (action,) = match.game.parse(match.states, move)
    except (IllegalAction, ValueError) as error:
        raise Broken(f"step {number}: {error}") from error
    return action


def _filled(text: str, before: Table, after: Table, number: int) -> str:
    """Return a text with its blanks filled in."""

    def value(blank: re.Match[str]) -> str:
        table = after if blank[1] else before
        found = _read(table, blank[2])
        if found is None:
            raise Broken(f"step {number}: {shown(blank[0])}: is not on the table")
        return str(found)

    return BLANK.sub(value, text)


def _read(table, blank):
    """Return what a blank stands for: a pool, the printed number of a card, or the number of things in a zone."""
    kind, _, name = blank.partition(" ")
    if kind in ("me", "them"):
        seat = LEARNER if kind == "me" else PARTNER
        return next((pool["amount"] for pool in table["players"][seat]["pools"] if pool["name"] == name), None)
    if kind == "count":
        return next((zone["count"] for zone in table["zones"] if zone["id"] == name), None)
    if kind == "price":
        things = (thing for zone in table["zones"] for thing in zone["things"] if thing["id"] == name)
        return next((next(iter(thing["amounts"].values())) for thing in things), None)
    return table["cards"].get(name, {}).get(kind)


def main() -> None:
    """Play every script and print its steps."""
    for name in scripted():
        course = course_of(name)
        click.echo(harmless(f"{name}: {course.intro}"))
        for step in course.steps:
            place = f"{step['number']:3} {step['turn']:8} {step['step']}/{step['of']}"
            click.echo(harmless(f"  {place} {step['move']}: {step['text']}"))


if __name__ == "__main__":
    main()
