"""MaskablePPO of Stable-Baselines3 learns Star Realms against `simple`."""

from sb3_contrib import MaskablePPO

import stardeck
from stardeck import agents
from stardeck.benchmarks.advantage import advantage
from stardeck.envs.sb3 import GameVecEnv

LANES = 64  # games in one step
STEPS = 200_000  # decisions of the learner
GAMES = 1_000  # of the evaluation

env = GameVecEnv("star_realms", LANES, opponents="simple", seat="rotate")
model = MaskablePPO("MlpPolicy", env, n_steps=128, batch_size=1024, gamma=1.0, ent_coef=0.01, seed=7)
model.learn(STEPS)

mine = agents.from_sb3(model, name="mine")
for row in advantage("star_realms", [mine, "simple"], games=GAMES)["agents"]:
    print(row["agent"], row["win_rate"])
agents.export(mine, stardeck.make("star_realms"), "mine.safetensors")  # plays without torch, in every command
