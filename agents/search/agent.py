"""Search as an agent: `search:400` looks at 400 simulated courses of the game before every decision.

`search:50ms` thinks for 50 milliseconds instead, so that its games depend on the machine. Options follow with colons:
`search:400:prior=ppo` takes `ppo` as prior policy and as rollout policy to the end of the turn. There it asks the value
network in the file of `ppo`, or else `ppo`, for the value of the position. `search:400:value=ppo:rollout_turns=2` plays
on with `rules` and asks after two turns. Your own agent can be the prior policy: `prior=mine.py:Agent`. With
`opponents=expert` as opponent model, the search looks for the best answer to `expert`.
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
from stardeck.agents.search.batch import Settings, Thoughts, think
from stardeck.agents.search.options import (
    MOST,
    NUMBERS,
    REUSE,
    SearchOptions,
    check_budget,
    described,
    numbers_of,
    settled,
)
from stardeck.agents.search.tree import NOBODY, OUTSIDE, SEARCH
from stardeck.agents.search.tree_reuse import Reuse
from stardeck.game.agent import Actions, Agent, Masks, Seeds, States
from stardeck.game.agent_table import Cast, is_compiled
from stardeck.game.game import Game
from stardeck.kernels.errors import cut, shown
from stardeck.kernels.primitives.network import Shape

ALGORITHM = 7  # raised whenever searches choose otherwise than before: results of two are never mixed
PREFIX = "search:"
WITH_A_JUDGE = 2  # a network that was taught for it alone tells more, the further the game has gone on
TO_THE_BOSS = 2  # against an automated Boss: to where its turn has shown what one's own was worth
# How much returns count by default. A team's turn has so many decisions that its end tells little of a single one.
CERTAINTY, OF_TEAMS = 4.0, 1.0
ROLES = ("prior", "player", "value", "opponents")


class SearchAgent:
    """Information-set tree search (agents/search/simulation.py), for every game. Options: `SearchOptions`.

    simulations or milliseconds: the budget of a decision.

    prior: the prior policy, whose choice is looked at first. A network gives its policy, which a higher `temperature`
    makes flatter. Any other agent gives the action that it takes, with probability `trust` (0 to 1); it is asked once
    for each position. player: the rollout policy, a compiled agent or network; by default the prior policy.

    value: the value network, which is asked after `rollout_turns`; by default the prior policy, if it is a network.
    rollout_turns: the rollout depth in turns. By default 1, or 2 with a value network and against a Boss, or 3 in
    Interstellar Empire; with three and more sides at least one turn of each. 0: at the leaf; inf: never, so that games
    are played to their end, as they are without a value network.

    opponents: the opponent model, a compiled agent or network that decides for all other sides. If its file holds an
    opponent-hand model, hands are dealt by it. By default opponents maximise their own returns in the tree, and hands
    are dealt by chance. Not together with `reuse`.

    candidates: how many actions are compared at most; certainty: how much their mean returns count beside the prior if
    they are known exactly, by default 4, and 1 where a side has several seats; the more the returns of one action
    differ, and the fewer there are, the less.
    exploration: how much below the root is given to actions that did worse so far; first_play: how much less than the
    mean of the others an action counts there before its first try. reuse: whether the tree below what it has taken
    goes on in the next decision of the turn. open_cards: it knows what is hidden, and what chance will bring: for
    analysis alone. Raises ValueError.
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
        self.outsider = None if is_compiled(prior) else prior  # whom Python asks
        self.thread_safe = self.outsider is None or user_agents.is_thread_safe(prior)
        budget = f"{PREFIX}{simulations}" if simulations else f"{PREFIX}{milliseconds}ms"
        self.name: str = present(chosen["name"] or budget)
        parts = [budget, f"algorithm={ALGORITHM}", *described(chosen), *(["others"] if opponents else [])]
        self.identity = ", ".join([*parts, *self._identities()])
        self.simulated = 0  # decisions in all simulations so far, for benchmarks

    def _in_roles(self, guide, player, judge, others) -> dict[str, Any]:
        """Return the agents that the search asks, by their roles. Raises ValueError."""
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
        return f"SearchAgent({self.name!r})"

    def act(self, game: Game, states: States, masks: Masks, seeds: Seeds) -> Actions:
        """An action for each game: int64[n]. Arguments as in `CompiledAgent.act`; masks are not needed."""
        return self.think(game, states, seeds).chosen

    def think(self, game: Game, states: States, seeds: Seeds) -> Thoughts:
        """What the search makes of each game: the action it takes, a policy, and what the game is worth.

        For training by search: the policy is what the network should learn to play. Arguments as in `act`. A row
        depends on its state and its seed alone; with `reuse` also on what was thought earlier in its turn.
        """
        self.check(game)
        seeds = game.check_decisions(states, seeds)
        settings = Settings(*self.settings(game), self.outsider, self.simulations, self.milliseconds)
        thoughts, simulated = think(game, settings, states, seeds, self._reuse)
        self.simulated += simulated
        return thoughts

    def check(self, game: Game) -> None:
        """Raises ValueError if one of its agents cannot play the game."""
        for agent in self._agents.values():
            user_agents.check(agent, game)

    def settings(self, game: Game) -> tuple[Cast, NDArray[np.void]]:
        """What the kernel is told: the agents as a `Cast`, and SEARCH[1]."""
        inside = {role: agent for role, agent in self._agents.items() if agent is not self.outsider}
        cast = Cast(inside.values())
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


def _usual(game, judge):
    """The numbers that depend on the game, and on its judge, where none are given. judge: None if there is none."""
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


def parse(text: str, get: Callable[[str], Agent], guide: str = "rules") -> SearchAgent:
    """The agent that a text such as `search:400:prior=ppo` names. Raises ValueError.

    get: finds agents by name; guide: the name of the prior policy where the text names none.
    """
    budget, *rest = re.split(r":(?=\w+=)", text[len(PREFIX) :])  # an agent's name may hold a colon
    number = re.fullmatch(r"(\d+)(ms)?", budget)
    options = dict(option.partition("=")[::2] for option in rest)
    known = (*ROLES, *NUMBERS, REUSE)
    unknown = [option for option in options if option not in (*known, *FORMER)]
    if not number or unknown or "" in options.values():
        allowed = ", ".join(f"{option}=…" for option in known)
        raise ValueError(
            f"agent {shown(text)}: must be {PREFIX}N or {PREFIX}Nms (milliseconds), then with colons {allowed}"
        )
    budgets: dict[str, Any] = {"milliseconds" if number[2] else "simulations": int(number[1])}
    options = renamed(f"agent {shown(text)}", options, 4)
    values = _values(text, options)  # complains before agents are looked for
    return SearchAgent(**budgets, **_named_agents(options, get, guide), **values, name=text)


def _values(text, options) -> dict[str, Any]:
    """Return the options of a text that are no agents. Raises ValueError."""
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
    return values | {REUSE: options.get(REUSE) == "1"}


def _named_agents(options, get, guide) -> dict[str, Any]:
    """Return the agents that the options of a text name, by their roles; `guide` is the prior policy by default."""
    roles = {"prior": guide} | options
    found = {role: get(roles[role]) for role in ROLES if role in roles}
    if "player" not in found:
        found["player"] = found["prior"] if _is_network(found["prior"]) else get(guide)
    return found
