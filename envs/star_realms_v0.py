"""Star Realms with the observations of version 0, for agents trained on them.

The manual is star_realms_v1.py. These observations lack the cards that opponents own and may hold, the cards known to
everyone in a hand, and the history of a campaign. Play and actions are the same.
"""

from stardeck.envs import star_realms_v1
from stardeck.envs.base.aec import environments


class StarRealms(star_realms_v1.StarRealms):
    """Star Realms for PettingZoo, with the observations of version 0."""

    version = 0
    metadata = star_realms_v1.StarRealms.metadata | {"name": "star_realms_v0"}


class SingleAgentEnv(star_realms_v1.SingleAgentEnv):
    """Star Realms for Gymnasium, with the observations of version 0."""

    version = 0


class VectorEnv(star_realms_v1.VectorEnv):
    """Star Realms as a Gymnasium vector environment, with the observations of version 0."""

    version = 0


env, raw_env, parallel_env = environments(StarRealms)
