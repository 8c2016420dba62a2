"""Kinds of decisions in randomized trials, as the `treatments.py` of a game's agents describes them."""

from collections.abc import Callable
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from stardeck.game.agent import States
from stardeck.game.game import Game

NOTHING, AUTHORITY, ANY = "nothing", "authority", "any"
STAGES = ("early", "middle", "late")


class RecordedTrials(NamedTuple):
    """Trials that begin at decisions of recorded games."""

    is_decision: Callable[[Game, States, int], bool]  # of one state and the recorded action
    stages: Callable[[Game, States], NDArray[np.int64]]  # number of each state's stage


class Treatment(NamedTuple):
    """One kind of decision that is put to the test."""

    number: int  # as the kernel knows it
    options: Callable[[Any], list[str]]  # names of a variant's options, by their numbers
    others: tuple[str, ...] = (NOTHING, AUTHORITY)  # arms besides the options
    stages: tuple[str, ...] = STAGES
    cycle: tuple[int, ...] = (0, 1, 2, 2)  # stages of the trials of successive games; many games end before the last
    hazard: float = 0.15  # probability that chance takes an occasion
    recorded: RecordedTrials | None = None
    taken: Callable[[Any], NDArray[np.int64]] | None = None  # option that each action of a variant takes, or -1

    @property
    def rather_than(self) -> str:
        """Reference of the options: nothing, or any option where one must be taken."""
        return NOTHING if NOTHING in self.others else ANY
