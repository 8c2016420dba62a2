"""A variant as the options of a command spell it."""

from typing import Any

from stardeck.game.game import Game


def own_settings(game: Game) -> dict[str, Any]:
    """The settings that say which variant it is: those without which it would be another one."""
    kept = {name: value for name, value in game.settings.items() if value is not None}
    for name in list(kept):
        rest = {other: value for other, value in kept.items() if other != name}
        try:
            if Game.named(game.variant.game, rest).settings == game.settings:
                kept = rest
        except ValueError:
            pass
    return kept


def written(value: Any) -> str:
    """Return a setting as its option takes it; decks of several seats stand between semicolons."""
    if isinstance(value, bool):
        return str(value).lower()
    if not isinstance(value, list | tuple):
        return str(value)
    between = ";" if any(isinstance(item, list | tuple) for item in value) else ","
    return between.join(map(written, value))
