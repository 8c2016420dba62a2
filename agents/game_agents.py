"""What the agents package of a game says about its game, for code that serves every game."""

import importlib
import importlib.util
from types import ModuleType
from typing import Any

from stardeck.game.catalogue import GAMES


def said(game: str, name: str, default: Any) -> Any:
    """Return what the agents package of a game says under a name.

    Args:
        game: Name of the game, perhaps of one without agents.
        name: Name of an attribute of the package.
        default: What counts where the package says nothing.
    """
    entry = GAMES.get(game)
    return getattr(importlib.import_module(entry.agents), name, default) if entry and entry.agents else default


def module_of(game: str, name: str) -> ModuleType | None:
    """Return a module of the agents package of a game, or None if there is none of that name."""
    entry = GAMES.get(game)
    if not (entry and entry.agents):
        return None
    package = importlib.import_module(entry.agents)
    if not hasattr(package, "__path__") or importlib.util.find_spec(f"{entry.agents}.{name}") is None:
        return None
    return importlib.import_module(f"{entry.agents}.{name}")
