"""Many games in one step: one seat of each learns, and agents play the others."""

import gymnasium
import numpy as np

import stardeck  # noqa: F401, registers the environments

LANES = 256
STEPS = 500

envs = gymnasium.make_vec("stardeck/StarRealms-v1", LANES, "vector_entry_point", opponents="rules", seat="rotate")
observations, infos = envs.reset(seed=7)
chance = np.random.default_rng(7)
won = ended = 0
for _ in range(STEPS):
    masks = infos["action_mask"]  # int8[LANES, num_actions]
    actions = (masks * chance.random(masks.shape)).argmax(axis=1)  # your policy
    observations, rewards, terminated, truncated, infos = envs.step(actions)
    won += int((rewards > 0).sum())
    ended += int((terminated | truncated).sum())
print(f"random moves won {won} of {ended} games against rules")
