"""An agent that obeys a restriction, for any agent."""

from typing import Any

import numpy as np
from numpy.typing import NDArray

from stardeck.agents import user_agents
from stardeck.agents.identity import identity_of
from stardeck.agents.restricted import kernels
from stardeck.agents.restricted.restriction import Restriction
from stardeck.agents.search.agent import SearchAgent
from stardeck.game.agent import Actions, Agent, Masks, Seeds, States
from stardeck.game.agent_table import AgentTable, is_compiled
from stardeck.game.game import Game
from stardeck.kernels import verbs
from stardeck.kernels.loops import playouts


class RestrictedAgent:
    """A player that plays as another agent does, as well as it can without some actions.

    A network takes the best allowed action of its policy, a search the allowed action with the highest recommended
    probability. Other compiled agents decide again where their action is forbidden (agents/restricted/kernels.py). An
    agent of your own gets masks without the forbidden actions; if its action is forbidden nevertheless, one is drawn
    from the allowed ones, the declining ones first. Where all legal actions are forbidden, the restriction gives way.

    Args:
        agent: The agent.
        restriction: What it may not do.

    Attributes:
        counted: Numbers of decisions so far, COUNTED[1]; several threads together may count too few.
    """

    def __init__(self, agent: Agent, restriction: Restriction) -> None:
        self.agent, self.restriction = agent, restriction
        self.name = f"{agent.name} that {restriction.label}"
        self.identity = f"{identity_of(agent)}, restricted {restriction.identity}"
        self.thread_safe = is_compiled(agent) or user_agents.is_thread_safe(agent)
        self.counted = np.zeros(1, kernels.COUNTED)
        self._prepared: dict[str, kernels.Limits] = {}  # by the spaces of games

    def __repr__(self):
        return f"RestrictedAgent({self.agent!r}, {self.restriction.name!r})"

    def __reduce__(self) -> tuple[Any, ...]:
        """Pickle by content."""
        return RestrictedAgent, (self.agent, self.restriction)

    def check(self, game: Game) -> None:
        """Raise ValueError if the agent cannot play the game, or the game lacks what is forbidden."""
        user_agents.check(self.agent, game)
        self.limits(game)

    def limits(self, game: Game) -> kernels.Limits:
        """Return the restriction for compiled code, laid out once for each game. Raises ValueError as `check` does."""
        if game.spaces not in self._prepared:
            self.restriction.check(game)
            complete(game)
            self._prepared[game.spaces] = self.restriction.limits(game)
        return self._prepared[game.spaces]

    def act(self, game: Game, states: States, masks: Masks, seeds: Seeds) -> Actions:
        """Return an action for each game, int64[n]. Arguments as in `Agent.act`."""
        self.check(game)
        if is_compiled(self.agent):
            return self._act_compiled(game, states, seeds)
        fewer = self.restriction.allowed(masks)
        self._count(masks, fewer)
        if isinstance(self.agent, SearchAgent):
            return _searched(self.agent, game, states, fewer, seeds)
        actions = np.asarray(self.agent.act(game, states, fewer, seeds))
        game.check_actions(states, actions)
        strange = np.flatnonzero(fewer[np.arange(len(states)), actions] == 0)
        if len(strange):
            actions = actions.astype(np.int64)
            rank = self.limits(game).rank[kernels.LIMITED]
            for row in strange:
                best = np.where(fewer[row] != 0, rank, np.iinfo(np.int16).min)
                equal = np.flatnonzero(best == best.max())
                actions[row] = equal[int(seeds[row]) % len(equal)]
        return actions

    def _act_compiled(self, game, states, seeds):
        seeds = game.check_decisions(states, seeds)
        actions = np.empty(len(states), np.int64)
        table = AgentTable([self.agent])
        scratch, counted = np.zeros(1, playouts.AGENT), np.zeros(1, kernels.COUNTED)
        obeyed = kernels.Obeyed(self.limits(game), room_for(game), counted)
        kernels.choose_allowed_all(
            game.rules, states, scratch, int(table.kinds[0]), table.networks, seeds, obeyed, actions
        )
        for name in counted.dtype.names or ():
            self.counted[name] += counted[name]
        return actions

    def _count(self, masks, fewer):
        legal = masks != 0
        self.counted["decisions"] += len(masks)
        forbidden = legal[:, list(self.restriction.forbidden)].any(axis=1)
        if self.restriction.condition:
            forbidden &= legal[:, list(self.restriction.condition)].any(axis=1)
        self.counted["offered"] += int(forbidden.sum())
        self.counted["gave_way"] += int((forbidden & (fewer == masks).all(axis=1)).sum())


def complete(game: Game) -> None:
    """Let agents of a game that knows no second best name none."""
    if not verbs.is_implemented(verbs.choose_among, game.state_dtype):
        verbs.implement(verbs.choose_among, game.state_dtype, kernels.choose_none)


def room_for(game: Game) -> kernels.Room:
    """Return scratch memory for decisions of a game."""
    words: NDArray[np.uint64] = np.zeros(game.words, np.uint64)
    return kernels.Room(np.zeros(1, game.state_dtype), words, words.copy())


def _searched(agent, game, states, fewer, seeds):
    """Return the allowed action of each row that a search recommends most; of equal ones, the lowest."""
    thoughts = agent.think(game, states, seeds)
    actions = thoughts.chosen.copy()
    for row in np.flatnonzero(fewer[np.arange(len(states)), actions] == 0):
        some = slice(*thoughts.offsets[row : row + 2])
        legal, policy = thoughts.actions[some], thoughts.policy[some] + 1e-6 * thoughts.found["prior"][some]
        actions[row] = legal[np.where(fewer[row, legal] != 0, policy, -1).argmax()]
    return actions
