"""The compiled agents of Empire of the Stars: which player `choose` asks."""

from stardeck.agents.random_legal import random_legal
from stardeck.kernels import verbs
from stardeck.kernels.empire_of_the_stars.state import STATE
from stardeck.kernels.jit import kernel


@kernel
def choose(rules, state, agent):
    """The action of a compiled agent."""
    return random_legal(rules, state, agent)


verbs.implement(verbs.choose, STATE, choose)
