"""Baseline for speed: the usual route from PettingZoo to Stable-Baselines3, with Python environments in sequence.

It stacks an AEC environment, PettingZoo's wrappers, the wrapper of its tutorial on self-play with masks, ActionMasker
of sb3-contrib, and DummyVecEnv. Each step is the next agent's decision.
"""

from collections.abc import Callable, Mapping
from typing import Any

import gymnasium
import numpy as np
from numpy.typing import NDArray
from pettingzoo import AECEnv
from pettingzoo.utils import AssertOutOfBoundsWrapper, BaseWrapper, OrderEnforcingWrapper, TerminateIllegalWrapper
from sb3_contrib.common.wrappers import ActionMasker
from stable_baselines3.common.vec_env import DummyVecEnv


class OneAgentAtATime(BaseWrapper, gymnasium.Env):  # as in PettingZoo's tutorial
    """A wrapper in which the selected agent acts and the next one observes."""

    def reset(
        self, seed: int | None = None, options: dict[str, Any] | None = None
    ) -> tuple[NDArray[np.uint8], dict[str, Any]]:
        """Begin a game."""
        BaseWrapper.reset(self, seed, options)
        first = self.possible_agents[0]
        self.observation_space = BaseWrapper.observation_space(self, first)["observation"]
        self.action_space = BaseWrapper.action_space(self, first)
        return self.observe(self.agent_selection), {}

    def step(self, action: Any) -> tuple[NDArray[np.uint8], float, bool, bool, dict[str, Any]]:
        """Let the selected agent act."""
        agent = self.agent_selection
        super().step(action)
        over = self.terminations[agent], self.truncations[agent]
        return self.observe(self.agent_selection), self._cumulative_rewards[agent], *over, {}

    def observe(self, agent: str) -> NDArray[np.uint8]:
        """Return the observation of an agent, without the mask."""
        return super().observe(agent)["observation"]

    def action_mask(self) -> NDArray[np.bool_]:
        """Return the mask of the selected agent."""
        return super().observe(self.agent_selection)["action_mask"].astype(bool)


def usual_route(raw_env: Callable[..., AECEnv], settings: Mapping[str, Any], num_envs: int) -> DummyVecEnv:
    """Return a DummyVecEnv with environments of a game, each in its wrappers.

    Args:
        raw_env: Function that makes an AEC environment.
        settings: Its arguments.
        num_envs: Number of environments.
    """

    def make():
        env = OrderEnforcingWrapper(AssertOutOfBoundsWrapper(TerminateIllegalWrapper(raw_env(**settings), -1)))
        env = OneAgentAtATime(env)
        env.reset()
        return ActionMasker(env, OneAgentAtATime.action_mask)

    return DummyVecEnv([make] * num_envs)
