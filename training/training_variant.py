"""The games that a training learns from, where their settings are others than those of the games it is for.

Its evaluations, and the agent, are for the variant itself. Empire of the Stars is learned from games with an end: a
game that pays nobody teaches nothing of who was ahead.
"""

from collections.abc import Iterable
from typing import Any

from stardeck.game.game import Game
from stardeck.game.registry import make
from stardeck.kernels.errors import shown

TRUTH = {"true": True, "false": False}


def practised(game: Game, practice: Iterable[str]) -> Game:
    """The game with other settings. practice: those, as `name=value`; with none it is the game itself.

    Raises ValueError for what is no setting, or changes what actions and observations mean.
    """
    given = dict(_setting(text) for text in practice)
    if not given:
        return game
    other = make(game.variant.game, **game.settings | given)
    if other.spaces != game.spaces:
        raise ValueError(f"practice={shown(list(practice))}: must leave actions and observations as they are")
    return other


def left_over(practice: Iterable[str], settled: Iterable[str]) -> tuple[str, ...]:
    """What of `practice` is about none of the settings in `settled`."""
    return tuple(text for text in practice if _setting(text)[0] not in settled)


def _setting(text) -> tuple[str, Any]:
    """A setting and its value, still to be checked, from the text of both."""
    if not isinstance(text, str) or not all(text.partition("=")):
        raise ValueError(f"practice={shown(text)}: must be name=value")
    name, _, value = text.partition("=")
    return name, TRUTH.get(value, int(value) if value.isdecimal() else value)
