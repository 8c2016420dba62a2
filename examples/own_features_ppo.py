"""MaskablePPO of Stable-Baselines3 with features and a reward of your own."""

import numpy as np
from gymnasium.spaces import Box
from rich.progress import Progress
from sb3_contrib import MaskablePPO
from stable_baselines3.common.vec_env import VecEnvWrapper

from stardeck.envs.sb3 import GameVecEnv

LANES = 64
STEPS = 100000


class AuthorityAndPiles(VecEnvWrapper):
    """A wrapper that shows only some fields of an observation, and rewards gains in the lead in authority."""

    fields = ("authority", "trade", "combat", "hand", "trade_row")

    def __init__(self, env):
        table = {row["name"]: range(row["offset"], row["offset"] + row["size"]) for row in env.game.observation_table()}
        self.chosen = np.concatenate([table[field] for field in self.fields])
        self.authority = table["authority"]  # of the learner, then of the other seat
        low, high = env.observation_space.low, env.observation_space.high
        super().__init__(env, observation_space=Box(low[self.chosen], high[self.chosen], dtype=np.float32))

    def lead(self, observations):
        authority = observations[..., self.authority]
        return authority[..., 0] - authority[..., 1]

    def reset(self):
        observations = self.venv.reset()
        self.before = self.lead(observations)
        return observations[:, self.chosen]

    def step_wait(self):
        observations, rewards, dones, infos = self.venv.step_wait()
        now = self.lead(observations)
        after = now.copy()
        for row in np.flatnonzero(dones):
            last = infos[row]["terminal_observation"]
            after[row] = self.lead(last)
            infos[row]["terminal_observation"] = last[self.chosen]
        rewards = rewards + 0.1 * (after - self.before)
        self.before = now
        return observations[:, self.chosen], rewards, dones, infos


def games_won(env, model, games=200):
    """Return the share of games that the model wins, regardless of the training reward."""
    won = []
    observations = env.reset()
    while len(won) < games:
        masks = np.stack(env.env_method("action_masks"))
        actions, _ = model.predict(observations, action_masks=masks)
        observations, _, _, infos = env.step(actions)
        won += [info["episode"]["r"] > 0 for info in infos if "episode" in info]
    return float(np.mean(won))


env = AuthorityAndPiles(GameVecEnv("star_realms", LANES, opponents="simple", observation_dtype="float32"))
env.seed(7)
model = MaskablePPO("MlpPolicy", env, n_steps=128, batch_size=1024, n_epochs=4, gamma=1.0, ent_coef=0.01, seed=7)
print(f"before: wins {games_won(env, model):.0%} of its games against simple")
with Progress() as bar:
    task = bar.add_task("decisions", total=STEPS)

    def show(_locals, _globals):
        bar.update(task, completed=model.num_timesteps)
        return True  # continue training

    model.learn(STEPS, callback=show)
print(f"after {model.num_timesteps} decisions: wins {games_won(env, model):.0%}")
