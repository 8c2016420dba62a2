"""Options that every environment takes besides the settings of its game, and their checks."""

import operator

import numpy as np

from stardeck.envs.game import Game

ON_ILLEGAL = ("lose", "random_legal", "raise")
MASK_IN = ("obs", "info", "both")
OBSERVATION_DTYPES = ("uint8", "float32")
RENDER_MODES = ("ansi", "human")


def one_of(name, value, allowed):
    """The value of an option if it is allowed; ValueError names option, value and what is allowed."""
    if value not in allowed:
        raise ValueError(f"{name}={value!r}: must be one of {', '.join(map(str, allowed))}")
    return value


def whole_number(action):
    """An action as an int; TypeError if it is no whole number."""
    try:
        return operator.index(action.item() if isinstance(action, np.ndarray) else action)
    except (TypeError, ValueError):
        raise TypeError(f"action {action!r}: must be a whole number") from None


def named_action(game: Game, states, action: int) -> str:
    """An action in words as far as it has any, for errors and infos."""
    return f"{action} ({game.describe(states, action)})" if 0 <= action < game.num_actions else str(action)


class View:
    """Observations of one game as an environment hands them out: integers as the kernel writes them, or scaled."""

    def __init__(self, game: Game, dtype: str):
        self.game = game
        self.dtype = np.dtype(one_of("observation_dtype", dtype, OBSERVATION_DTYPES))
        self._scale = game.observation_scale() if self.dtype == np.float32 else None

    def box(self, copies=1):
        """The Gymnasium space of `copies` observations in a row."""
        from gymnasium.spaces import Box

        high = self.scaled(np.full(self.game.observation_size, self.game.variant.observation_limit, np.uint8))
        high = np.tile(high, copies)
        return Box(np.zeros_like(high), high, dtype=self.dtype.type)

    def space(self, mask_in):
        """The Gymnasium space of an observation, with the mask in it or not."""
        from gymnasium.spaces import Box, Dict

        if mask_in == "info":
            return self.box()
        return Dict({"observation": self.box(), "action_mask": Box(0, 1, (self.game.num_actions,), np.int8)})

    def scaled(self, observation):
        """An observation (uint8[..., observation_size]) in the dtype that was asked for."""
        return observation if self._scale is None else observation * self._scale

    def observe(self, states, seat):
        """What `seat` may know of the first game."""
        return self.scaled(self.game.observe(states, seat)[0])
