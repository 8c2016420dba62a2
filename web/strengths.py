"""Agents by strength: easy, medium, hard and strongest, for each game and format.

`strengths.toml` lists the agents, with the figures that justify them.
"""

import tomllib
from functools import cache
from pathlib import Path
from typing import Any

from stardeck import agents
from stardeck.game.game import Game

STRENGTHS = ("easy", "medium", "hard", "strongest")


@cache
def _listed() -> dict[str, Any]:
    return tomllib.loads(Path(__file__).with_suffix(".toml").read_text(encoding="utf-8"))


def by_strength(game: Game) -> dict[str, str]:
    """Return the agent of each strength, {strength: text of the agent}, weakest first.

    A game from outside may have nothing but `random` and searches; one agent then stands for two strengths.
    """
    listed = _listed()
    trained = _first(game, listed["trained"].get(game.variant.game, ()))
    found = {
        "easy": _first(game, listed["easy"]),
        "medium": _first(game, listed["medium"]),
        "hard": trained or listed["untrained"]["hard"],
        "strongest": _search(game, trained) if trained else listed["untrained"]["strongest"],
    }
    return {strength: agent for strength, agent in found.items() if agent is not None}


def _search(game, prior):
    searches = _listed()["searches"]
    name = game.variant.game
    own = [searches[key] for key in (f"{name}/{game.players}", name) if prior in searches.get(key, ())]
    text: str = own[0][prior] if own else searches["usual"]
    return text.format(prior=prior)


def _first(game, candidates):
    """Return the first agent that can play the game, or None."""
    for text in candidates:
        try:
            agents.get(text, game)
        except ValueError:
            continue
        return text
    return None
