"""What an environment knows of an agent: an object with a name, asked for whole batches of decisions."""

from collections.abc import Sequence
from typing import TYPE_CHECKING, Protocol

import numpy as np
from numpy.typing import NDArray

if TYPE_CHECKING:
    from stardeck.envs.game import Game

States = NDArray[np.void]  # rows of a game's state_dtype, one a game
Masks = NDArray[np.int8]  # [n, num_actions]: 1 where legal
Seeds = NDArray[np.uint64]  # [n]
Actions = NDArray[np.int64]  # [n]
Observations = NDArray[np.uint8] | NDArray[np.float32]  # [n, observation_size]


class Agent(Protocol):
    """A player. It may have an `identity` beside its name, and a method `check(game)` that raises ValueError."""

    @property
    def name(self) -> str:
        """What results call it."""
        ...

    def act(self, game: "Game", states: States, masks: Masks, seeds: Seeds) -> NDArray[np.integer]:
        """An action for each game. states: none of them over; seeds: the chance of each decision."""
        ...


AgentLike = str | Agent  # a name, the file of a trained agent, or an agent
Opponents = AgentLike | Sequence[AgentLike] | Sequence[Sequence[AgentLike]]
