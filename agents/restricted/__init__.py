"""Agents that may not do something, for restricted play (Jaffe et al., 2012).

`RestrictedAgent(agent, restriction)` plays as well as the agent can without some actions. `restrictions_of(game)` lists
restrictions that make sense in a variant.
"""

from stardeck.agents.restricted.agent import RestrictedAgent
from stardeck.agents.restricted.listed import restrictions_of
from stardeck.agents.restricted.restriction import Restriction

__all__ = ["RestrictedAgent", "Restriction", "restrictions_of"]
