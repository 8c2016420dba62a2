"""The variant of the training games, whose settings may differ from those of the target variant.

Evaluations, and the agent, are for the target variant. Empire of the Stars trains on games with a limit and a score: a
game that pays no player does not show who was ahead.
"""

from collections.abc import Iterable
from typing import Any

from stardeck.game.game import Game
from stardeck.game.registry import make
from stardeck.kernels.errors import shown

TRUTH = {"true": True, "false": False}


def practice_game(game: Game, practice: Iterable[str]) -> Game:
    """Return the game with other settings.

    Args:
        game: The target variant.
        practice: Other settings as `name=value`; with none it is the game itself.

    Raises:
        ValueError: A setting is unknown, or changes the meaning of actions and observations.
    """
    given = dict(_setting(text) for text in practice)
    if not given:
        return game
    other = make(game.variant.game, **game.settings | given)
    if other.spaces != game.spaces:
        raise ValueError(f"practice={shown(list(practice))}: must leave actions and observations as they are")
    return other


def without_settings(practice: Iterable[str], settled: Iterable[str]) -> tuple[str, ...]:
    """Return the entries of `practice` that do not set any of the settings in `settled`."""
    return tuple(text for text in practice if _setting(text)[0] not in settled)


def _setting(text) -> tuple[str, Any]:
    """Return a setting and its unchecked value from their text."""
    if not isinstance(text, str) or not all(text.partition("=")):
        raise ValueError(f"practice={shown(text)}: must be name=value")
    name, _, value = text.partition("=")
    return name, TRUTH.get(value, int(value) if value.isdecimal() else value)
