"""Tianshou: DQN learns the first seat through its `PettingZooEnv`, others play at random."""

import numpy as np
import pytest
import torch
from tianshou.algorithm import DQN, MARLRandomDiscreteMaskedOffPolicyAlgorithm, MultiAgentOffPolicyAlgorithm
from tianshou.algorithm.modelfree.dqn import DiscreteQLearningPolicy
from tianshou.algorithm.optim import AdamOptimizerFactory
from tianshou.data import Collector, CollectStats, VectorReplayBuffer
from tianshou.env import DummyVectorEnv
from tianshou.env.pettingzoo_env import PettingZooEnv
from tianshou.trainer import OffPolicyTrainerParams
from tianshou.utils.net.common import Net

from watched import WatchedAEC, check, check_games_go_on, every_game


def learner(env):
    space = env.observation_space["observation"]
    policy = DiscreteQLearningPolicy(
        model=Net(state_shape=space.shape, action_shape=env.action_space.n, hidden_sizes=[32]),
        action_space=env.action_space,
        eps_training=0.2,
        eps_inference=0.2,
    )
    return DQN(policy=policy, optim=AdamOptimizerFactory(lr=1e-3), n_step_return_horizon=3, target_update_freq=50)


@every_game
def test_dqn_learns(module, settings):
    watched = []

    def make():
        watched.append(WatchedAEC(module.env(on_illegal="raise", observation_dtype="float32", **settings)))
        return PettingZooEnv(watched[-1])

    np.random.seed(1)
    torch.manual_seed(1)
    env = make()
    others = [MARLRandomDiscreteMaskedOffPolicyAlgorithm(action_space=env.action_space) for _ in env.agents[1:]]
    algorithm = MultiAgentOffPolicyAlgorithm(algorithms=[learner(env), *others], env=env)
    buffer = VectorReplayBuffer(20_000, buffer_num=2)
    train_envs, test_envs = DummyVectorEnv([make, make]), DummyVectorEnv([make])
    train_envs.seed(1)
    test_envs.seed(3)
    training = Collector[CollectStats](algorithm, train_envs, buffer, exploration_noise=True)
    testing = Collector[CollectStats](algorithm, test_envs, exploration_noise=True)
    trained = algorithm.run_training(
        OffPolicyTrainerParams(
            training_collector=training,
            test_collector=testing,
            max_epochs=1,
            epoch_num_steps=5000,
            collection_step_num_env_steps=200,
            test_step_num_episodes=1,
            batch_size=64,
            update_step_num_gradient_steps_per_sample=0.02,
            multi_agent_return_reduction=lambda returns: returns[:, 0],
            show_progress=False,
        )
    )
    assert trained.update_step > 0
    check(*watched[1:3])
    check_games_go_on(*watched[1:3])
    for env, memory in zip(watched[1:3], buffer.buffers, strict=True):
        kept = memory.sample_indices(0)  # all of them, in order
        assert (memory.obs.mask[kept] == [decision.mask for decision in env.decisions]).all()
        assert (memory.act[kept] == [decision.action for decision in env.decisions]).all()
        assert (memory.obs.agent_id[kept] == [decision.agent for decision in env.decisions]).all()
        assert memory.rew[kept].sum(axis=0) == pytest.approx(np.sum(env.results, axis=0))

    env = watched[3]
    before = len(env.results)
    played = testing.collect(n_episode=3, reset_before_collect=True)
    check(env, games=before + 3)
    assert played.returns == pytest.approx(np.array(env.results[before:]))
