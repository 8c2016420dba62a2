"""Advice: an agent's action in a player's place, from no more than that player knows."""

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from stardeck.agents.networks.agent import NetworkAgent
from stardeck.agents.search.agent import SearchAgent
from stardeck.game.agent import Agent, Seeds, States, decisions
from stardeck.game.game import Game

GUESSES = 25  # redrawn games for which the agent is asked


class Choice(NamedTuple):
    """An agent's choice in a position, from the acting seat's knowledge."""

    action: int
    policy: dict[int, float]  # probability of each legal action; those that are never chosen are left out


def advice(game: Game, states: States, agent: Agent, seat: int) -> int:
    """Return the action that an agent takes most often in games consistent with the acting seat's knowledge.

    Everything unknown to the seat is redrawn, so the answer cannot depend on it. A search redraws it before each of its
    simulations, so it is asked once.

    Args:
        game: The variant.
        states: One row.
        agent: The adviser.
        seat: The seat whose knowledge counts.
    """
    guesses, seeds = _redrawn(game, states, agent, seat)
    return int(np.bincount(decisions(agent, game, guesses, seeds)).argmax())


def choice(game: Game, states: States, agent: Agent, seat: int) -> Choice:
    """Return the action of `advice`, and the probability that the agent gives to each action.

    A network gives its policy, a search the policy that it recommends. For any other agent, the probability of an
    action is how often the agent takes it in the redrawn games.

    Args:
        game: The variant.
        states: One row.
        agent: The agent.
        seat: The seat whose knowledge counts.
    """
    guesses, seeds = _redrawn(game, states, agent, seat)
    if isinstance(agent, SearchAgent):
        thoughts = agent.think(game, guesses, seeds)
        return Choice(int(thoughts.chosen[0]), _shares(thoughts.actions, thoughts.policy))
    taken = decisions(agent, game, guesses, seeds)
    action = int(np.bincount(taken).argmax())
    if isinstance(agent, NetworkAgent) and game.legal_actions(states)[0].sum() > 1:
        thoughts = SearchAgent(1, prior=agent, temperature=1.0).think(game, guesses[:1], seeds[:1])
        return Choice(action, _shares(thoughts.actions, thoughts.found["prior"]))
    return Choice(action, _shares(*np.unique(taken, return_counts=True)))


def _redrawn(game: Game, states: States, agent: Agent, seat: int) -> tuple[States, Seeds]:
    count = 1 if isinstance(agent, SearchAgent) else GUESSES
    seeds = np.arange(count, dtype=np.uint64) + np.uint64(GUESSES) * states["decisions"].astype(np.uint64)
    return game.resample_hidden(game.take(states, [0] * count), seat, seeds), seeds


def _shares(actions: NDArray[np.int64], weights: NDArray[np.generic]) -> dict[int, float]:
    numbers = weights.astype(float) / weights.astype(float).sum()
    return {int(action): float(number) for action, number in zip(actions, numbers, strict=True) if number > 0}
