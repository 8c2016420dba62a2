"""The agents of the package by name, and agents of files and of programs elsewhere.

An agent is any object with a `name` and a method `act` (`stardeck.Agent` lists the optional attributes). Agents of the
package with a `kind` or a `network` also play inside the compiled loops, where whole games run without a return to
Python. Both ways lead to the same games.
"""

from pathlib import Path
from typing import Any

import numpy as np

from stardeck.agents import strengths, user_agents
from stardeck.agents.former_names import FORMER_AGENTS
from stardeck.agents.honest_agent import HONEST, HonestAgent
from stardeck.agents.kinds import AgentKind
from stardeck.agents.networks import pretrained
from stardeck.agents.networks.agent import SUFFIX, NetworkAgent, read_network
from stardeck.agents.remote.address import is_remote
from stardeck.agents.remote.agent import RemoteAgent, remote_agent
from stardeck.agents.search import agent as search
from stardeck.agents.star_realms import GAMES_OF_HABITS, value_table
from stardeck.game.agent import Actions, Agent, AgentLike, Masks, Seeds, States
from stardeck.game.agent_table import is_compiled
from stardeck.game.catalogue import GAMES, default_agent
from stardeck.game.game import Game
from stardeck.kernels.deprecation import warn
from stardeck.kernels.errors import shown
from stardeck.kernels.loops import playouts
from stardeck.kernels.primitives.network import SHAPE_SIZE, Networks

NAMES = {"random": AgentKind.RANDOM, "simple": AgentKind.SIMPLE, "rules": AgentKind.RULES}
HABITS = {"cheap-combat": AgentKind.CHEAP_COMBAT, "same-faction": AgentKind.SAME_FACTION}  # only in GAMES_OF_HABITS
SHIPPED = (*NAMES, *HABITS, *pretrained.NAMES, *strengths.STRENGTHS)  # every name without a number or a file in it
NO_NETWORKS = Networks(np.zeros((0, 0), np.float32), np.zeros((0, SHAPE_SIZE), np.int64))


class CompiledAgent:
    """A player that decides in a kernel: the verb `choose` with its kind."""

    def __init__(self, name: str) -> None:
        self.name = name
        self.kind = int((NAMES | HABITS)[name])

    def __repr__(self):
        return f"CompiledAgent({self.name!r})"

    def act(self, game: Game, states: States, masks: Masks, seeds: Seeds) -> Actions:
        """Return an action for each game, int64[n].

        Args:
            game: The variant.
            states: Array states[n]; no game may be over.
            masks: Array int8[n, num_actions]; not needed.
            seeds: Array uint64[n], the chance of each decision.
        """
        self.check(game)
        seeds = game.check_decisions(states, seeds)
        actions = np.empty(len(states), np.int64)
        scratch = np.zeros(1, playouts.AGENT)
        playouts.choose_all(game.rules, states, scratch, self.kind, NO_NETWORKS, seeds, actions)
        return actions

    def check(self, game: Game) -> None:
        """Raise ValueError for a game that the agent does not know."""
        if self.name in HABITS and game.variant.game not in GAMES_OF_HABITS:
            raise ValueError(f"agent {self.name!r}: plays {' and '.join(GAMES_OF_HABITS)}, not {game.id}")
        entry = GAMES.get(game.variant.game)
        if self.kind != AgentKind.RANDOM and entry is not None and not entry.agents:
            raise ValueError(f"agent {self.name!r}: the game {game.variant.game} has no such agent; it has random")


def get(agent: AgentLike, game: Game | None = None) -> Agent:
    """Return an agent by name, by file (`*.safetensors`) or by the place of your own code (`mine.py:NAME`).

    The place may also be `package.mine:NAME`. A program elsewhere is `http://HOST:PORT` or `exec:COMMAND`, which starts
    it. `honest:` before a text gives the agent honest states. `easy`, `medium`, `hard` and `strongest` give the agent
    that they stand for in the variant, under its own name. An object that has `act` is passed through.

    Args:
        agent: Name, file, place, address or object.
        game: The variant to play. Trained agents by name and strengths need it. Without it a search whose text names
            no prior policy has `rules`.

    Raises:
        ValueError: The name is unknown, the file is not a network, a program does not answer as it should, or the
            agent cannot play the game.
    """
    found: Any
    if user_agents.acts(agent):
        found = user_agents.checked(agent)
    else:
        found = _named(str(agent), game) if isinstance(agent, str | Path) else _unknown(agent)
    if game is not None:
        user_agents.check(found, game)
    return found


def honest(agent: AgentLike) -> AgentLike:
    """Return an agent that cannot see what is hidden from its seat: see `HonestAgent` in honest_agent.py.

    Agents of the package look at nothing hidden, so they are returned as they are. So is a search, which redraws hidden
    cards before each simulation, also for your own prior policy. A program elsewhere gets no states. A text stays a
    text.

    Args:
        agent: A name, a file, the place of your own agent, or an object.

    Returns:
        The same agent, `honest:` and the text, or a `HonestAgent`.
    """
    if isinstance(agent, str | Path):
        return agent if _is_honest(str(agent)) or str(agent).startswith(HONEST) else f"{HONEST}{agent}"
    return agent if not user_agents.acts(agent) or _redraws(agent) else HonestAgent(user_agents.checked(agent))


def _is_honest(name):
    """Return true for a text whose agent sees nothing hidden: of the package, of a file of weights, or elsewhere."""
    known = name in (*SHIPPED, *FORMER_AGENTS) or pretrained.is_shipped(name) or name.endswith(SUFFIX)
    return known or name.startswith((value_table.PREFIX, search.PREFIX)) or is_remote(name)


def _redraws(agent):
    """Return true if an object sees nothing hidden as it is."""
    searches = isinstance(agent, search.SearchAgent) and not agent.open_cards
    return searches or isinstance(agent, HonestAgent | RemoteAgent) or is_compiled(agent)


def _name_of(path):
    """Return the name of a file's agent; every training writes `agent.safetensors`, so its folder gives the name."""
    return path.resolve().parent.name if path.stem == "agent" else path.stem


def _named(name, game):
    if name.startswith(HONEST):
        return honest(get(name.removeprefix(HONEST), game))
    if is_remote(name):
        return remote_agent(name)
    if name in FORMER_AGENTS:
        warn(f"agent {name} is now {FORMER_AGENTS[name]}; the former name works until version 0.3", 3)
        return CompiledAgent(FORMER_AGENTS[name])
    if name in strengths.STRENGTHS:
        if game is None:
            raise ValueError(f"agent {name!r}: stands for another agent in each variant: give the game too")
        return get(strengths.agent_of_strength(name, game), game)
    if name in NAMES or name in HABITS:
        return CompiledAgent(name)
    if pretrained.is_shipped(name) and game is not None:
        return pretrained.agent_for(game, name)
    if name.startswith(value_table.PREFIX):
        return value_table.worth_agent(name)
    if name.startswith(search.PREFIX):
        usual = default_agent(game.variant.game) if game is not None and game.variant.game in GAMES else "rules"
        prior = (game is not None and pretrained.best(game)) or usual
        return search.parse(name, lambda other: get(other, game), prior, usual)
    if name.endswith(SUFFIX):
        return NetworkAgent(read_network(name), _name_of(Path(name)))
    if user_agents.is_place(name):
        return user_agents.agent_at(name)
    return _unknown(name)


def _unknown(name):
    known = ", ".join([*SHIPPED, f"{search.PREFIX}N", f"{value_table.PREFIX}FILE"])
    raise ValueError(
        f"agent {shown(name)}: must be one of {known}, a file of a trained agent (*{SUFFIX}), an agent of your own"
        " (mine.py:NAME or package.mine:NAME), or a program elsewhere (http://HOST:PORT or exec:COMMAND)"
    )
