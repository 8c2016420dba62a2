"""Self-play PPO in sixty lines of code: one policy plays every seat, and every seat gets its own reward."""

import numpy as np
import torch
from gymnasium.vector import AutoresetMode
from rich.progress import track

from stardeck.envs.interstellar_empire_v1 import VectorEnv

LANES = 256
STEPS = 64
UPDATES = 40
torch.manual_seed(7)
env = VectorEnv(LANES, seat="all", autoreset_mode=AutoresetMode.SAME_STEP, observation_dtype="float32")
game, rows = env.game, np.arange(LANES)
body = torch.nn.Sequential(torch.nn.Linear(game.observation_size, 128), torch.nn.Tanh())
policy, critic = torch.nn.Linear(128, game.num_actions), torch.nn.Linear(128, 1)
optimizer = torch.optim.Adam([*body.parameters(), *policy.parameters(), *critic.parameters()], 1e-3)


def look(observations, masks):
    hidden, masks = body(torch.from_numpy(observations)), torch.from_numpy(masks)
    return torch.distributions.Categorical(logits=policy(hidden).where(masks, -1e9)), critic(hidden)[:, 0]


class Learner:
    name = "learner"

    def act(self, game, states, masks, seeds):
        with torch.no_grad():
            choice, _ = look(game.observe(states) * game.observation_scale(), masks.astype(bool))
        return choice.probs.argmax(1).numpy()


observations, infos = env.reset(seed=7)
for _ in track(range(UPDATES), "updates"):
    rollout = []
    for _ in range(STEPS):
        seen, masks, seats = observations, env.action_masks(), infos["seat"]
        with torch.no_grad():
            choice, worth = look(seen, masks)
        actions = choice.sample()
        observations, _rewards, terminated, truncated, infos = env.step(actions.numpy())
        decided = seen, masks, actions.numpy(), choice.log_prob(actions).numpy(), worth.numpy()
        rollout.append((decided, seats, terminated | truncated, infos.get("returns")))
    with torch.no_grad():  # bootstrap unfinished games with the critic's value for the seat to act
        worth = look(observations, env.action_masks())[1].numpy()
    credit = np.repeat(-worth[:, None] / (game.players - 1), game.players, axis=1)
    credit[rows, infos["seat"]] = worth
    targets = []
    for _decided, seats, ended, returns in reversed(rollout):
        if returns is not None:
            credit[ended] = returns[ended]  # every seat gets its result, even if another one decided last
        targets.append(credit[rows, seats])
    seen, masks, *kept = (np.concatenate(column) for column in zip(*(row[0] for row in rollout), strict=True))
    actions, before, worth, goal = map(torch.from_numpy, (*kept, np.concatenate(targets[::-1])))
    gain = (goal - worth) / (goal - worth).std()
    for batch in torch.cat([torch.randperm(len(goal)) for _ in range(3)]).split(2048):
        choice, values = look(seen[batch], masks[batch])
        ratio = (choice.log_prob(actions[batch]) - before[batch]).exp()
        surrogate = torch.min(ratio * gain[batch], ratio.clip(0.8, 1.2) * gain[batch])
        optimizer.zero_grad()
        ((values - goal[batch]) ** 2 - surrogate - 0.01 * choice.entropy()).mean().backward()
        optimizer.step()
played = game.playout(game.deal(np.arange(1000)), [Learner(), "rules"], seed=7)
print(f"{UPDATES} updates: wins {game.winners(played)[:, 0].mean():.1%} of 1000 games against rules")
