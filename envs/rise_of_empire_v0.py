"""Rise of Empire with the observations of version 0, for what was trained on them; the manual is rise_of_empire_v1.py.

They lack what the other side owns and may hold, what everybody can name in a hand, and who has won which scenario.
Play is the same, and so are actions.
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
