"""PPO in one file, in the style of CleanRL: one learner in each of many games, against `simple`."""

import gymnasium
import numpy as np
import torch
from gymnasium.vector import AutoresetMode
from torch import nn
from torch.distributions import Categorical

import stardeck  # noqa: F401, registers the environments

LANES = 256  # games in one step
STEPS = 64  # steps of a rollout
UPDATES = 30
EPOCHS, MINIBATCH, LAMBDA, CLIP, ENTROPY = 4, 2048, 0.95, 0.2, 0.01


class Agent(nn.Module):
    def __init__(self, observations, actions):
        super().__init__()
        self.body = nn.Sequential(nn.Linear(observations, 128), nn.Tanh(), nn.Linear(128, 128), nn.Tanh())
        self.actor, self.critic = nn.Linear(128, actions), nn.Linear(128, 1)

    def forward(self, seen, mask):
        hidden = self.body(seen)
        logits = self.actor(hidden).masked_fill(mask == 0, -1e9)  # illegal actions get probability 0
        return Categorical(logits=logits), self.critic(hidden)[:, 0]


torch.manual_seed(7)
envs = gymnasium.make_vec(
    "stardeck/StarRealms-v1", LANES, "vector_entry_point", opponents="simple", seat="rotate",
    observation_dtype="float32", autoreset_mode=AutoresetMode.SAME_STEP,
)  # fmt: skip
agent = Agent(envs.single_observation_space.shape[0], envs.single_action_space.n)
optimizer = torch.optim.Adam(agent.parameters(), lr=1e-3)
observations, infos = envs.reset(seed=7)
for update in range(1, UPDATES + 1):
    rollout, won = [], []
    for _ in range(STEPS):
        seen, mask = torch.from_numpy(observations), torch.from_numpy(infos["action_mask"])
        with torch.no_grad():
            choice, values = agent(seen, mask)
        actions = choice.sample()
        observations, rewards, terminated, truncated, infos = envs.step(actions.numpy())
        done = terminated | truncated
        won += list(rewards[done] > 0)
        paid = torch.as_tensor(rewards, dtype=torch.float32)
        rollout.append((seen, mask, actions, choice.log_prob(actions), values, paid, torch.from_numpy(done)))
    with torch.no_grad():
        _, after = agent(torch.from_numpy(observations), torch.from_numpy(infos["action_mask"]))

    advantages, running = [], torch.zeros(LANES)  # generalised advantage estimation, without a discount
    for *_, values, paid, done in reversed(rollout):
        running = paid + after.where(~done, 0) - values + LAMBDA * running.where(~done, 0)
        advantages.insert(0, running)
        after = values
    seen, mask, actions, before, values = (torch.cat(column) for column in list(zip(*rollout, strict=True))[:5])
    gains = torch.cat(advantages)
    goals = gains + values
    gains = (gains - gains.mean()) / (gains.std() + 1e-8)
    for batch in torch.cat([torch.randperm(len(gains)) for _ in range(EPOCHS)]).split(MINIBATCH):
        choice, values = agent(seen[batch], mask[batch])
        ratio = (choice.log_prob(actions[batch]) - before[batch]).exp()
        surrogate = torch.min(ratio * gains[batch], ratio.clip(1 - CLIP, 1 + CLIP) * gains[batch])
        loss = 0.5 * (values - goals[batch]).pow(2).mean() - surrogate.mean() - ENTROPY * choice.entropy().mean()
        optimizer.zero_grad()
        loss.backward()
        nn.utils.clip_grad_norm_(agent.parameters(), 0.5)
        optimizer.step()
    rate = f"{np.mean(won):.1%}" if won else "none"
    print(f"update {update}: {update * LANES * STEPS:,} decisions, {len(won)} games over, won {rate}")
