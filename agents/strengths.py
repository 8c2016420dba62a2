"""Agents by strength: `easy`, `medium`, `hard` and `strongest` stand for an agent in each variant of each game.

`strengths.toml` lists the agents, with the figures that justify them.
"""

import tomllib
from functools import cache
from pathlib import Path
from typing import Any

from stardeck.agents.networks import pretrained
from stardeck.game.agent import AgentLike
from stardeck.game.catalogue import GAMES, default_agent
from stardeck.game.game import Game

STRENGTHS = ("easy", "medium", "hard", "strongest")


@cache
def _listed() -> dict[str, Any]:
    return tomllib.loads(Path(__file__).with_suffix(".toml").read_text(encoding="utf-8"))


def by_strength(game: Game) -> dict[str, str]:
    """Return the agent of each strength, {strength: text of the agent}, weakest first.

    The texts name everything that an agent consists of, such as the prior policy of a search. They stay the same agents
    in a later version in which a strength stands for another one.
    """
    return {strength: agent_of_strength(strength, game) for strength in STRENGTHS}


def resolved(agent: AgentLike, game: Game) -> AgentLike:
    """Return the text of the agent that a strength stands for; anything else is returned as it is."""
    return agent_of_strength(agent, game) if isinstance(agent, str) and agent in STRENGTHS else agent


def agent_of_strength(strength: str, game: Game) -> str:
    """Return the text of the agent that one of STRENGTHS stands for in a variant."""
    name, trained = game.variant.game, pretrained.best(game)
    usual = default_agent(name) if name in GAMES else "rules"
    listed = _listed()["trained" if trained else usual][strength]
    text: str = listed if isinstance(listed, str) else listed[next(filter(listed.__contains__, _places(game)))]
    return text.format(agent=trained)


def _places(game):
    """Return the keys of a table that hold for a variant, the most exact first."""
    name, players = game.variant.game, game.players
    return f"{name}/{game.settings.get('format')}/{players}", f"{name}/{players}", name, "usual"
