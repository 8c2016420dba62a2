"""Empire of the Stars with the observations of version 0, for agents trained on them.

The manual is empire_of_the_stars_v1.py. These observations lack the discard piles, the known tiles of the stack and the
public memory of the current role. Play and actions are the same.
"""

from stardeck.envs import empire_of_the_stars_v1
from stardeck.envs.base.aec import environments


class EmpireOfTheStars(empire_of_the_stars_v1.EmpireOfTheStars):
    """Empire of the Stars for PettingZoo, with the observations of version 0."""

    version = 0
    metadata = empire_of_the_stars_v1.EmpireOfTheStars.metadata | {"name": "empire_of_the_stars_v0"}


class SingleAgentEnv(empire_of_the_stars_v1.SingleAgentEnv):
    """Empire of the Stars for Gymnasium, with the observations of version 0."""

    version = 0


class VectorEnv(empire_of_the_stars_v1.VectorEnv):
    """Empire of the Stars as a Gymnasium vector environment, with the observations of version 0."""

    version = 0


env, raw_env, parallel_env = environments(EmpireOfTheStars)
