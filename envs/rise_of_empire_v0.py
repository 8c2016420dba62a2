"""Rise of Empire with the observations of version 0, for agents trained on them.

The manual is rise_of_empire_v1.py. These observations lack the cards that the other side owns and may hold, the cards
known to everyone in a hand, and the winner of each scenario. Play and actions are the same.
"""

from stardeck.envs import rise_of_empire_v1
from stardeck.envs.base.aec import environments


class RiseOfEmpire(rise_of_empire_v1.RiseOfEmpire):
    """Rise of Empire for PettingZoo, with the observations of version 0."""

    version = 0
    metadata = rise_of_empire_v1.RiseOfEmpire.metadata | {"name": "rise_of_empire_v0"}


class SingleAgentEnv(rise_of_empire_v1.SingleAgentEnv):
    """Rise of Empire for Gymnasium, with the observations of version 0."""

    version = 0


class VectorEnv(rise_of_empire_v1.VectorEnv):
    """Rise of Empire as a Gymnasium vector environment, with the observations of version 0."""

    version = 0


env, raw_env, parallel_env = environments(RiseOfEmpire)
