"""Star Realms with the observations of version 0, for what was trained on them; the manual is star_realms_v1.py.

They lack what others own and may hold, what everybody can name in a hand, and the history of a campaign.
Play is the same, and so are actions.
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
