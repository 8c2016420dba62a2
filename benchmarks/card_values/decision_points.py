"""Decision points for trials from recorded games: the positions at which players made the decision under trial.

A record shows what was public, and at best guesses at the rest. So every trial deals again what the seat to act could
not know, and agents play on from there.
"""

from pathlib import Path
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from stardeck.agents.data.treatments import RecordedTrials
from stardeck.benchmarks.recordings import record
from stardeck.game.agent import States
from stardeck.game.game import Game


class DecisionPoints(NamedTuple):
    """Positions of one game, and their stages: early, middle, late."""

    states: States
    stages: NDArray[np.int64]


def decision_points_in(path: str | Path, game: Game, recorded: RecordedTrials) -> DecisionPoints:
    """Find the occasions in a file of recorded games, which must have the settings of `game`.

    Args:
        path: The file.
        game: The game of the trials.
        recorded: Rule that says which decisions count, and in which stage.

    Raises:
        ValueError: The file cannot be read, is of another game, or has no such decision.
    """
    found: list[States] = []

    def note(states, action):
        if action is not None and recorded.is_decision(game, states, action):
            found.append(game.copy(states))

    for number, saved in enumerate(record.read(path), 1):
        try:
            played = record.game_of(saved)
            if played.id != game.id:
                raise ValueError(f"is of {played.id}, not of {game.id}: give its settings, or leave it out")
            record.replay(saved, note)
        except ValueError as error:
            raise ValueError(f"{path}: game {number}: {error}") from error
    if not found:
        raise ValueError(f"{path}: nothing is bought in it, and no turn ends")
    states = np.concatenate(found)
    return DecisionPoints(states, recorded.stages(game, states))
