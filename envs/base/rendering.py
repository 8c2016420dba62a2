"""Rendering of environments, by render mode."""

from typing import Any

import numpy as np
from numpy.typing import NDArray

from stardeck.envs.base.options import one_of
from stardeck.game.agent import States
from stardeck.game.game import Game
from stardeck.kernels.errors import harmless

RENDER_MODES = ("ansi", "human", "rgb_array")


def mode_of(render_mode: Any, allowed: tuple[str, ...] = RENDER_MODES) -> str | None:
    """Return a mode if it is allowed and its requirements are installed; else ValueError or ModuleNotFoundError."""
    mode: str | None = one_of("render_mode", render_mode, (None, *allowed))
    if mode == "rgb_array":
        import stardeck.viewer.png  # noqa: F401 (its error names the missing extra)
    return mode


def render_table(game: Game, states: States, seat: int | None, mode: str | None) -> str | NDArray[np.uint8] | None:
    """Return the table of one game as `seat` sees it: a text, pixels uint8[900, 1200, 3], or None after printing."""
    if mode == "rgb_array":
        from stardeck.viewer.png import frame

        return frame(game.table(states, seat))
    text = game.render(states, seat)
    if mode != "human":
        return text
    print(harmless(text))
    return None
