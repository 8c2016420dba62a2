"""AgileRL: DQN in self-play by hand over an AEC environment, as in its tutorial; and its own test of an agent."""

import numpy as np
import pytest
import torch
from agilerl.algorithms import DQN
from agilerl.components.replay_buffer import ReplayBuffer
from gymnasium.vector import SyncVectorEnv
from tensordict import TensorDict

from watched import WatchedAEC, WatchedSolo, check, check_games_go_on, every_game

OPTIONS = {"on_illegal": "raise", "observation_dtype": "float32"}


def transition(observation, action, reward, next_observation, done):
    return TensorDict(
        {
            "obs": torch.from_numpy(observation)[None],
            "action": torch.tensor([[action]]),
            "reward": torch.tensor([[reward]], dtype=torch.float32),
            "next_obs": torch.from_numpy(next_observation)[None],
            "done": torch.tensor([[float(done)]]),
        },
        batch_size=[1],
    )


@every_game
def test_dqn_learns_in_self_play(module, settings):
    torch.manual_seed(1)
    env = WatchedAEC(module.env(**OPTIONS, **settings))
    agents = env.possible_agents
    dqn = DQN(env.observation_space(agents[0])["observation"], env.action_space(agents[0]))
    untrained = [weights.clone() for weights in dqn.actor.parameters()]
    memory = ReplayBuffer(max_size=10_000)
    masks, won, kept = [], dict.fromkeys(agents, 0.0), 0
    env.reset(seed=1)
    while len(env.decisions) < 3000:
        last = {}  # observation and action of each seat when it last acted
        for agent in env.agent_iter():
            observation, reward, terminated, truncated, info = env.last()
            done = terminated or truncated
            seen, mask = observation["observation"], observation["action_mask"]
            won[agent] += reward
            if agent in last:
                memory.add(transition(*last[agent], reward, seen, done))
                kept += 1
            if done:
                env.step(None)
                continue
            assert (mask == info["action_mask"]).all()
            masks.append(mask)
            action = int(dqn.get_action(seen[None], epsilon=0.2, action_mask=mask[None])[0])
            last[agent] = seen, action
            env.step(action)
            if kept >= dqn.batch_size and kept % 20 == 0:
                dqn.learn(memory.sample(dqn.batch_size))
        env.reset()

    check(env)
    check_games_go_on(env)
    assert (np.array(masks) == [decision.mask for decision in env.decisions]).all()
    assert np.array(list(won.values())) == pytest.approx(np.sum(env.results, axis=0))
    assert kept == len(env.decisions)  # each is followed by the seat's next decision, or the end
    assert any((weights != before).any() for weights, before in zip(dqn.actor.parameters(), untrained, strict=True))


@every_game
def test_dqn_is_tested_against_agents(module, settings):
    torch.manual_seed(1)
    envs = [WatchedSolo(module.SingleAgentEnv(opponents="simple", **OPTIONS, **settings)) for _ in range(2)]
    vector = SyncVectorEnv([lambda env=env: env for env in envs])
    dqn = DQN(vector.single_observation_space, vector.single_action_space)
    vector.reset(seed=1)
    score = dqn.test(vector)
    check(*envs, games=2)
    assert score == pytest.approx(np.mean([env.won[0] for env in envs]))
