"""Treatments of each game: the kinds of decisions under trial, by name, from `treatments.py` of its agents package."""

from collections.abc import Mapping

from stardeck.agents.data.treatments import Tried
from stardeck.agents.game_agents import module_of
from stardeck.game.catalogue import GAMES


def treatments_of(game: str) -> Mapping[str, Tried]:
    """Return the treatments of a game by name, the default first; empty for a game without any."""
    module = module_of(game, "treatments")
    found: Mapping[str, Tried] = module.TREATMENTS.get(game, {}) if module else {}
    return found


def games_with_treatments() -> list[str]:
    """Return the names of the games that have treatments."""
    return [game for game in GAMES if treatments_of(game)]
