"""Search as an agent: `search:400` looks at 400 simulated courses of the game before every decision.

`search:50ms` thinks for 50 milliseconds instead, so that its games depend on the machine. Options follow with colons:
`search:400:guide=ppo` looks first at what `ppo` would do, `search:400:judge=ppo:turns=2` asks `ppo` after two turns
what a position is worth instead of playing to the end. An agent of one's own may guide it: `guide=mine.py:Agent`.
"""

import re
import time
from collections.abc import Callable
from typing import Any

import numpy as np
from numpy.typing import NDArray

from stardeck.agents import own
from stardeck.agents.cast import Cast, is_compiled
from stardeck.agents.identity import identity_of
from stardeck.agents.tree import ALGORITHM, NOBODY, NODE, OUTSIDE, SEARCH, search_one
from stardeck.envs.agent import Actions, Agent, Masks, Seeds, States, decisions
from stardeck.envs.game import Game
from stardeck.kernels import playing
from stardeck.kernels.errors import cut, shown

PREFIX = "search:"
SLICE = 16  # simulations between two looks at the clock
MOST = 1_000_000  # simulations of a decision; more would fill the memory
OPTIONS = ("guide", "player", "judge", "turns", "exploration", "trust")


class SearchAgent:
    """Information-set Monte-Carlo tree search (agents/tree.py), for every game.

    simulations or milliseconds: the budget of a decision. guide: an agent whose choice is looked at first, as much as
    `trust` (0 to 1) says, asked once for each position where it is not compiled; player: a compiled agent that plays
    simulated games out; judge: a network that says what a position is worth after `turns` turns, instead of playing to
    the end. exploration: how much is given to actions that did worse so far. Raises ValueError.
    """

    def __init__(
        self, simulations: int | None = None, milliseconds: int | None = None, *, guide: Agent, player: Agent,
        judge: Agent | None = None, turns: float = 1, exploration: float = 1.0, trust: float = 0.5,
        name: str | None = None,
    ) -> None:  # fmt: skip
        if (simulations is None) == (milliseconds is None):
            raise ValueError("search: must have a budget of simulations or of milliseconds")
        for unit, budget in (("simulations", simulations), ("milliseconds", milliseconds)):
            if budget is not None and not 1 <= budget <= MOST:
                raise ValueError(f"search: {unit}={budget}: must be from 1 to {MOST:,}")
        if not 0 <= trust <= 1:
            raise ValueError(f"search: trust={trust}: must be from 0 to 1")
        if not 0 <= exploration < np.inf:
            raise ValueError(f"search: exploration={exploration}: must be at least 0")
        if turns not in range(MOST):
            raise ValueError(f"search: turns={turns}: must be a whole number from 0")
        if not is_compiled(player):
            raise ValueError(f"search: player {player.name!r}: must be a compiled agent or a network")
        if isinstance(guide, SearchAgent):
            raise ValueError(f"search: guide {guide.name!r}: must be an agent that does not search itself")
        if judge is not None and not (is_compiled(judge) and hasattr(judge, "network")):
            raise ValueError(f"search: judge {judge.name!r}: must be a network")
        self.simulations = simulations
        self.milliseconds = milliseconds
        self._agents = [guide, player, *([judge] if judge else [])]
        self.outsider = None if is_compiled(guide) else guide  # whom Python asks
        self.thread_safe = self.outsider is None or own.is_thread_safe(guide)
        self._numbers = {"exploration": exploration, "trust": trust, "turns": turns}
        text = f"{PREFIX}{simulations}" if simulations else f"{PREFIX}{milliseconds}ms"
        self.name: str = name or text
        numbers = (f"{number}={value}" for number, value in self._numbers.items())
        others = [getattr(agent, "identity", agent.name) for agent in self._agents]
        if self.outsider:
            others[0] = identity_of(guide)
        self.identity = ", ".join([text, f"algorithm={ALGORITHM}", *numbers, *others])
        self.simulated = 0  # decisions in all simulations so far, for benchmarks

    def __repr__(self):
        return f"SearchAgent({self.name!r})"

    def act(self, game: Game, states: States, masks: Masks, seeds: Seeds) -> Actions:
        """An action for each game: int64[n]. Arguments as in `CompiledAgent.act`; masks are needed."""
        self.check(game)
        seeds = game.check_decisions(states, seeds)
        thinking = _Thinking(self, game)
        actions = np.empty(len(states), np.int64)
        for row in range(len(states)):
            legal = np.flatnonzero(masks[row])
            actions[row] = legal[0] if len(legal) == 1 else thinking.action(states[row : row + 1], seeds[row])
        self.simulated += thinking.simulated
        return actions

    def check(self, game: Game) -> None:
        """Raises ValueError if one of its agents cannot play the game."""
        for agent in self._agents:
            if hasattr(agent, "check"):
                agent.check(game)

    def settings(self, game: Game) -> tuple[Cast, NDArray[np.void]]:
        """What the kernel is told: the agents as a `Cast`, and SEARCH[1]."""
        cast = Cast(self._agents[1:] if self.outsider else self._agents)
        kinds = [OUTSIDE, *cast.kinds] if self.outsider else cast.kinds
        search = np.zeros(1, SEARCH)
        for name, value in self._numbers.items():
            search[0][name] = value
        search[0]["guide"], search[0]["player"] = kinds[:2]
        search[0]["judge"] = kinds[2] if len(kinds) > 2 else NOBODY
        search[0]["sides"] = len(game.variant.sides)
        search[0]["side_of"] = NOBODY
        for side, seats in enumerate(game.variant.sides):
            search[0]["side_of"][list(seats)] = side
        return cast, search


class _Thinking:
    """One agent at work on one game, with the memory that it needs."""

    def __init__(self, agent, game):
        self._agent = agent
        self._game = game
        self._cast, self._search = agent.settings(game)
        self._scratch = np.empty(1, game.state_dtype)
        self._tree = np.zeros((agent.simulations or SLICE) + 1, NODE)
        self.simulated = 0

    def action(self, states, seed) -> int:
        """The action that was tried most often."""
        self._search["simulations"] = self._search["decisions"] = self._search["nodes"] = 0
        if self._agent.simulations:
            self._simulate(states, seed, self._agent.simulations)
        else:
            until = time.perf_counter() + self._agent.milliseconds / 1000
            while True:
                if self._search[0]["nodes"] + SLICE > len(self._tree):
                    self._tree = np.concatenate([self._tree, np.zeros_like(self._tree)])
                self._simulate(states, seed, SLICE)
                if time.perf_counter() > until or self._search[0]["simulations"] >= MOST:
                    break
        self.simulated += int(self._search[0]["decisions"])
        return most_tried(self._tree)

    def _simulate(self, states, seed, simulations):
        networks = self._cast.weights, self._cast.shapes
        scratch = self._scratch, self._tree, self._search, np.zeros(1, playing.AGENT)
        last = self._search[0]["simulations"] + simulations
        while left := int(last - self._search[0]["simulations"]):
            search_one(self._game.rules, states, *scratch, *networks, np.uint64(seed), left)
            if self._search[0]["waiting"]:
                self._ask_outsider()

    def _ask_outsider(self):
        """Put down what a guide that is not compiled would do where the simulation stands."""
        guide, search, scratch = self._agent.outsider, self._search[0], self._scratch
        seat, decision = int(scratch[0]["to_act"]), int(scratch[0]["decisions"])
        seed = playing.seed_one(np.uint64(search["deal"]), np.uint64(search["deal"]), seat, decision)
        (action,) = decisions(guide, self._game, scratch, np.array([seed], np.uint64))
        at = search if search["node"] == 0 else self._tree[search["node"]]
        at["guided"] = action
        search["waiting"] = 0


def most_tried(tree: NDArray[np.void]) -> int:
    """The action at the root that was tried most often; of equal ones the one with the higher returns."""
    children = []
    child = int(tree[0]["child"])
    while child:
        children.append(tree[child])
        child = int(children[-1]["sibling"])
    return int(max(children, key=lambda node: (node["visits"], node["total"]))["action"])


def parse(text: str, get: Callable[[str], Agent]) -> SearchAgent:
    """The agent that a text such as `search:400:guide=ppo` names. get: finds agents by name. Raises ValueError."""
    budget, *rest = re.split(r":(?=\w+=)", text[len(PREFIX) :])  # an agent's name may hold a colon
    number = re.fullmatch(r"(\d+)(ms)?", budget)
    options = dict(option.partition("=")[::2] for option in rest)
    unknown = [option for option in options if option not in OPTIONS]
    if not number or unknown or "" in options.values():
        allowed = ", ".join(f"{option}=…" for option in OPTIONS)
        raise ValueError(
            f"agent {shown(text)}: must be {PREFIX}N or {PREFIX}Nms (milliseconds), then with colons {allowed}"
        )
    values: dict[str, Any]
    try:
        values = {name: float(options[name]) for name in ("turns", "exploration", "trust") if name in options}
    except ValueError as error:
        raise ValueError(f"agent {shown(text)}: {cut(str(error))}") from None
    roles = {"guide": "rules", "player": "rules"} | options
    found: dict[str, Any] = {role: get(roles[role]) for role in ("guide", "player", "judge") if role in roles}
    found["milliseconds" if number[2] else "simulations"] = int(number[1])
    return SearchAgent(**found, **values, name=text)
