"""Agents that cannot see what is hidden from their seat."""

import numpy as np
from numpy.typing import NDArray

from stardeck.agents.identity import identity_of
from stardeck.agents.user_agents import check, is_thread_safe
from stardeck.game.agent import FORWARDING_FILES, Agent, Masks, Seeds, States
from stardeck.game.game import Game

HONEST = "honest:"  # prefix of the name of an agent that sees honest states only
REDRAW = np.uint64(0x8E51F0A3C6D9B274)  # separates the chance of a redraw from the agent's own draws

FORWARDING_FILES.add(__file__)


class HonestAgent:
    """An agent that sees only what its seat may know: the rest of each state is redrawn before it decides.

    The redraw follows `Game.resample_hidden` and includes the stream of chance. It depends only on the seed of the
    decision, and leaves the game as it is. Results name the agent `honest:` plus its own name, so they never mix with
    results of the agent itself. `stardeck.agents.honest` makes one where an agent could look at hidden cards.
    """

    def __init__(self, agent: Agent) -> None:
        """Wrap `agent`."""
        self.agent = agent

    def __repr__(self) -> str:
        return f"HonestAgent({self.agent!r})"

    def __eq__(self, other: object) -> bool:
        return isinstance(other, HonestAgent) and other.agent is self.agent

    def __hash__(self) -> int:
        return id(self.agent)

    @property
    def name(self) -> str:
        """Name of the agent after `honest:`."""
        return HONEST + self.agent.name

    @property
    def identity(self) -> str:
        """Identity of the agent itself."""
        return identity_of(self.agent)

    @property
    def thread_safe(self) -> bool:
        """True if several threads may ask the agent at once."""
        return is_thread_safe(self.agent)

    def check(self, game: Game) -> None:
        """Raise ValueError for a game that the agent cannot play."""
        check(self.agent, game)

    def act(self, game: Game, states: States, masks: Masks, seeds: Seeds) -> NDArray[np.integer]:
        """Return an action for each game: int[n]. Arguments as in `Agent.act`."""
        redraws = game.check_decisions(states, seeds) ^ REDRAW
        return self.agent.act(game, game.resample_hidden(states, game.to_act(states), redraws), masks, seeds)
