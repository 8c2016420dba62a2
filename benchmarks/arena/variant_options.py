"""The settings of a variant, in the notation of command options."""

import shlex
from typing import Any

from stardeck.game.game import Game


def minimal_settings(game: Game) -> dict[str, Any]:
    """Return the fewest settings that define the variant of a game."""
    kept = {name: value for name, value in game.settings.items() if value is not None}
    for name in list(kept):
        rest = {other: value for other, value in kept.items() if other != name}
        try:
            if Game.named(game.variant.game, rest).settings == game.settings:
                kept = rest
        except ValueError:
            pass
    return kept


def option_text(value: Any) -> str:
    """Return a setting in the notation of its option; semicolons separate the decks of several seats."""
    if isinstance(value, bool):
        return str(value).lower()
    if not isinstance(value, list | tuple):
        return str(value)
    between = ";" if any(isinstance(item, list | tuple) for item in value) else ","
    return between.join(map(option_text, value))


def command_for(command: str, game: Game, **options: Any) -> str:
    """Return a command on a variant as its user types it; "" for a variant that only a call of Python can make.

    Args:
        command: Name of the command.
        game: Variant.
        **options: Options of the command; one with a list of values is repeated.
    """
    settings = minimal_settings(game)
    if any(isinstance(value, dict) for value in settings.values()):
        return ""  # a table of cards that came as data
    given = [(name, one) for name, value in (options | settings).items() for one in _each(name, value)]
    words = [word for name, value in given for word in (f"--{name.replace('_', '-')}", option_text(value))]
    return shlex.join(["stardeck", command, game.variant.game, *words])


def _each(name: str, value: Any) -> list[Any]:
    return list(value) if name == "knob" and isinstance(value, list | tuple) else [value]
