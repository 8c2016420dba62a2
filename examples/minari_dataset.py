"""A Minari data set of games in which `rules` plays one seat, written and read back for offline learning.

Install Minari: pip install "minari[create,hdf5]" pillow. Data sets go to MINARI_DATASETS_PATH, else to
~/.minari/datasets.
"""

import gymnasium
import minari
import numpy as np

from stardeck import agents

GAMES = 50
NAME = "stardeck/star_realms/rules-v0"

rules = agents.get("rules")
env = minari.DataCollector(
    gymnasium.make("stardeck/StarRealms-v1", opponents="rules", seat="rotate"), record_infos=True
)
for number in range(GAMES):
    env.reset(seed=None if number else 7)
    over = False
    while not over:
        _, _, terminated, truncated, _ = env.step(env.unwrapped.advice(rules))
        over = terminated or truncated

if NAME in minari.list_local_datasets():
    minari.delete_dataset(NAME)
env.create_dataset(NAME, algorithm_name="rules", description="Games of rules against itself, as one seat sees them")

data = minari.load_dataset(NAME)
won = [episode.rewards.sum() > 0 for episode in data]
decisions = sum(len(episode.actions) for episode in data)
for episode in data:
    masks = episode.infos["action_mask"][:-1]  # the last one belongs to the final observation
    assert masks[np.arange(len(masks)), episode.actions].all()
print(f"{len(won)} games with {decisions} legal decisions; the recorded seat won {100 * np.mean(won):.0f}%")
