"""The compiled agents of Empire of the Stars, and `choose`, which runs the one that a number names."""

from stardeck.agents.empire_of_the_stars.rules import best_of, rules_of_thumb
from stardeck.agents.empire_of_the_stars.simple import simple_player
from stardeck.agents.kinds import AgentKind
from stardeck.agents.random_legal import random_legal
from stardeck.kernels import verbs
from stardeck.kernels.compile.jit import kernel
from stardeck.kernels.empire_of_the_stars.state import STATE

CHANCE = {  # at the deal, and afterwards
    "empire_of_the_stars": (
        "the order of the technologies and of the exploration tiles, the first hands, and the powers on offer",
        "shuffles of discarded technologies into new decks",
    )
}


@kernel
def choose(rules, state, agent):
    """Return the action of a compiled agent."""
    if agent.kind == AgentKind.RANDOM:
        return random_legal(rules, state, agent)
    if agent.kind == AgentKind.SIMPLE:
        return simple_player(rules, state, agent)
    return rules_of_thumb(rules, state, agent)


@kernel
def choose_among(rules, state, agent, room):
    """Return the action of a set that `rules` values most. Other agents have no order."""
    return best_of(rules, state, agent, room.allowed) if agent.kind == AgentKind.RULES else -1


verbs.implement(verbs.choose, STATE, choose)
verbs.implement(verbs.choose_among, STATE, choose_among)
