"""DQN of Tianshou learns the first seat of Star Realms; the other seat plays at random."""

import numpy as np
import torch
from tianshou.algorithm import DQN, MARLRandomDiscreteMaskedOffPolicyAlgorithm, MultiAgentOffPolicyAlgorithm
from tianshou.algorithm.modelfree.dqn import DiscreteQLearningPolicy
from tianshou.algorithm.optim import AdamOptimizerFactory
from tianshou.data import Collector, CollectStats, VectorReplayBuffer
from tianshou.env import DummyVectorEnv
from tianshou.env.pettingzoo_env import PettingZooEnv
from tianshou.trainer import OffPolicyTrainerParams
from tianshou.utils.net.common import Net

from stardeck.envs import star_realms_v1

STEPS = 20_000  # decisions of an epoch
EPOCHS = 3
GAMES = 20  # of an evaluation


def make():
    return PettingZooEnv(star_realms_v1.env(observation_dtype="float32"))


def learner(env):
    space = env.observation_space["observation"]
    policy = DiscreteQLearningPolicy(
        model=Net(state_shape=space.shape, action_shape=env.action_space.n, hidden_sizes=[128]),
        action_space=env.action_space,
        eps_training=0.2,
        eps_inference=0.0,
    )
    return DQN(policy=policy, optim=AdamOptimizerFactory(lr=1e-3), n_step_return_horizon=3, target_update_freq=200)


np.random.seed(7)
torch.manual_seed(7)
env = make()
others = [MARLRandomDiscreteMaskedOffPolicyAlgorithm(action_space=env.action_space) for _ in env.agents[1:]]
algorithm = MultiAgentOffPolicyAlgorithm(algorithms=[learner(env), *others], env=env)
train_envs, test_envs = DummyVectorEnv([make, make]), DummyVectorEnv([make])
train_envs.seed(7)
test_envs.seed(8)
trained = algorithm.run_training(
    OffPolicyTrainerParams(
        training_collector=Collector[CollectStats](
            algorithm, train_envs, VectorReplayBuffer(50_000, buffer_num=2), exploration_noise=True
        ),
        test_collector=Collector[CollectStats](algorithm, test_envs),
        max_epochs=EPOCHS,
        epoch_num_steps=STEPS,
        collection_step_num_env_steps=200,
        test_step_num_episodes=GAMES,
        batch_size=64,
        update_step_num_gradient_steps_per_sample=0.1,
        multi_agent_return_reduction=lambda returns: returns[:, 0],  # what the learner gets
        show_progress=False,
    )
)
print(f"{trained.update_step} updates, best mean return {trained.best_reward:.2f}")
