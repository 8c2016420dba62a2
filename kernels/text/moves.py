"""Legal moves in words, and back, for all games; each game has its own `describe`."""

from collections.abc import Callable
from typing import Any, NoReturn

import numpy as np
from numpy.typing import NDArray

from stardeck.kernels.errors import IllegalAction, shown
from stardeck.kernels.loops import batch
from stardeck.kernels.primitives import action_set

States = NDArray[np.void]
Describe = Callable[[Any, Any, int], str]  # (variant, state, action) -> words


def legal_numbers(variant: Any, states: States) -> list[int]:
    """Return the legal actions of one game in ascending order. states: array of one row."""
    mask = np.empty((1, len(variant.actions)), np.int8)
    batch.mask_all(variant.rules, states, np.empty(action_set.words_for(len(variant.actions)), np.uint64), mask)
    return np.flatnonzero(mask[0]).tolist()


def check_number(variant: Any, action: int) -> None:
    """Raise IllegalAction if there is no action of this number."""
    if not 0 <= action < len(variant.actions):
        raise IllegalAction(f"action {shown(action)}: must be from 0 to {len(variant.actions) - 1}")


def legal_moves(variant: Any, states: States, describe: Describe) -> list[str]:
    """Return the legal actions in words. states: array of one row."""
    return [describe(variant, states[0], number) for number in legal_numbers(variant, states)]


def find(variant: Any, states: States, describe: Describe, text: str) -> list[int]:
    """Return the legal action that words stand for, as a list of one, or an empty list. states: array of one row."""
    wanted = " ".join(text.split())
    return [n for n in legal_numbers(variant, states) if describe(variant, states[0], n) == wanted][:1]


def refuse(text: str, moves: list[str]) -> NoReturn:
    """Raise IllegalAction for words that stand for none of the legal moves."""
    raise IllegalAction(f"{shown(text)} is not legal here; legal: {'; '.join(moves) or 'nothing, the game is over'}")
