"""Occasions for trials from recorded games: the positions at which their players bought, or ended a turn.

A record says what lay open, and at best guesses at the rest. So whatever the seat to act could not know is dealt again
for every trial, and agents play on from there.
"""

from pathlib import Path
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from stardeck.agents.star_realms.values import FIRST_TURN_OF_STAGE
from stardeck.benchmarks.recordings import record
from stardeck.game.agent import States
from stardeck.game.game import Game
from stardeck.kernels.star_realms.rules import Act

BUYING = Act.BUY, Act.BUY_TO_DECK, Act.END_TURN


class Occasions(NamedTuple):
    """Positions of one game, and their stages: early, middle, late."""

    states: States
    stages: NDArray[np.int64]


def occasions_in(path: str | Path, game: Game) -> Occasions:
    """Those of a file of recorded games of Star Realms, which must have the settings of `game`. Raises ValueError."""
    found: list[States] = []

    def note(states, action):
        if action is not None and game.variant.actions[action].act in BUYING and not states[0]["stack_count"]:
            found.append(game.copy(states))

    for number, told in enumerate(record.read(path), 1):
        try:
            played = record.game_of(told)
            if played.id != game.id:
                raise ValueError(f"is of {played.id}, not of {game.id}: give its settings, or leave it out")
            record.replay(told, note)
        except ValueError as error:
            raise ValueError(f"{path}: game {number}: {error}") from error
    if not found:
        raise ValueError(f"{path}: nothing is bought in it, and no turn ends")
    states = np.concatenate(found)
    return Occasions(states, _stages(game, states))


def _stages(game, states):
    rules = game.rules[0]
    rounds = (states["turn"].astype(np.int64) - 1) // int(rules["sides"] if rules["shared_turn"] else rules["players"])
    return sum(np.int64(1) * (rounds >= first) for first in FIRST_TURN_OF_STAGE[1:])
