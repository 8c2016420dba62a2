"""A way to train for the learning track of Stardeck-8: MaskablePPO of sb3-contrib, against ever stronger agents.

stardeck benchmark examples/maskable_ppo.py:train --train-budget 1000000 --tasks core-duel

A network that knows nothing never beats `rules`, and from games that are all lost it learns nothing. So the first
opponent is `random`, and the next one comes when the learner wins more than 60 % of its last games.
"""

import numpy as np
from sb3_contrib import MaskablePPO
from stable_baselines3.common.callbacks import BaseCallback

from stardeck import agents
from stardeck.envs.sb3 import GameVecEnv

LANES = 64  # games in one step
PARTS = 8  # checkpoints
OPPONENTS = ("random", "simple", "rules")
ENOUGH = 0.6  # of the last games must be won before the next opponent comes
LAST = 200  # games


class _Course(BaseCallback):
    """Brings the next opponent when it is time, and hands over the agent a few times during the training."""

    def __init__(self, checkpoint, every):
        super().__init__()
        self.checkpoint, self.every = checkpoint, every
        self.opponent, self.won = 0, []

    def _on_step(self):
        self.won += [info["episode"]["r"] > 0 for info in self.locals["infos"] if "episode" in info]
        return True

    def _on_rollout_start(self):
        if self.num_timesteps % self.every == 0:
            self.checkpoint(agents.from_sb3(self.model, name=f"after {self.num_timesteps}"), self.num_timesteps)
        if len(self.won) >= LAST and np.mean(self.won[-LAST:]) > ENOUGH and self.opponent + 1 < len(OPPONENTS):
            self.opponent, self.won = self.opponent + 1, []
            self.training_env.set_opponents(OPPONENTS[self.opponent])


def train(game, decisions, seed, checkpoint):
    """Train on a game of Stardeck with a budget of decisions."""
    options = {"opponents": OPPONENTS[0], "seat": "rotate", "observation_dtype": "float32"}
    env = GameVecEnv(game.variant.game, LANES, **options, **game.settings)
    steps = max(1, min(128, decisions // PARTS // LANES))
    rates = {"gamma": 1.0, "ent_coef": 0.01, "batch_size": max(2, steps * LANES // 8)}
    model = MaskablePPO("MlpPolicy", env, n_steps=steps, seed=seed % 2**31, **rates)
    rollouts = decisions // (steps * LANES)  # whole ones, so that the budget is kept
    model.learn(rollouts * steps * LANES, callback=_Course(checkpoint, max(1, rollouts // PARTS) * steps * LANES))
    checkpoint(agents.from_sb3(model, name="mine"), model.num_timesteps)


if __name__ == "__main__":
    import stardeck

    train(
        stardeck.make("interstellar_empire"), 16_384, 1, lambda agent, made: print(f"{made:,} decisions: {agent.name}")
    )
