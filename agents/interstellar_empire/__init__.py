"""The compiled agents of Interstellar Empire, and `choose`, which runs the one that a number names."""

from stardeck.agents.interstellar_empire.among import choose_among
from stardeck.agents.interstellar_empire.rules import rules_of_thumb
from stardeck.agents.interstellar_empire.simple import simple_player
from stardeck.agents.kinds import AgentKind
from stardeck.agents.random_legal import random_legal
from stardeck.kernels import verbs
from stardeck.kernels.compile.jit import kernel
from stardeck.kernels.interstellar_empire.state import STATE

SEARCH_TURNS = 3  # that a search looks ahead by default: turns are short here
CHANCE = {  # at the deal, and afterwards
    "interstellar_empire": ("the order of the deck, and so all cards drawn from it", "cards taken from hands at random")
}


@kernel
def choose(rules, state, agent):
    """Return the action of a compiled agent."""
    if agent.kind == AgentKind.RANDOM:
        return random_legal(rules, state, agent)
    if agent.kind == AgentKind.SIMPLE:
        return simple_player(rules, state, agent)
    return rules_of_thumb(rules, state, agent)


verbs.implement(verbs.choose, STATE, choose)
verbs.implement(verbs.choose_among, STATE, choose_among)
