"""A learner on the processor: MaskablePPO of sb3-contrib, with our policy and rollout."""

from collections import deque
from typing import TYPE_CHECKING, Any

import numpy as np
import torch
from sb3_contrib import MaskablePPO
from sb3_contrib.common.maskable.buffers import MaskableRolloutBuffer
from stable_baselines3.common.buffers import RolloutBuffer
from stable_baselines3.common.callbacks import BaseCallback
from stable_baselines3.common.logger import Logger
from stable_baselines3.common.utils import LinearSchedule

from stardeck import agents
from stardeck.envs.base.lanes import Lanes
from stardeck.envs.sb3 import GameVecEnv
from stardeck.game.game import Game
from stardeck.training.checkpoints import check_numbers
from stardeck.training.policy import LOWEST_RATE, MaskedPolicy, Trunk
from stardeck.training.ppo.process_group import ALONE
from stardeck.training.recipe import Recipe, first_deal

if TYPE_CHECKING:
    from stardeck.training.ppo.selfplay import SelfPlay


class MaskablePPOLearner:
    """A learner of selfplay.py. game: the variant of its games."""

    group = ALONE

    def __init__(self, game: Game, recipe: Recipe) -> None:
        self._recipe = recipe
        self._env = GameVecEnv(game, recipe.num_envs, agents.get("random"), team=True, skip_forced=True)

    def begin(self, seed: int) -> None:
        """Draw the weights."""
        self._model = make_model(self._env, self._recipe, seed)
        self._env.seed(first_deal(seed))  # after the model, which gives its own seed to the games

    @property
    def lanes(self) -> Lanes:
        """The games."""
        return self._env.lanes

    @property
    def policy(self) -> Any:
        """The network with its optimizer."""
        return self._model.policy

    @property
    def decisions(self) -> int:
        """Number of decisions so far."""
        return int(self._model.num_timesteps)

    def learn(self, course: "SelfPlay", logger: Logger) -> None:
        """Learn to the end of the recipe, see `Learner`."""
        self._model.set_logger(logger)
        left = self._recipe.steps - self._model.num_timesteps
        self._model.learn(left, callback=_RolloutCallback(course, self._env), reset_num_timesteps=False)

    def recent(self) -> float | None:
        """Return the share of the last games that were won."""
        games = self._model.ep_info_buffer
        return float(np.mean([game["r"] > 0 for game in games])) if games else None

    def memory(self) -> tuple[dict[str, np.ndarray], dict[str, Any]]:
        """Return the games and MaskablePPO's counts."""
        model = self._model
        arrays = {"starts": model._last_episode_starts} | self.lanes.snapshot()
        notes = {"decisions": self.decisions, "updates": model._n_updates, "episodes": list(model.ep_info_buffer or ())}
        return arrays, notes

    def recall(self, arrays: dict[str, np.ndarray], notes: dict[str, Any]) -> None:
        """Continue from the state that `memory` returned."""
        check_numbers(episode[name] for episode in notes["episodes"] for name in "rlt")
        model = self._model
        self.lanes.restore(arrays)
        model._last_obs = self.lanes.observations
        model._last_episode_starts = arrays["starts"].reshape(self.lanes.num_envs).astype(bool)
        model.num_timesteps, model._n_updates = notes["decisions"], notes["updates"]
        model.ep_info_buffer = deque(notes["episodes"], model._stats_window_size)
        model.ep_success_buffer = deque(maxlen=model._stats_window_size)


class ByteRollout(MaskableRolloutBuffer):
    """Rollout with a byte for each action of a mask; the library's has four."""

    def reset(self) -> None:
        """Empty the rollout."""
        self.mask_dims = int(self.action_space.n)  # type: ignore[attr-defined]
        self.action_masks = np.ones((self.buffer_size, self.n_envs, self.mask_dims), bool)
        RolloutBuffer.reset(self)

    def to_torch(self, array: np.ndarray, copy: bool = False) -> torch.Tensor:
        """Return an array as a tensor, by default without a copy: the rows of a batch are copies already."""
        return super().to_torch(array, copy)


def make_model(env: GameVecEnv, recipe: Recipe, seed: int) -> MaskablePPO:
    """Return a learner for a `GameVecEnv`. There is no discount, since a game pays at its end."""
    trunk = {"units": recipe.units, "scale": env.game.observation_scale()}
    return MaskablePPO(
        MaskedPolicy,
        env,
        rollout_buffer_class=ByteRollout,
        learning_rate=LinearSchedule(recipe.learning_rate, LOWEST_RATE * recipe.learning_rate, 1.0),
        n_steps=recipe.rollout,
        batch_size=min(recipe.batch, recipe.rollout * env.num_envs),
        n_epochs=recipe.epochs,
        gamma=1.0,
        gae_lambda=recipe.gae_lambda,
        ent_coef=recipe.entropy,
        policy_kwargs={"net_arch": [], "features_extractor_class": Trunk, "features_extractor_kwargs": trunk},
        seed=seed,
        device="cpu",
    )


class _RolloutCallback(BaseCallback):
    """Callback that reports each rollout to the training."""

    def __init__(self, course, env):
        super().__init__()
        self._course, self._env = course, env

    def _on_training_start(self):
        self._env.stepping_seconds = 0.0

    def _on_rollout_start(self):
        self._course.before_rollout()

    def _on_step(self):
        return True

    def _on_rollout_end(self):
        stepping, self._env.stepping_seconds = self._env.stepping_seconds, 0.0
        self._course.after_rollout(stepping)
