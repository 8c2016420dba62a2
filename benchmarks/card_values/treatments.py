"""Treatments of each game: the kinds of decisions under trial, by name, from `treatments.py` of its agents package."""

from collections.abc import Mapping

from stardeck.agents.data.treatments import Treatment
from stardeck.agents.game_agents import module_of
from stardeck.game.catalogue import GAMES


def treatments_of(game: str) -> Mapping[str, Treatment]:
    """Return the kinds of decisions that can be tried out in a game, the default first; none for other games."""
    module = module_of(game, "treatments")
    found: Mapping[str, Treatment] = module.TREATMENTS.get(game, {}) if module else {}
    return found


def games_with_treatments() -> list[str]:
    """Return the names of the games that have treatments."""
    return [game for game in GAMES if treatments_of(game)]
