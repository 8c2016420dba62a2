"""Any game as a Gymnasium vector environment: hundreds of games in one step, with one learner in each.

gymnasium.make_vec("stardeck/StarRealms-v1", num_envs=512, vectorization_mode="vector_entry_point",
                   opponents="rules", seat="rotate")
"""

from typing import Any

import numpy as np
from gymnasium.spaces import Discrete
from gymnasium.vector import AutoresetMode, VectorEnv
from gymnasium.vector.utils import batch_space
from numpy.typing import ArrayLike, NDArray

from stardeck.envs.base.device_lanes import DeviceLanes
from stardeck.envs.base.lanes import Lanes
from stardeck.envs.base.options import MASK_IN, VECTOR_DEFAULTS, one_of, seeds_of, split_options
from stardeck.envs.base.rendering import mode_of
from stardeck.game.agent import Actions, Opponents, Seeds
from stardeck.game.device import on_device
from stardeck.game.game import Game
from stardeck.kernels.errors import shown
from stardeck.kernels.loops.lanes import Autoreset

VECTOR_MODES = ("ansi", "rgb_array")
AUTORESET = {
    AutoresetMode.SAME_STEP: Autoreset.SAME_STEP,
    AutoresetMode.NEXT_STEP: Autoreset.NEXT_STEP,
    AutoresetMode.DISABLED: Autoreset.DISABLED,
}


def _check_on_gpu(**options: tuple[Any, Any]) -> None:
    """Raise ValueError for options that have only one value on a GPU. options: name to (given, that value)."""
    for name, (given, only) in options.items():
        if given != only:
            raise ValueError(f"{name}={shown(given)}: must be {only} on the GPU")


class VectorGame(VectorEnv):
    """Many games at once for one learner; subclasses name the game. See envs/star_realms_v1.py for the manual.

    With `copy=False` the environment returns two sets of arrays in turn: an observation stays as it is until the step
    after the next.

    With `device="cuda"` the games run on a GPU. Observations, masks, seats, rewards, terminations and truncations are
    arrays there, which torch shares (`torch.as_tensor(rewards, device="cuda")`). Actions may be, too. Every step makes
    new arrays. The results of ended games in `infos` are in NumPy. Opponents must be compiled. See docs/guides/gpu.md.

    Args:
        num_envs: Number of games.
        seat: The learner's seat.
        opponents: Agents of the other seats.
        team: True if the learner also decides for its teammates.
        autoreset_mode: Gymnasium's mode.
        skip_forced: True if a single legal action is taken at once.
        mask_in: Place of the mask, `obs`, `info` or `both`.
        options: Those of `VectorOptions`, and the settings of the game.

    Raises:
        ValueError: On the GPU, an opponent is not compiled or an option does not exist.
        RuntimeError: There is no GPU.
    """

    game_name = ""
    version: int | None = None  # an earlier version of the observations; None: the newest

    def __init__(
        self, num_envs: int = 1, seat: int | str = 0, opponents: Opponents = "rules", team: bool = False,
        autoreset_mode: AutoresetMode | str = AutoresetMode.NEXT_STEP, skip_forced: bool = False, mask_in: str = "info",
        **options: Any,
    ) -> None:  # fmt: skip
        chosen, settings = split_options(options, VECTOR_DEFAULTS)
        self.game = Game.named(self.game_name, settings, self.version)
        self.render_mode = mode_of(chosen["render_mode"], VECTOR_MODES)
        self._mask_in = one_of("mask_in", mask_in, MASK_IN)
        mode = AutoresetMode(one_of("autoreset_mode", autoreset_mode, (*AUTORESET, *(m.value for m in AUTORESET))))
        self._same_step = mode == AutoresetMode.SAME_STEP
        self._manual = mode == AutoresetMode.DISABLED
        buffers = 0 if one_of("copy", chosen["copy"], (True, False)) else 2
        played = opponents, seat, team, AUTORESET[mode], skip_forced
        on_illegal, dtype, threads = chosen["on_illegal"], chosen["observation_dtype"], chosen["threads"]
        if chosen["device"] == "cpu":
            self._lanes = Lanes(
                self.game, num_envs, *played,
                on_illegal=on_illegal, observation_dtype=dtype, buffers=buffers, threads=threads,
            )  # fmt: skip
        else:
            _check_on_gpu(observation_dtype=(dtype, "uint8"), threads=(threads, 1))
            there = on_device(self.game, chosen["device"])
            self._lanes = DeviceLanes(there, num_envs, *played, on_illegal=on_illegal)
        self.metadata = {"autoreset_mode": mode, "render_modes": list(VECTOR_MODES), "render_fps": 1}
        self.num_envs = self._lanes.num_envs
        self._everywhere = np.ones(self.num_envs, bool)
        self._free = np.ones((self.num_envs, self.game.num_actions), np.int8)  # masks at the end of a game
        for array in (self._everywhere, self._free):
            array.setflags(write=False)
        self.single_action_space = Discrete(self.game.num_actions)
        self.single_observation_space = self._lanes.view.space(self._mask_in)
        self.action_space = batch_space(self.single_action_space, self.num_envs)
        self.observation_space = batch_space(self.single_observation_space, self.num_envs)

    def set_opponents(self, opponents: Opponents) -> None:
        """Set the agents of the other seats from now on: see `Lanes.set_opponents`."""
        self._lanes.set_opponents(opponents)

    def reset(self, *, seed: Any = None, options: dict[str, Any] | None = None) -> tuple[Any, dict[str, Any]]:
        """Deal new games and return (observations, infos).

        Args:
            seed: One seed, from which game i is `game.deal(seed + i)`, or a list, from which it is
                `game.deal(seed[i])`.
            options: {"reset_mask": bool[num_envs]} deals only where it is true.
        """
        seeds = seeds_of(seed, self.num_envs)
        chosen = self._chosen(options)
        if seeds is None:
            seeds = self.np_random.integers(2**63, size=self.num_envs, dtype=np.uint64)
        elif np.ndim(seed):
            self.np_random = np.random.default_rng(seeds)
        else:
            super().reset(seed=int(seeds[0]))
        self._lanes.reset(seeds, chosen, anew=seed is not None)
        return self._shown(), self._infos()

    def _chosen(self, options: Any) -> NDArray[np.bool_] | None:
        """Return the games that a reset deals by its options: bool[num_envs], or None for all."""
        if options is not None and not isinstance(options, dict):
            raise ValueError(f"options={shown(options)}: must be a dict, or None")
        if (chosen := (options or {}).get("reset_mask")) is None:
            return None
        try:
            mask = np.asarray(chosen)
        except ValueError:  # lists of different lengths, or too deep
            mask = np.empty(0)
        if mask.shape != (self.num_envs,) or mask.dtype != bool:
            raise ValueError(f"reset_mask={shown(chosen)}: must be {self.num_envs} bools")
        return mask

    def step(self, actions: ArrayLike) -> tuple[Any, np.ndarray, np.ndarray, np.ndarray, dict[str, Any]]:
        """Let the learner act in every game, then the others up to its next decision.

        A reward is 0 until its game ends. `infos` have the same keys and types at every step. `infos["seat"]` is the
        seat that decides, -1 where a game is over. Where a game has ended (`infos["_returns"]`), `infos["returns"]`
        float32[n, players], `infos["winners"]` bool and `infos["placements"]` int64 give the result of every seat
        (see `Game.outcomes`). `infos["illegal"]` int8[n] is 1 where an illegal action has ended the game, and
        `illegal_actions` has that action. In same-step mode `infos["final_obs"]` and `infos["final_info"]` hold the
        last observations and infos of games that ended (`infos["_final_obs"]`).

        Args:
            actions: Array int[num_envs].

        Returns:
            Observations, rewards float32[n], terminations bool[n], truncations bool[n], and infos.
        """
        if self._manual and self._lanes.over.any():
            raise RuntimeError(f"games {np.flatnonzero(self._lanes.over)} are over: reset them (reset_mask) first")
        self._lanes.step(actions)
        lanes = self._lanes
        return self._shown(), lanes.rewards, lanes.terminated, lanes.truncated, self._infos()

    @property
    def illegal_actions(self) -> dict[int, int]:
        """Illegal actions that have ended games in the last step, by game."""
        return self._lanes.forfeited

    def action_masks(self) -> NDArray[np.bool_]:
        """Return masks of the learner's legal actions for sb3-contrib: bool[num_envs, num_actions]."""
        return self._lanes.masks.view(np.bool_)

    def random_actions(self, seeds: Seeds) -> Actions:
        """Return a uniformly random legal action for every game, much faster than from the masks: int64[num_envs].

        Where a game is over and there is no choice the action is -1, which any step takes.

        Args:
            seeds: Array uint64[num_envs].
        """
        return self._lanes.random_actions(seeds)

    def render(self) -> tuple[Any, ...] | None:
        """Return the tables as the learner sees them: for each game a text ("ansi") or pixels ("rgb_array")."""
        if self.render_mode is None:
            return None
        return tuple(self._lanes.render(row, self.render_mode) for row in range(self.num_envs))

    def _shown(self) -> Any:
        if self._mask_in == "info":
            return self._lanes.observations
        return {"observation": self._lanes.observations, "action_mask": self._lanes.masks}

    def _infos(self) -> dict[str, Any]:
        infos: dict[str, Any] = {"seat": self._lanes.seats, "_seat": self._everywhere}
        if self._mask_in != "obs":
            infos |= {"action_mask": self._lanes.masks, "_action_mask": self._everywhere}
        ended = np.zeros(self.num_envs, bool)
        ended[self._lanes.ended_rows] = True
        results = self._results(ended)
        return infos | results | self._final(ended, results) if self._same_step else infos | results

    def _results(self, ended: NDArray[np.bool_]) -> dict[str, Any]:
        """Return the results of ended games in the form of Gymnasium's vector infos."""
        infos, blank = {}, self.game.blank_info()
        for name, rows in self._lanes.final_results().items():
            infos[name] = np.repeat(blank[name][None], self.num_envs, axis=0)
            infos[name][self._lanes.ended_rows] = rows
            infos[f"_{name}"] = ended
        illegal = self._lanes.illegal
        return infos | {"illegal": illegal, "_illegal": illegal != 0}

    def _final(self, ended: NDArray[np.bool_], results: dict[str, Any]) -> dict[str, Any]:
        """Return the last observations and infos of games that have ended, whose lanes play their next games now."""
        observations = np.empty(self.num_envs, object)  # None everywhere
        for row, observation in zip(self._lanes.ended_rows, self._lanes.final_observations(), strict=True):
            observations[row] = observation
            if self._mask_in != "info":
                observations[row] = {"observation": observation, "action_mask": self._free[row]}
        mask = {} if self._mask_in == "obs" else {"action_mask": self._free, "_action_mask": ended}
        return {"final_obs": observations, "_final_obs": ended, "final_info": mask | results, "_final_info": ended}
