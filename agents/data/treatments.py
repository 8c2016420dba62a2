"""Kinds of decisions that trials try out, as the agents package of a game describes them in its `treatments.py`."""

from collections.abc import Callable
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from stardeck.game.agent import States
from stardeck.game.game import Game

NOTHING, AUTHORITY, ANY = "nothing", "authority", "any"
STAGES = ("early", "middle", "late")


class Recorded(NamedTuple):
    """Trials that begin at decisions of recorded games."""

    is_decision: Callable[[Game, States, int], bool]  # of one state, and the action that was taken
    stages: Callable[[Game, States], NDArray[np.int64]]  # the number of each state's stage


class Tried(NamedTuple):
    """One kind of decision that is tried out."""

    number: int  # as the kernel knows it
    options: Callable[[Any], list[str]]  # of a variant, by their numbers
    others: tuple[str, ...] = (NOTHING, AUTHORITY)  # what may be drawn beside options
    stages: tuple[str, ...] = STAGES
    cycle: tuple[int, ...] = (0, 1, 2, 2)  # in which stage games have their trials, in turn: many end before the last
    hazard: float = 0.15  # of an occasion, that chance takes it
    recorded: Recorded | None = None

    @property
    def rather_than(self) -> str:
        """What options are compared with: nothing, or, where one must be taken, any of them."""
        return NOTHING if NOTHING in self.others else ANY
