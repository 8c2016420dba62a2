"""A learner on the processor: MaskablePPO of sb3-contrib, called as the library has it."""

from collections import deque
from typing import TYPE_CHECKING, Any

import numpy as np
from stable_baselines3.common.callbacks import BaseCallback
from stable_baselines3.common.logger import Logger

from stardeck import agents
from stardeck.envs.base.lanes import Lanes
from stardeck.envs.sb3 import GameVecEnv
from stardeck.game.game import Game
from stardeck.training.checkpoints import check_numbers
from stardeck.training.policy import make_model
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
