"""The usual route from PettingZoo to Stable-Baselines3, to compare with: one Python environment after another.

An AEC environment, PettingZoo's wrappers, the wrapper of its tutorial on self-play with masks (each step is the next
agent's decision), ActionMasker of sb3-contrib, and DummyVecEnv.
"""

import gymnasium
from pettingzoo.utils import AssertOutOfBoundsWrapper, BaseWrapper, OrderEnforcingWrapper, TerminateIllegalWrapper
from sb3_contrib.common.wrappers import ActionMasker
from stable_baselines3.common.vec_env import DummyVecEnv


class OneAgentAtATime(BaseWrapper, gymnasium.Env):
    """Whoever is selected acts; the observation is the next one's."""

    def reset(self, seed=None, options=None):
        """Begin a game."""
        super().reset(seed, options)
        self.observation_space = super().observation_space(self.possible_agents[0])["observation"]
        self.action_space = super().action_space(self.possible_agents[0])
        return self.observe(self.agent_selection), {}

    def step(self, action):
        """Let the selected agent act."""
        agent = self.agent_selection
        super().step(action)
        over = self.terminations[agent], self.truncations[agent]
        return self.observe(self.agent_selection), self._cumulative_rewards[agent], *over, {}

    def observe(self, agent):
        """What an agent sees, without the mask."""
        return super().observe(agent)["observation"]

    def action_mask(self):
        """The mask of the selected agent."""
        return super().observe(self.agent_selection)["action_mask"].astype(bool)


def usual_route(raw_env, settings, num_envs):
    """The environments of a game, each in its wrappers, in one DummyVecEnv."""

    def make():
        env = OrderEnforcingWrapper(AssertOutOfBoundsWrapper(TerminateIllegalWrapper(raw_env(**settings), -1)))
        env = OneAgentAtATime(env)
        env.reset()
        return ActionMasker(env, OneAgentAtATime.action_mask)

    return DummyVecEnv([make] * num_envs)
