"""Attributes and modules of the agents package of a game, for code that serves every game."""

import importlib
import importlib.util
from types import ModuleType
from typing import Any

from stardeck.game.catalogue import GAMES


def said(game: str, name: str, default: Any) -> Any:
    """Return an attribute of the agents package of a game.

    Args:
        game: Name of the game, perhaps of one without agents.
        name: Name of the attribute.
        default: Value where the package has no such attribute.
    """
    entry = GAMES.get(game)
    return getattr(importlib.import_module(entry.agents), name, default) if entry and entry.agents else default


def module_of(game: str, name: str) -> ModuleType | None:
    """Return a module of the agents package of a game, or None if the package has no such module."""
    entry = GAMES.get(game)
    if not (entry and entry.agents):
        return None
    package = importlib.import_module(entry.agents)
    if not hasattr(package, "__path__") or importlib.util.find_spec(f"{entry.agents}.{name}") is None:
        return None
    return importlib.import_module(f"{entry.agents}.{name}")
