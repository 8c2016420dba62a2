"""What an environment knows of an agent: an object with a name, asked for whole batches of decisions."""

import traceback
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Protocol, runtime_checkable

import numpy as np
from numpy.typing import NDArray

from stardeck.kernels.errors import IllegalAction, said, shown

if TYPE_CHECKING:
    from stardeck.game.game import Game

States = NDArray[np.void]  # rows of a game's state_dtype, one a game
Masks = NDArray[np.int8]  # [n, num_actions]: 1 where legal
Seeds = NDArray[np.uint64]  # [n]
Actions = NDArray[np.int64]  # [n]
Observations = NDArray[np.uint8] | NDArray[np.float32]  # [n, observation_size]

PASSING_ON = {__file__}  # files that only pass a call on: an error is reported where an agent's own code has led to it


class AgentError(ValueError):
    """An agent has not decided: the message says which one, and why, for an error of its own with the line of code."""


class IllegalAnswer(AgentError, IllegalAction):
    """An agent has answered with an action that is not legal."""


@runtime_checkable
class Agent(Protocol):
    """A player: any object with a `name` and a method `act`, wherever an agent is asked for.

    It may have more:

    - `identity`, a text: what tells it from others of its name, such as the hash of its weights. Results of two
      identities are never mixed. Without it, its source and its state are hashed (agents/identity.py).
    - `thread_safe = True`: `act` may be called from several threads at once. Without it, all calls of a measurement
      come from the thread that has asked for it, one after the other.
    - `check(game)`, which raises ValueError for games that it cannot play.
    """

    @property
    def name(self) -> str:
        """What results call it."""
        ...

    def act(self, game: "Game", states: States, masks: Masks, seeds: Seeds) -> NDArray[np.integer]:
        """An action for each game: int[n], one that its mask has.

        game: the `Game`. states: a row of `game.state_dtype` for each decision, none of them over; they hold all there
        is, hidden cards too, so that an honest agent looks at `game.observe(states)`: uint8[n, observation_size]; those
        of a `HonestAgent` hold no more than the seat may know, and the rest redrawn.
        masks: int8[n, num_actions], 1 where legal. seeds: uint64[n], the chance of each decision: an agent that draws
        on nothing else plays the same again. How many rows come together is left open. Nothing that is given may be
        changed.
        """
        ...


AgentLike = str | Agent  # a name, the file of a trained agent, `mine.py:Agent`, or an agent
Opponents = AgentLike | Sequence[AgentLike] | Sequence[Sequence[AgentLike]]


def decisions(agent: Agent, game: "Game", states: States, seeds: Seeds) -> Actions:
    """What an agent decides: int64[n], legal actions. The states stay as they are, whatever it does with its own.

    Raises AgentError for an error of its own and for an answer that is none, IllegalAnswer; both name the agent.
    """
    given = game.copy(states), game.legal_actions(states), seeds
    try:
        answer = agent.act(game, *given)
    except (AgentError, KeyboardInterrupt):  # of an agent that this one has asked, such as the guide of a search
        raise
    except BaseException as error:  # SystemExit too
        told = f"{type(error).__name__} in {_place(error)}: {said(error)}"
        raise AgentError(f"agent {shown(agent.name)}: {told}") from error
    try:
        return game.check_actions(states, answer)
    except ValueError as error:
        kind = IllegalAnswer if isinstance(error, IllegalAction) else AgentError
        raise kind(f"agent {shown(agent.name)}: {error}") from error


def _place(error: BaseException) -> str:
    """The line of the agent's file that has led to an error: 'act, line 12 of mine.py'."""
    frames = [frame for frame in traceback.extract_tb(error.__traceback__) if frame.filename not in PASSING_ON]
    if not frames:  # its `act` cannot even be called
        return "act"
    last = [frame for frame in frames if frame.filename == frames[0].filename][-1]
    return f"{last.name}, line {last.lineno} of {Path(last.filename).name}"
