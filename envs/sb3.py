"""Any game as a vector environment of Stable-Baselines3, with masks for MaskablePPO of sb3-contrib.

    from stardeck.envs.sb3 import GameVecEnv
    model = MaskablePPO("MlpPolicy", GameVecEnv("star_realms", num_envs=256, opponents="rules"))

Install `stardeck[train]`.
"""

import time
from collections.abc import Sequence
from typing import Any

import numpy as np
from gymnasium.spaces import Discrete
from numpy.typing import NDArray

from stardeck.envs.base.lanes import Lanes
from stardeck.envs.base.options import VEC_ENV_DEFAULTS, seeds_of, split_options
from stardeck.game.agent import Opponents
from stardeck.game.game import Game
from stardeck.game.registry import make
from stardeck.kernels.errors import check_keywords

try:
    from stable_baselines3.common.vec_env import VecEnv
    from stable_baselines3.common.vec_env.base_vec_env import VecEnvIndices, VecEnvStepReturn
except ModuleNotFoundError as error:
    raise ModuleNotFoundError(f"{error.name}: not installed; pip install 'stardeck[train]'", name=error.name) from error


class MaskRow(np.ndarray):
    """The mask of one game, a row of `MaskRows`."""

    def __array_function__(self, func: Any, types: Any, args: Any, kwargs: Any) -> Any:
        """Return all rows as one copy for `np.stack`, the call by which sb3-contrib collects masks at every step."""
        if func is np.stack and not kwargs and len(args) == 1 and isinstance(args[0], MaskRows):
            return args[0].masks.copy()
        return super().__array_function__(func, types, args, kwargs)


class MaskRows(list[MaskRow]):
    """The rows of `masks` (bool[n, num_actions]), each an array."""

    def __init__(self, masks: NDArray[np.bool_]) -> None:
        super().__init__(masks.view(MaskRow))
        self.masks = masks


class GameVecEnv(VecEnv):
    """`num_envs` games with one learner in each; agents play the other seats inside the step.

    Observations and masks are arrays that stay as they are until the step after the next; SB3's rollouts need them
    no longer than that. An illegal action raises IllegalAction by default (`on_illegal`).

    Args:
        game: A name with its settings, or a Game.
        num_envs: Number of games.
        opponents: As in `Lanes` (envs/base/lanes.py), like the next four arguments.
        seat: The learner's seat.
        team: True if the learner also decides for its teammates.
        skip_forced: True if a single legal action is taken at once.
        on_illegal: Response to an illegal action.
        options: Those of `VecEnvOptions`, and the settings of the game.
    """

    def __init__(
        self, game: str | Game, num_envs: int = 1, opponents: Opponents = "rules", seat: int | str = "rotate",
        team: bool = False, skip_forced: bool = False, on_illegal: str = "raise", **options: Any,
    ) -> None:  # fmt: skip
        chosen, settings = split_options(options, VEC_ENV_DEFAULTS)
        if isinstance(game, Game):
            check_keywords("GameVecEnv of a Game", settings, VEC_ENV_DEFAULTS)
        self.game = game if isinstance(game, Game) else make(game, **settings)
        self.lanes = Lanes(
            self.game, num_envs, opponents, seat, team, skip_forced=skip_forced, on_illegal=on_illegal,
            observation_dtype=chosen["observation_dtype"], buffers=2, threads=chosen["threads"],
        )  # fmt: skip
        self.render_mode = None
        self._chance = np.random.default_rng()
        self.stepping_seconds = 0.0  # spent in `step_wait` so far, for profiles
        self._began = time.perf_counter()
        self._running: list[dict[str, Any]] = [self._blank_info() for _ in range(self.lanes.num_envs)]
        self._mask_rows: dict[int, MaskRows] = {}  # by the id of the mask array, since the lanes alternate between two
        super().__init__(self.lanes.num_envs, self.lanes.view.box(), Discrete(self.game.num_actions))

    def _blank_info(self) -> dict[str, Any]:
        """Return the info of a running game, with the keys and types of every step."""
        return self.game.blank_info() | {"illegal": np.int8(0)}

    def set_opponents(self, opponents: Opponents) -> None:
        """Set the agents of the other seats from now on: see `Lanes.set_opponents`."""
        self.lanes.set_opponents(opponents)

    def seed(self, seed: int | None = None) -> Sequence[int | None]:
        """Set the seed of the next reset, a whole number or None for chance, and return the seed of each game."""
        seeds = seeds_of(seed, self.num_envs)
        return super().seed(None if seeds is None else int(seeds[0]))

    def reset(self) -> np.ndarray:
        """Deal new games; after `seed(s)` game i is `game.deal(s + i)`."""
        seeds = self._seeds[0]
        if seeds is None:
            self.lanes.reset(self._chance.integers(2**63, size=self.num_envs, dtype=np.uint64), anew=False)
        else:
            self._chance = np.random.default_rng(seeds)
            self.lanes.reset(np.array(self._seeds, np.uint64))
        self._reset_seeds()
        self._reset_options()
        return self.lanes.observations

    def step_async(self, actions: np.ndarray) -> None:
        """Store the learner's actions, int[num_envs]."""
        self._actions = actions

    def step_wait(self) -> VecEnvStepReturn:
        """Apply the stored actions and return (observations, rewards float32[n], dones bool[n], infos).

        The next games are already dealt. Infos hold at every step `returns`, `winners` and `placements` of all seats
        (`Game.outcomes`), and `illegal` (int8), 1 where an illegal action has ended the game. As everywhere in
        Stable-Baselines3, `episode`, `terminal_observation` and `TimeLimit.truncated` appear only where a game ended.
        """
        began = time.perf_counter()
        lanes = self.lanes
        lanes.step(self._actions)
        infos = self._running
        if len(lanes.ended_rows):
            infos = infos.copy()
            took = round(time.perf_counter() - self._began, 6)
            seen = lanes.final_observations()
            for row, observation, length in zip(lanes.ended_rows, seen, lanes.lengths(), strict=True):
                infos[row] = {
                    "terminal_observation": observation,
                    "TimeLimit.truncated": bool(lanes.truncated[row]),
                    "episode": {"r": float(lanes.rewards[row]), "l": int(length), "t": took},
                    "illegal": lanes.illegal[row],
                }
            for name, values in lanes.final_results().items():
                for row, value in zip(lanes.ended_rows, values, strict=True):
                    infos[row][name] = value
        self.stepping_seconds += time.perf_counter() - began
        return lanes.observations, lanes.rewards, lanes.ended, infos

    def action_masks(self) -> NDArray[np.bool_]:
        """Return masks of the learner's legal actions, bool[num_envs, num_actions]."""
        return self.lanes.masks.view(bool)

    def has_attr(self, attr_name: str) -> bool:
        """Return true if every game has the attribute; MaskablePPO asks for `action_masks`."""
        return hasattr(self, attr_name)

    def get_attr(self, attr_name: str, indices: VecEnvIndices = None) -> list[Any]:
        """Return an attribute, the same for every game."""
        return [getattr(self, attr_name) for _ in self._get_indices(indices)]

    def set_attr(self, attr_name: str, value: Any, indices: VecEnvIndices = None) -> None:
        """Set an attribute of all games, whatever the indices."""
        setattr(self, attr_name, value)

    def env_method(
        self, method_name: str, *method_args: Any, indices: VecEnvIndices = None, **method_kwargs: Any
    ) -> list[Any]:
        """Call `action_masks` game by game; call any other method once for all games, whatever the indices."""
        if method_name == "action_masks":
            rows = self._rows_of_masks()
            return rows if indices is None else [rows[row] for row in self._get_indices(indices)]
        result = getattr(self, method_name)(*method_args, **method_kwargs)
        return [result for _ in self._get_indices(indices)]

    def _rows_of_masks(self) -> MaskRows:
        masks = self.lanes.masks
        if id(masks) not in self._mask_rows:
            self._mask_rows[id(masks)] = MaskRows(masks.view(bool))
        return self._mask_rows[id(masks)]

    def env_is_wrapped(self, wrapper_class: type, indices: VecEnvIndices = None) -> list[bool]:
        """Return false for each game: none is wrapped."""
        return [False for _ in self._get_indices(indices)]

    def get_images(self) -> list[np.ndarray | None]:
        """Return None for each game: there are no pictures."""
        return [None] * self.num_envs

    def close(self) -> None:
        """Do nothing: there is nothing to release."""
