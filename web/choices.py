"""Choices open to a request: games with their settings, and agents by name. Never a file, and no code."""

import json
import re
from functools import lru_cache
from typing import Any

from stardeck import agents
from stardeck.agents import names
from stardeck.agents.former_names import FORMER, FORMER_AGENTS
from stardeck.agents.search.agent import ROLES
from stardeck.agents.search.options import REUSE, THREADS
from stardeck.game.agent import Agent
from stardeck.game.game import Game
from stardeck.game.registry import GAMES, settings_of
from stardeck.kernels.errors import shown

PERSON = "person"
SHIPPED = tuple(dict.fromkeys(("rules", "simple", *names.SHIPPED)))  # pages suggest the first ones
MOST_SIMULATIONS = 2_000
MOST_MILLISECONDS = 2_000
LONGEST = 200  # characters of an agent's text
# Each character fits one place alone: a pattern with a choice would try all of them, in a time that doubles with each.
_SEARCH = re.compile(r"search:(\d{1,6})(ms)?((?::[a-z_]+=[a-z0-9.-]{1,20})*)")


class RequestError(ValueError):
    """A request for something that is not allowed; the message says what is."""


def game_from(name: str, settings: dict[str, Any]) -> Game:
    """Return a game by name and settings. Raises RequestError."""
    if name not in GAMES:
        raise RequestError(f"game {shown(name)}: must be one of {', '.join(GAMES)}")
    for setting in settings_of(name):
        value = settings.get(setting.name)
        if setting.path and value is not None and value not in setting.allowed:
            allowed = ", ".join(map(str, setting.allowed)) or "left out"
            raise RequestError(
                f"{setting.name}={shown(value)}: must be {allowed}; a server reads no files for a request"
            )
    try:
        return _made(name, json.dumps(settings, sort_keys=True))
    except (ValueError, TypeError) as error:
        raise RequestError(str(error)) from error


@lru_cache(64)
def _made(name, settings):
    return Game.named(name, json.loads(settings))  # `make` has further options, such as the device


def agent_from(text: str, game: Game, offered: dict[str, str]) -> Agent:
    """Return a shipped agent, a strength, a search with a shipped prior policy, or an agent that the server offers.

    Args:
        text: The agent in text.
        game: The game it plays.
        offered: Agents of the server's owner, {name: text}.

    Returns:
        The agent.

    Raises:
        RequestError: The agent is none of these.
    """
    _check_agent(text, offered)
    try:
        return agents.get(offered.get(text, text), game)
    except ValueError as error:
        raise RequestError(str(error)) from error


def _check_agent(text, offered):
    if text in (*SHIPPED, *FORMER_AGENTS, *offered):
        return
    found = _SEARCH.fullmatch(text) if len(text) <= LONGEST else None
    if found is None:
        known = ", ".join((*offered, *SHIPPED))
        raise RequestError(f"agent {shown(text)}: must be one of {known}, or a search such as search:200:prior=ppo")
    most = MOST_MILLISECONDS if found[2] else MOST_SIMULATIONS
    if not 1 <= int(found[1]) <= most:
        raise RequestError(f"agent {shown(text)}: a search here has from 1 to {most:,}")
    for option in filter(None, found[3].split(":")):
        given, _, value = option.partition("=")
        key = FORMER.get(given, given)
        if key == REUSE:  # the next decision may run on another thread, which does not have the kept tree
            raise RequestError(f"agent {shown(text)}: {key} is for games that are played in one go, not here")
        if key == THREADS:
            raise RequestError(f"agent {shown(text)}: {key} is for games that are played in one go; the server decides")
        if key in ROLES and value not in (*SHIPPED, *FORMER_AGENTS):
            raise RequestError(f"agent {shown(text)}: {key} must be one of {', '.join(SHIPPED)}")
