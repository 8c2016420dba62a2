"""Uploaded games: a record, a log of the app, or a position with its moves.

An upload is text, never the name of a file.
"""

from typing import Any

import yaml

from stardeck.benchmarks.conformance.scenario import load_yaml
from stardeck.benchmarks.recordings import record
from stardeck.benchmarks.recordings.app_log.importer import import_log
from stardeck.benchmarks.recordings.app_log.lines import is_log
from stardeck.benchmarks.results.atomic_files import parse_json
from stardeck.game.game import Game
from stardeck.kernels.errors import cut, shown
from stardeck.web.choices import RequestError, game_from
from stardeck.web.store import StoredGame

MOST_DECISIONS = 10_000  # in a replay, which keeps all of its states
POSITION = ("game", "settings", "position", "moves")


def read(text: str, game: str) -> tuple[StoredGame, str]:
    """Read a line of JSON, a log of the app, or YAML.

    Args:
        text: The upload.
        game: The id of the new game.

    Returns:
        The game, and a note on a log that the importer could not follow to its end.

    Raises:
        RequestError: The text is none of these, or it holds no playable game.
    """
    lines = record.lines_of(text.strip())
    try:
        found = parse_json(lines[0]) if lines else None
    except ValueError:
        found = None
    if isinstance(found, dict) and "moves" in found and "variant" in found:
        return of_record(found, game), ""
    if is_log(text):
        return _of_log(text, game)
    return _of_position(_yaml(text), game), ""


def of_record(found: dict[str, Any], game: str) -> StoredGame:
    """Return the game of a record that `stardeck watch --save` wrote. Raises RequestError."""
    actions: list[int] = []

    def keep(states, action):
        if len(actions) > MOST_DECISIONS:
            raise RequestError(f"moves: there are more than {MOST_DECISIONS:,}")
        actions.extend(() if action is None else [action])

    try:
        record.check(found)
        variant = game_from(found["variant"].split("/")[0], found["settings"])
        record.replay(found, keep)
    except (ValueError, TypeError) as error:
        raise RequestError(cut(str(error), 500)) from error
    players = [{"name": cut(name, 100)} for name in found["agents"]]
    name, begun, draws = variant.variant.game, found.get("position"), found.get("draws")
    return StoredGame(game, name, variant.settings, found["tables"], found["seed"], players, actions, begun, draws)


def _of_log(text, game):
    """Return the game of an app log as far as the importer follows it, and a note on the rest."""
    try:
        found = import_log(text)
    except ValueError as error:
        raise RequestError(cut(str(error), 500)) from error
    if not found.contradictions:
        return of_record(found.record, game), ""
    more = f" (and {len(found.contradictions) - 1} more)" if len(found.contradictions) > 1 else ""
    note = f"the log contradicts the rules: {cut(str(found.contradictions[0]), 400)}{more}"
    note += f"; unknown {found.unknown}" if found.unknown else ""
    if not found.record["moves"]:
        raise RequestError(note)
    return of_record(found.record, game), f"{note}; {len(found.turns)} of {found.turns_in_log} turns were followed"


def _yaml(text):
    try:
        found = load_yaml(text)
    except (yaml.YAMLError, ValueError, RecursionError) as error:
        raise RequestError(
            f"this is neither a recorded game nor YAML: {cut(' '.join(str(error).split()), 200)}"
        ) from error
    found = found[0] if isinstance(found, list) and found else found
    if not isinstance(found, dict) or not isinstance(found.get("position"), dict):
        raise RequestError(f"{shown(found)}: must be a recorded game, or YAML with {', '.join(POSITION)}")
    return found


def _of_position(found, game):
    """Return a game from a position in the words of a scenario; expectations there are ignored."""
    settings, moves = found.get("settings", {}), found.get("moves", [])
    if not (isinstance(found.get("game"), str) and isinstance(settings, dict) and isinstance(moves, list)):
        raise RequestError("a position needs game, a text; settings are by name, and moves a list")
    try:
        variant = game_from(found["game"], settings)
        states = variant.from_position(found["position"])
        actions = [action for move in moves for action in _played(variant, states, move)]
    except (ValueError, TypeError, RecursionError) as error:
        raise RequestError(cut(str(error), 500)) from error
    players = [{"name": f"player_{seat}"} for seat in range(variant.players)]
    own = found["position"]
    return StoredGame(game, found["game"], variant.settings, variant.variant.tables, 0, players, actions, own)


def _played(game: Game, states: Any, move: Any) -> list[int]:
    """Apply a move, `player_0: play Scout` or only its words, and return its actions."""
    words = next(iter(move.values())) if isinstance(move, dict) and len(move) == 1 else move
    if not isinstance(words, str):
        raise RequestError(f"moves: {shown(move)}: must be a text")
    actions = game.parse(states, words)
    for action in actions:
        game.apply(states, [action])
    return actions
