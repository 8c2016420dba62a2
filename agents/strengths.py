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
    listed = _listed()
    trained = pretrained.best(game)
    if trained is not None:
        return _search(game, trained) if strength == "strongest" else listed["trained"][strength].format(agent=trained)
    name = game.variant.game
    kind = "rules" if name not in GAMES or default_agent(name) == "rules" else "random"
    text: str = listed[kind][strength]
    return text


def _search(game, prior):
    """Return the strongest search: the one of the exact variant, else of its game and players, else of its game."""
    searches = _listed()["strongest"]
    name = game.variant.game
    places = f"{name}/{game.settings.get('format', '')}/{game.players}", f"{name}/{game.players}", name
    text: str = next(searches[place] for place in (*places, "usual") if place in searches)
    return text.format(agent=prior)
