"""Options that every environment takes in addition to the settings of its game, and their checks."""

import operator
from collections.abc import Iterable, Mapping
from typing import TYPE_CHECKING, Any, NoReturn, TypedDict, TypeVar

import numpy as np
from numpy.typing import NDArray

from stardeck.game.agent import States
from stardeck.game.game import Game
from stardeck.kernels.errors import is_whole, shown

if TYPE_CHECKING:
    from gymnasium.spaces import Box, Dict

T = TypeVar("T")

ON_ILLEGAL = ("lose", "random_legal", "raise")
MASK_IN = ("obs", "info", "both")
OBSERVATION_DTYPES = ("uint8", "float32")


class DeviceLaneOptions(TypedDict, total=False):
    """Keyword arguments of `DeviceLanes`."""

    on_illegal: str
    """Response to an illegal action: `raise` (default), `lose` or `random_legal`."""


class LaneOptions(DeviceLaneOptions, total=False):
    """Keyword arguments of `Lanes`."""

    observation_dtype: str
    """`uint8` (default): numbers as kernels write them; `float32`: scaled."""
    buffers: int
    """Steps for which the arrays of `masks` and `observations` stay as they are; 0 (default): forever."""
    threads: int
    """Threads that share the lanes; games are the same for any number; 1 by default."""


class VecEnvOptions(TypedDict, total=False):
    """Keyword arguments of `GameVecEnv` that are not settings of its game."""

    observation_dtype: str
    """`uint8` (default): numbers as kernels write them; `float32`: scaled."""
    threads: int
    """Threads that share the games, which are the same for any number; 1 by default."""


class VectorOptions(VecEnvOptions, total=False):
    """Keyword arguments of `VectorGame` that are not settings of its game."""

    on_illegal: str
    """Response to an illegal action: `lose` (default), `random_legal` or `raise`."""
    copy: bool
    """True (default): each step makes new arrays; False: the environment returns two sets of arrays in turn."""
    render_mode: str | None
    """`ansi` or `rgb_array`; None by default."""
    device: str
    """`cpu` (default) or `cuda`."""


LANE_DEFAULTS: LaneOptions = {"on_illegal": "raise", "observation_dtype": "uint8", "buffers": 0, "threads": 1}
VEC_ENV_DEFAULTS: VecEnvOptions = {"observation_dtype": "uint8", "threads": 1}
VECTOR_DEFAULTS: VectorOptions = {
    "observation_dtype": "uint8",
    "threads": 1,
    "on_illegal": "lose",
    "copy": True,
    "render_mode": None,
    "device": "cpu",
}


def split_options(given: Mapping[str, Any], defaults: Mapping[str, Any]) -> tuple[dict[str, Any], dict[str, Any]]:
    """Return the options among keyword arguments, with their defaults, and the settings of the game."""
    options = {name: given.get(name, default) for name, default in defaults.items()}
    return options, {name: value for name, value in given.items() if name not in defaults}


def one_of(name: str, value: T, allowed: Iterable[T]) -> T:
    """Return the value of an option if it is allowed.

    Raises:
        ValueError: It is not; the message names the option, the value and the allowed values.
    """
    for each in allowed:
        if _is(value, each):
            return each
    raise ValueError(f"{name}={shown(value)}: must be one of {', '.join(map(str, allowed))}")


def _is(value: Any, each: Any) -> bool:
    """Return true if an option has a certain value: a bool is not a number, and an array equals nothing."""
    if is_whole(each):
        return is_whole(value) and operator.index(value) == each
    kinds = (bool, np.bool_) if isinstance(each, bool) else type(each)
    return isinstance(value, kinds) and bool(value == each)


class ResetAttributes:
    """Base class of environments: attributes that `reset` makes raise a clear error before the first reset."""

    made_by_reset: tuple[str, ...] = ()

    def __init_subclass__(cls, **options: Any) -> None:
        super().__init_subclass__(**options)
        for name in cls.made_by_reset:
            setattr(cls, name, _UnsetAttribute(name))


class _UnsetAttribute:
    """Placeholder in the class for an attribute that objects get at their first reset, where Python finds it first.

    A `__getattr__` would do the same, but it slows every attribute of its class down, by a tenth of a step.
    """

    def __init__(self, name: str) -> None:
        self.name = name

    def __get__(self, env: object, owner: type) -> NoReturn:
        raise AttributeError(f"reset() must be called first: {owner.__name__} has no game yet (no {self.name})")


def seed_of(seed: Any) -> int | None:
    """Return the seed of a reset as an int, or None; ValueError unless it is a whole number from 0 to 2**64 - 1."""
    return None if seed is None else _one_seed(seed)


def _one_seed(seed: Any) -> int:
    if not is_whole(seed) or not 0 <= operator.index(seed) < 2**64:
        raise ValueError(f"seed={shown(seed)}: must be one whole number from 0 to 2**64 - 1")
    return operator.index(seed)


def seeds_of(seed: Any, num_envs: int) -> NDArray[np.uint64] | None:
    """Return the seeds of a reset of several games, counted up from one number or given as a list; or None."""
    if seed is None:
        return None
    listed = isinstance(seed, list | tuple) or (isinstance(seed, np.ndarray) and seed.ndim == 1)
    if listed and len(seed) == num_envs:
        return np.array([_one_seed(each) for each in seed], np.uint64)
    first = _one_seed(seed)
    return np.array([_one_seed(first + number) for number in range(num_envs)], np.uint64)


def named_action(game: Game, states: States, action: int) -> str:
    """Return an action in words, or its number if it has none, for errors and infos."""
    return f"{action} ({game.describe(states, action)})" if 0 <= action < game.num_actions else shown(action)


class View:
    """Observations of one game as an environment returns them: integers as the kernel writes them, or scaled."""

    def __init__(self, game: Game, dtype: str) -> None:
        self.game = game
        self.dtype = np.dtype(one_of("observation_dtype", dtype, OBSERVATION_DTYPES))
        self._scale = game.observation_scale() if self.dtype == np.float32 else None

    def box(self, copies: int = 1) -> "Box":
        """Return the Gymnasium space of `copies` observations in a row."""
        from gymnasium.spaces import Box

        high = self.scaled(np.full(self.game.observation_size, self.game.variant.observation_limit, np.uint8))
        high = np.tile(high, copies)
        return Box(np.zeros_like(high), high, dtype=self.dtype.type)

    def space(self, mask_in: str) -> "Box | Dict":
        """Return the Gymnasium space of an observation, with or without the mask."""
        from gymnasium.spaces import Box, Dict

        if mask_in == "info":
            return self.box()
        return Dict({"observation": self.box(), "action_mask": Box(0, 1, (self.game.num_actions,), np.int8)})

    def scaled(self, observation: np.ndarray) -> np.ndarray:
        """Return an observation (uint8[..., observation_size]) in the chosen dtype."""
        return observation if self._scale is None else observation * self._scale

    def observe(self, states: States, seat: int) -> np.ndarray:
        """Return the view that `seat` has of the first game."""
        return self.scaled(self.game.observe(states, seat)[0])
