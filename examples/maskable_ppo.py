"""A way to train for the learning track of Stardeck-8: MaskablePPO of sb3-contrib, against `rules` from the start.

stardeck benchmark examples/maskable_ppo.py:train --train-budget 1000000 --tasks core-duel
"""

from sb3_contrib import MaskablePPO
from stable_baselines3.common.callbacks import BaseCallback

from stardeck import agents
from stardeck.envs.sb3 import GameVecEnv

LANES = 64  # games in one step
PARTS = 8  # checkpoints


class _Reports(BaseCallback):
    """Hands over the agent a few times during the training."""

    def __init__(self, checkpoint, every):
        super().__init__()
        self.checkpoint, self.every = checkpoint, every

    def _on_step(self):
        return True

    def _on_rollout_start(self):
        if self.num_timesteps % self.every < self.locals.get("n_steps", 1):
            self.checkpoint(agents.from_sb3(self.model, name=f"after {self.num_timesteps}"), self.num_timesteps)


def train(game, decisions, seed, checkpoint):
    """Train on a game of Stardeck with a budget of decisions."""
    env = GameVecEnv(game.variant.game, LANES, opponents="rules", seat="rotate", **game.settings)
    steps = max(1, min(128, decisions // PARTS // LANES))
    rates = {"gamma": 1.0, "ent_coef": 0.01, "batch_size": max(2, steps * LANES // 8)}
    model = MaskablePPO("MlpPolicy", env, n_steps=steps, seed=seed % 2**31, **rates)
    rollouts = decisions // (steps * LANES)  # whole ones, so that the budget is kept
    model.learn(rollouts * steps * LANES, callback=_Reports(checkpoint, max(1, rollouts // PARTS) * steps * LANES))
    checkpoint(agents.from_sb3(model, name="mine"), model.num_timesteps)


if __name__ == "__main__":
    import stardeck

    train(
        stardeck.make("interstellar_empire"), 16_384, 1, lambda agent, made: print(f"{made:,} decisions: {agent.name}")
    )
