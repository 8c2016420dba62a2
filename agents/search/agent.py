"""Search as an agent: `search:400` simulates 400 continuations of the game before every decision.

`search:50ms` searches for 50 milliseconds instead, so its games depend on the machine. The prior policy is the
strongest trained agent of the package that plays the variant, or `rules` where there is none. It also plays the rollout
to the end of the turn, and its value network evaluates the position. Options follow with colons.

- `search:400:prior=ppo` takes its prior policy from `ppo`. It may be your own agent too: `prior=mine.py:Agent`.
- `search:400:prior=rules` uses no network: it plays the rollout with `rules` to the end of the game. With
  `prior=rules:value=ppo:rollout_turns=2` a value network evaluates the position after two turns.
- `search:400:opponents=expert` has an opponent model: it looks for the best response to that agent.
"""

import math
import re
from collections.abc import Callable
from typing import Any, Unpack

import numpy as np
from numpy.typing import NDArray

from stardeck.agents import user_agents
from stardeck.agents.former_names import FORMER, FORMER_OF, present, renamed, takes_former
from stardeck.agents.game_agents import said
from stardeck.agents.identity import identity_of
from stardeck.agents.networks.agent import BELIEF, JUDGE, Beside
from stardeck.agents.search.batch import Budget, Settings, Thoughts, think
from stardeck.agents.search.options import (
    MOST,
    MOST_THREADS,
    NUMBERS,
    REUSE,
    THREADS,
    SearchOptions,
    check_budget,
    described,
    numbers_of,
    settled,
)
from stardeck.agents.search.tree import NOBODY, OUTSIDE, SEARCH
from stardeck.agents.search.tree_reuse import Reuse
from stardeck.game.agent import Actions, Agent, Masks, Seeds, States
from stardeck.game.agent_table import AgentTable, is_compiled
from stardeck.game.game import Game
from stardeck.kernels.errors import cut, shown
from stardeck.kernels.primitives.network import Shape

ALGORITHM = 7  # raised whenever searches choose differently than before: results of two versions never mix
OTHERS_IN_TREES = "others=2"  # as ALGORITHM, for several trees with an opponent model, which once mixed rows
PREFIX = "search:"
WITH_A_JUDGE = 2  # a network trained only for values is more accurate later in the game
TO_THE_BOSS = 2  # against an automated Boss: until its turn has shown the value of the player's own turn
# Default weight of returns. A team's turn has many decisions, so its end says little about a single one.
CERTAINTY, OF_TEAMS = 4.0, 1.0
ROLES = ("prior", "player", "value", "opponents")


class SearchAgent:
    """Information-set tree search (agents/search/simulation.py), for every game. Options: `SearchOptions`.

    Args:
        simulations: Budget of a decision in simulations.
        milliseconds: Budget of a decision in milliseconds.
        prior: Prior policy. A network gives its policy, flattened by a higher `temperature`. Any other agent gives its
            action, with the prior `trust` (0 to 1), evaluated once for each position.
        player: Compiled agent or network that plays the rollout; by default the prior policy.
        value: Value network that evaluates a position after `rollout_turns`; by default the prior policy, if it is a
            network. `rollout_turns` is 1 by default, 2 with a trained value network or against a Boss, 3 in
            Interstellar Empire, and with three or more sides one turn of each. 0 evaluates at the leaf of the tree.
            With inf, as without a value network, games are played to their end.
        opponents: Opponent model, a compiled agent or network that decides for the other sides throughout. If its file
            holds an opponent-hand model, the search deals hands by it. By default the search also looks for the best
            actions of opponents, and deals at random. It excludes `reuse`.
        options: `candidates` is the maximum number of actions that are compared. `certainty` is the weight of exactly
            known mean returns relative to the prior, by default 4, and 1 where a side has several seats; fewer or more
            variable returns of an action lower it. `exploration` is the weight of exploration below the root, and
            `first_play` how far below the mean of the others an action counts before its first try. With `reuse` the
            tree below the chosen action continues in the next decision of the turn. With `open_cards` the search knows
            everything hidden and the outcomes of chance, for analysis only. With several `threads`, as many trees share
            the simulations of a decision, each with its own deals; the tries of their roots count together. The result
            depends on their number, not on the cores of the machine. With a time limit, every tree has the whole time.
            There are then no more trees than idle cores, and without `threads` only for a batch of one row.

    Raises:
        ValueError: An option or an agent is not allowed.
    """

    @takes_former
    def __init__(
        self, simulations: int | None = None, milliseconds: int | None = None, *, prior: Agent,
        player: Agent | None = None, value: Agent | None = None, opponents: Agent | None = None,
        **options: Unpack[SearchOptions],
    ) -> None:  # fmt: skip
        check_budget(simulations, milliseconds)
        chosen = settled(options)
        if chosen["reuse"] and opponents is not None:
            raise ValueError(f"search: {REUSE}: not together with opponents, whose play is known")
        self.simulations, self.milliseconds = simulations, milliseconds
        self.open_cards = chosen["open_cards"]
        self._numbers = numbers_of(chosen)
        self._reuse = Reuse() if chosen["reuse"] else None
        self._agents = self._in_roles(prior, player or prior, value, opponents)
        self.outsider = None if is_compiled(prior) else prior  # evaluated by Python
        self._threads = _threads_of(chosen, self.outsider)
        self.thread_safe = self.outsider is None or user_agents.is_thread_safe(prior)
        budget = f"{PREFIX}{simulations}" if simulations else f"{PREFIX}{milliseconds}ms"
        self.name: str = present(chosen["name"] or budget)
        known = [OTHERS_IN_TREES if chosen["threads"] not in (None, 1) else "others"] if opponents else []
        parts = [budget, f"algorithm={ALGORITHM}", *described(chosen), *known]
        identities = list(self._identities())
        self.identity = ", ".join([*parts, *identities])
        self._prior: str = identities[0]
        self.simulated = 0  # decisions in all simulations so far, for benchmarks

    def _in_roles(self, guide, player, judge, others) -> dict[str, Any]:
        """Return the agents of the search by their roles. Raises ValueError."""
        if judge is None and _is_network(guide):
            judge = guide
        _check_agents(guide, player, judge, others)
        if self._numbers["rollout_turns"] == math.inf:
            judge = None
        believed = getattr(others, BELIEF, None) and not self.open_cards
        beside = {JUDGE: judge and Beside(judge, JUDGE), BELIEF: Beside(others, BELIEF) if believed else None}
        asked = {"guide": guide, "player": player, "others": others, **beside}
        return {role: agent for role, agent in asked.items() if agent is not None}

    def _identities(self):
        """Return the identity of each agent, in the order of their roles."""
        identities = {role: getattr(agent, "identity", agent.name) for role, agent in self._agents.items()}
        if self.outsider:
            identities["guide"] = identity_of(self.outsider)
        return identities.values()

    def __repr__(self):
        return f"SearchAgent({self.name!r}, prior={self._prior!r})"

    @property
    def prior(self) -> Agent:
        """The agent of the prior policy."""
        guide: Agent = self._agents["guide"]
        return guide

    def act(self, game: Game, states: States, masks: Masks, seeds: Seeds) -> Actions:
        """Return an action for each game, int64[n]. Arguments as in `CompiledAgent.act`; masks are not needed."""
        return self.think(game, states, seeds).chosen

    def think(self, game: Game, states: States, seeds: Seeds) -> Thoughts:
        """Return the results of the search for each game: action, policy and value.

        Training by search learns this policy. Arguments as in `act`. A row depends only on its state and its seed; with
        `reuse` also on earlier searches in its turn.
        """
        self.check(game)
        seeds = game.check_decisions(states, seeds)
        budget = Budget(self.simulations, self.milliseconds, self._threads)
        settings = Settings(*self.settings(game), self.outsider, budget)
        thoughts, simulated = think(game, settings, states, seeds, self._reuse)
        self.simulated += simulated
        return thoughts

    def check(self, game: Game) -> None:
        """Raise ValueError if one of the agents cannot play the game."""
        for agent in self._agents.values():
            user_agents.check(agent, game)

    def settings(self, game: Game) -> tuple[AgentTable, NDArray[np.void]]:
        """Return the settings for the kernel: the agents as a `AgentTable`, and SEARCH[1]."""
        inside = {role: agent for role, agent in self._agents.items() if agent is not self.outsider}
        cast = AgentTable(inside.values())
        search = np.zeros(1, SEARCH)
        sides = len(game.variant.sides)
        usual = _usual(game, self._agents.get(JUDGE))
        for name, value in self._numbers.items():
            search[0][FORMER_OF.get(name, name)] = min(usual[name] if value is None else value, MOST)
        kinds = {"guide": OUTSIDE} | dict.fromkeys(("others", JUDGE, BELIEF), NOBODY)
        kinds |= dict(zip(inside, cast.kinds, strict=True))
        for role, kind in kinds.items():
            search[0][role] = kind
        search[0]["simulations"] = self.simulations or MOST
        search[0]["timed"] = self.simulations is None
        search[0]["open"] = self.open_cards
        search[0]["seen"] = game.observation_size
        search[0]["sides"] = sides
        search[0]["side_of"] = NOBODY
        search[0]["side_of"][: game.players] = game.side_of
        return cast, search


def _threads_of(chosen: SearchOptions, outsider: Agent | None) -> int | None:
    """Return the number of trees of a decision; None: as many as there are idle cores. Raises ValueError."""
    threads = chosen["threads"]
    if not chosen["reuse"] and outsider is None:
        return threads
    if threads is None or threads == 1:
        return 1
    if chosen["reuse"]:
        raise ValueError(f"search: {THREADS}={threads}: not together with {REUSE}, which keeps one tree")
    name = shown(outsider.name if outsider else None)
    raise ValueError(f"search: {THREADS}={threads}: not with the prior policy {name}, which Python evaluates")


def _usual(game, judge):
    """Return the default numbers that depend on the game and on its value network. judge: None if there is none."""
    sides = game.variant.sides
    taught = judge is not None and not judge.network.shape[Shape.ACTIONS]
    turns = said(game.variant.game, "SEARCH_TURNS", WITH_A_JUDGE if taught else 1)
    if len(sides) == 1:
        turns = TO_THE_BOSS
    elif len(sides) > 2:  # what one of many has done is soon undone by the others
        turns = max(turns, len(sides))
    return {"rollout_turns": turns, "certainty": CERTAINTY if len(sides) == game.players else OF_TEAMS}


def _check_agents(guide, player, judge, others):
    if isinstance(guide, SearchAgent):
        raise ValueError(f"search: prior {guide.name!r}: must be an agent that does not search itself")
    for role, agent in (("player", player), ("opponents", others)):
        if agent is not None and not is_compiled(agent):
            raise ValueError(f"search: {role} {agent.name!r}: must be a compiled agent or a network")
    if judge is not None and not _is_network(judge):
        raise ValueError(f"search: value {judge.name!r}: must be a network")


def _is_network(agent):
    return is_compiled(agent) and hasattr(agent, "network")


def parse(text: str, get: Callable[[str], Agent], prior: str = "rules", player: str = "rules") -> SearchAgent:
    """Return the agent that a text such as `search:400:prior=ppo` names. Raises ValueError.

    Args:
        text: The text.
        get: Function that finds agents by name.
        prior: Name of the prior policy where the text names none.
        player: Name of the rollout policy where the text names none and the prior policy is not a network.
    """
    budget, *rest = re.split(r":(?=\w+=)", text[len(PREFIX) :])  # an agent's name may hold a colon
    number = re.fullmatch(r"(\d+)(ms)?", budget)
    options = dict(option.partition("=")[::2] for option in rest)
    known = (*ROLES, *NUMBERS, REUSE, THREADS)
    unknown = [option for option in options if option not in (*known, *FORMER)]
    if not number or unknown or "" in options.values():
        allowed = ", ".join(f"{option}=…" for option in known)
        raise ValueError(
            f"agent {shown(text)}: must be {PREFIX}N or {PREFIX}Nms (milliseconds), then with colons {allowed}"
        )
    budgets: dict[str, Any] = {"milliseconds" if number[2] else "simulations": int(number[1])}
    options = renamed(f"agent {shown(text)}", options, 4)
    values = _values(text, options)  # raises before agents are looked up
    return SearchAgent(**budgets, **_named_agents(options, get, prior, player), **values, name=text)


def _values(text, options) -> dict[str, Any]:
    """Return the options of a text that are not agents. Raises ValueError."""
    values: dict[str, Any] = {}
    for name in filter(options.__contains__, NUMBERS):
        try:
            values[name] = float(options[name])
        except ValueError:
            least, most, _ = NUMBERS[name]
            allowed = f"must be a number from {least} to {most:,}"
            raise ValueError(f"agent {shown(text)}: {name}={cut(options[name])}: {allowed}") from None
    if options.get(REUSE, "0") not in ("0", "1"):
        raise ValueError(f"agent {shown(text)}: {REUSE}={cut(options[REUSE])}: must be 0 or 1")
    if not re.fullmatch(r"[0-9]{1,9}", options.get(THREADS, "1")):
        allowed = f"must be a whole number from 1 to {MOST_THREADS}"
        raise ValueError(f"agent {shown(text)}: {THREADS}={cut(options[THREADS])}: {allowed}")
    values[THREADS] = int(options[THREADS]) if THREADS in options else None
    return values | {REUSE: options.get(REUSE) == "1"}


def _named_agents(options, get, prior, player) -> dict[str, Any]:
    """Return the agents that the options of a text name, by their roles; `prior` and `player` are the defaults."""
    roles = {"prior": prior} | options
    found = {role: get(roles[role]) for role in ROLES if role in roles}
    if "player" not in found:
        found["player"] = found["prior"] if _is_network(found["prior"]) else get(player)
    return found
