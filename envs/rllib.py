"""RLlib's names for the parts of an observation.

    from ray.rllib.env.wrappers.pettingzoo_env import PettingZooEnv
    register_env("star_realms", lambda config: PettingZooEnv(ForRLlib(star_realms_v1.env(**config))))

RLlib's `ActionMaskingTorchRLModule` expects `observations` and an `action_mask` of floats. RLlib's checker takes an
action without looking at its mask; `on_illegal="raise"` refuses it. Importing this module does not need RLlib.
"""

from typing import Any

import numpy as np
from gymnasium import Space
from gymnasium.spaces import Box, Dict
from pettingzoo import AECEnv
from pettingzoo.utils.wrappers import BaseWrapper


class ForRLlib(BaseWrapper):
    """Wrapper of an environment; it observes `{"observations", "action_mask": float32[num_actions]}`."""

    def __init__(self, env: AECEnv) -> None:
        super().__init__(env)
        self._spaces = {agent: self._renamed(env.observation_space(agent)) for agent in env.possible_agents}

    @staticmethod
    def _renamed(space: Space[Any]) -> Dict:
        if not isinstance(space, Dict):
            raise ValueError("mask_in='info': must be obs or both, since RLlib expects the mask in the observation")
        mask = Box(0, 1, space["action_mask"].shape, np.float32)
        return Dict({"observations": space["observation"], "action_mask": mask})

    def observation_space(self, agent: str) -> Dict:
        """Return the observation space of a seat, always the same object."""
        return self._spaces[agent]

    def observe(self, agent: str) -> dict[str, np.ndarray]:
        """Return the observation of a seat; the mask of a seat that does not decide is all 1."""
        seen = super().observe(agent)
        return {"observations": seen["observation"], "action_mask": seen["action_mask"].astype(np.float32)}
