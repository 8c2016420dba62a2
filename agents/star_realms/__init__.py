"""The compiled agents of Star Realms, and `choose`, which runs the one that a number names.

`simple` plays and uses everything and buys at random. `rules` (rules.py) knows what a beginner soon learns.
"""

from stardeck.agents.kinds import AgentKind
from stardeck.agents.random_legal import random_legal
from stardeck.agents.star_realms.among import choose_among
from stardeck.agents.star_realms.rules import rules_of_thumb
from stardeck.agents.star_realms.simple import simple_player
from stardeck.kernels import verbs
from stardeck.kernels.compile.jit import kernel
from stardeck.kernels.star_realms.state import LARGE_STATE, STATE

GAMES_OF_HABITS = ("star_realms", "rise_of_empire")  # which `cheap-combat` and `same-faction` play
# What chance decides at the deal, and what afterwards, by name of the game.
CHANCE = {
    "star_realms": (
        "the order of the trade deck and of the starting decks, and the gambits if there are any",
        "shuffles of discard piles into new decks, and other draws during play",
    ),
    "rise_of_empire": (
        "the order of the trade deck and of the starting decks in the first game of the campaign",
        "shuffles of discard piles into new decks, and the deals of all later games of the campaign",
    ),
}


@kernel
def choose(rules, state, agent):
    """Return the action of a compiled agent."""
    if agent.kind == AgentKind.RANDOM:
        return random_legal(rules, state, agent)
    if agent.kind == AgentKind.SIMPLE:
        return simple_player(rules, state, agent)
    return rules_of_thumb(rules, state, agent)


for dtype in (STATE, LARGE_STATE):
    verbs.implement(verbs.choose, dtype, choose)
    verbs.implement(verbs.choose_among, dtype, choose_among)
