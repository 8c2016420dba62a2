"""Interstellar Empire with the observations of version 0, for agents trained on them.

The manual is interstellar_empire_v1.py. These observations lack the cards of the discard pile. Play and actions are the
same.
"""

from stardeck.envs import interstellar_empire_v1
from stardeck.envs.base.aec import environments


class InterstellarEmpire(interstellar_empire_v1.InterstellarEmpire):
    """Interstellar Empire for PettingZoo, with the observations of version 0."""

    version = 0
    metadata = interstellar_empire_v1.InterstellarEmpire.metadata | {"name": "interstellar_empire_v0"}


class SingleAgentEnv(interstellar_empire_v1.SingleAgentEnv):
    """Interstellar Empire for Gymnasium, with the observations of version 0."""

    version = 0


class VectorEnv(interstellar_empire_v1.VectorEnv):
    """Interstellar Empire as a Gymnasium vector environment, with the observations of version 0."""

    version = 0


env, raw_env, parallel_env = environments(InterstellarEmpire)
