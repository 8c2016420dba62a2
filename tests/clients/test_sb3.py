"""Stable-Baselines3: its checker, MaskablePPO against built-in agents, and MaskablePPO against itself."""

import warnings

import gymnasium
import numpy as np
import pettingzoo.utils
import pytest
from sb3_contrib import MaskablePPO
from sb3_contrib.common.maskable.evaluation import evaluate_policy
from sb3_contrib.common.wrappers import ActionMasker
from stable_baselines3.common.env_checker import check_env
from stable_baselines3.common.env_util import make_vec_env

from watched import WatchedAEC, WatchedSolo, check, check_games_go_on, every_game

STEPS = 256  # of a rollout
PPO = {"n_steps": STEPS, "batch_size": 128, "n_epochs": 2, "seed": 1, "device": "cpu"}


@pytest.mark.parametrize("options", [{}, {"mask_in": "both"}, {"observation_dtype": "float32", "seat": "random"}])
@every_game
def test_the_checker_finds_nothing_to_complain_of(module, settings, options):
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        check_env(module.SingleAgentEnv(**settings, **options))


def check_rollout(model, envs):
    """Check that the masks and actions of the last rollout are those of the games."""
    taken = [decision for env in envs for decision in env.decisions[-STEPS:]]
    assert (model.rollout_buffer.action_masks == [decision.mask for decision in taken]).all()
    assert (model.rollout_buffer.actions[:, 0] == [decision.action for decision in taken]).all()


@every_game
def test_maskable_ppo_learns_against_agents(module, settings):
    envs = []

    def make():
        env = module.SingleAgentEnv(
            seat="random", opponents="simple", on_illegal="raise", observation_dtype="float32", **settings
        )
        envs.append(WatchedSolo(env))
        return envs[-1]

    vector = make_vec_env(make, n_envs=2, seed=1)
    model = MaskablePPO("MlpPolicy", vector, **PPO)
    model.learn(8 * STEPS)
    check_rollout(model, envs)
    check(*envs, games=4)
    for env, counted in zip(envs, vector.env_method("get_episode_rewards"), strict=True):
        assert counted == pytest.approx(env.won)

    env = make()
    rewards, lengths = evaluate_policy(model, env, n_eval_episodes=5, return_episode_rewards=True, warn=False)
    check(env, games=5)
    assert rewards == pytest.approx(env.won) and sum(lengths) == len(env.decisions)


class SelfPlay(pettingzoo.utils.BaseWrapper, gymnasium.Env):
    """The wrapper of PettingZoo's MaskablePPO tutorial: one policy plays every seat, rewarded for its own moves."""

    def reset(self, seed=None, options=None):
        super().reset(seed, options)
        self.observation_space = super().observation_space(self.possible_agents[0])["observation"]
        self.action_space = super().action_space(self.possible_agents[0])
        return self.observe(self.agent_selection), {}

    def step(self, action):
        agent = self.agent_selection
        super().step(action)
        return (
            self.observe(self.agent_selection),
            self._cumulative_rewards[agent],
            self.terminations[agent],
            self.truncations[agent],
            self.infos[agent],
        )

    def observe(self, agent):
        return super().observe(agent)["observation"]

    def action_mask(self):
        return super().observe(self.agent_selection)["action_mask"]


@every_game
def test_maskable_ppo_learns_in_self_play(module, settings):
    watched = WatchedAEC(module.env(on_illegal="raise", observation_dtype="float32", **settings))
    env = SelfPlay(watched)
    env.reset(seed=1)
    model = MaskablePPO("MlpPolicy", ActionMasker(env, SelfPlay.action_mask), **PPO)
    model.learn(16 * STEPS)
    check(watched)
    check_games_go_on(watched)
    check_rollout(model, [watched])
    counted = model.get_env().env_method("get_episode_rewards")[0]
    assert np.isin(counted, [1.0, 0.0, -1.0 / (len(env.possible_agents) - 1)]).all()
    assert len(counted) == len(watched.results)
