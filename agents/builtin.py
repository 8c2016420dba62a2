"""The agents that come with the package, by name.

An agent is any object with a `name` and a method `act`; a compiled one also has a `kind`, so that whole games can be
played inside a compiled loop. Both ways lead to the same games.
"""

import numpy as np

from stardeck.agents.kinds import AgentKind
from stardeck.kernels import batch

NAMES = {"random": AgentKind.RANDOM, "simple": AgentKind.SIMPLE, "rules": AgentKind.RULES}


class CompiledAgent:
    """A player whose decisions are a kernel: the verb `choose` with its kind."""

    def __init__(self, name: str):
        self.name = name
        self.kind = int(NAMES[name])

    def __repr__(self):
        return f"CompiledAgent({self.name!r})"

    def act(self, game, states, masks, seeds) -> np.ndarray:
        """An action for each game: int64[n].

        states: states[n], none of them over; masks: int8[n, num_actions], not needed; seeds: uint64[n], the chance of
        each decision.
        """
        actions = np.empty(len(states), np.int64)
        batch.choose_all(game.rules, states, np.zeros(1, batch.AGENT), self.kind, np.asarray(seeds, np.uint64), actions)
        return actions


def get(agent):
    """The agent of this name; anything that has `act` is passed through. Raises ValueError."""
    if callable(getattr(agent, "act", None)):
        return agent
    if agent not in NAMES:
        raise ValueError(f"agent {agent!r}: must be one of {', '.join(NAMES)}")
    return CompiledAgent(agent)
