"""The settings of a variant, in the notation of command options."""

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
