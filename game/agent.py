"""Protocol of agents: an object with a name that decides for whole batches of games."""

import traceback
from collections.abc import Iterable, Sequence
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

FORWARDING_FILES = {__file__}  # files that only pass a call on: an error names the line of the agent's own code


class AgentError(ValueError):
    """Failure of an agent to decide: names the agent and the reason; for an error in its code, also the line."""


class IllegalAnswer(AgentError, IllegalAction):
    """Answer of an agent that is not a legal action."""


@runtime_checkable
class Agent(Protocol):
    """Player: any object with a `name` and a method `act`; every function that takes an agent accepts it.

    An agent may have more members:

    - `identity`, a text: distinguishes the agent from others of the same name, such as a hash of its weights. Results
      of different identities are never mixed. By default, its source and its state are hashed (agents/identity.py).
    - `thread_safe = True`: several threads may call `act` at once. By default, all calls of a measurement come from
      one thread, one after the other.
    - `check(game)`: raises ValueError for games that the agent cannot play.
    """

    @property
    def name(self) -> str:
        """Name of the agent in results."""
        ...

    def act(self, game: "Game", states: States, masks: Masks, seeds: Seeds) -> NDArray[np.integer]:
        """Choose a legal action for each game.

        The number of rows in a call may vary. `act` must not change its arguments.

        Args:
            game: The `Game` that is played.
            states: One row of `game.state_dtype` for each decision; no game is over. The rows hold everything, hidden
                cards too, so an honest agent looks at `game.observe(states)`, uint8[n, observation_size]. A
                `HonestAgent` gets rows in which everything that the seat cannot know is redrawn.
            masks: int8[n, num_actions], 1 where an action is legal.
            seeds: uint64[n], the randomness of each decision. An agent without another source of randomness plays the
                same way again.

        Returns:
            int[n]: for each game, an action that its mask allows.
        """
        ...


AgentLike = str | Agent  # a name, the file of a trained agent, `mine.py:Agent`, or an agent
Opponents = AgentLike | Sequence[AgentLike] | Sequence[Sequence[AgentLike]]


def distinct(agents: Iterable[Agent]) -> list[Agent]:
    """Return each agent once, in order. An agent is an object: `==` and `hash` of a user's class are not asked."""
    return list({id(agent): agent for agent in agents}.values())


def number_of(agent: Agent, agents: Sequence[Agent]) -> int:
    """Return the place of an agent, the same object, in a list that holds it."""
    return next(number for number, each in enumerate(agents) if each is agent)


def decisions(agent: Agent, game: "Game", states: States, seeds: Seeds) -> Actions:
    """Return the legal actions that an agent chooses; the agent gets copies of the states.

    Args:
        agent: The agent that decides.
        game: The game that is played.
        states: The games, one row each.
        seeds: The randomness of each decision: uint64[n].

    Returns:
        The actions: int64[n].

    Raises:
        IllegalAnswer: The agent chose an action that is not legal.
        AgentError: The agent raised an error or did not return actions. Both errors name the agent.
    """
    given = game.copy(states), game.legal_actions(states), seeds
    try:
        answer = agent.act(game, *given)
    except (AgentError, KeyboardInterrupt):  # of an inner agent, such as the prior policy of a search
        raise
    except BaseException as error:  # SystemExit too
        report = f"{type(error).__name__} in {_place(error)}: {said(error)}"
        raise AgentError(f"agent {shown(agent.name)}: {report}") from error
    try:
        return game.check_actions(states, answer)
    except ValueError as error:
        kind = IllegalAnswer if isinstance(error, IllegalAction) else AgentError
        raise kind(f"agent {shown(agent.name)}: {error}") from error


def _place(error: BaseException) -> str:
    """Return the line of the agent's file that led to an error: 'act, line 12 of mine.py'."""
    frames = [frame for frame in traceback.extract_tb(error.__traceback__) if frame.filename not in FORWARDING_FILES]
    if not frames:  # its `act` cannot even be called
        return "act"
    last = [frame for frame in frames if frame.filename == frames[0].filename][-1]
    return f"{last.name}, line {last.lineno} of {Path(last.filename).name}"
