"""Advice: an agent's action in a player's place, from no more than that player knows; and the policies of agents."""

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from stardeck.agents.networks.agent import NetworkAgent
from stardeck.agents.search.agent import SearchAgent
from stardeck.game.agent import Actions, Agent, Seeds, States, decisions
from stardeck.game.game import Game

GUESSES = 25  # redrawn games for which the agent is asked


class Choice(NamedTuple):
    """An agent's choice in a position, from the acting seat's knowledge."""

    action: int
    policy: dict[int, float]  # probability of each legal action; those that are never chosen are left out


class Policies(NamedTuple):
    """Policies of an agent in n positions; `actions[offsets[i] : offsets[i + 1]]` are the legal actions of row i."""

    chosen: Actions  # int64[n]: the agent's own choices
    offsets: NDArray[np.int64]  # [n + 1]
    actions: NDArray[np.int64]  # [legal actions of all rows], ascending in each row
    probabilities: NDArray[np.float32]  # [legal actions of all rows], which sum to 1 in each row


def policies(game: Game, states: States, agent: Agent, seeds: Seeds) -> Policies | None:
    """Return the policies of a network, or those that a search recommends; None for an agent that states none.

    Args:
        game: The variant.
        states: The decisions, one row each.
        agent: The agent.
        seeds: The chance of each decision, uint64[n].
    """
    if isinstance(agent, SearchAgent):
        thoughts = agent.think(game, states, seeds)
        return Policies(thoughts.chosen, thoughts.offsets, thoughts.actions, thoughts.policy)
    if isinstance(agent, NetworkAgent):
        thoughts = SearchAgent(1, prior=agent, temperature=1.0).think(game, states, seeds)
        prior = np.where(np.repeat(thoughts.forced, np.diff(thoughts.offsets)), 1, thoughts.found["prior"])
        chosen = decisions(agent, game, states, seeds)
        return Policies(chosen, thoughts.offsets, thoughts.actions, prior.astype(np.float32))
    return None


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
    known = policies(game, guesses[:1], agent, seeds[:1])
    if known is not None and isinstance(agent, SearchAgent):
        return Choice(int(known.chosen[0]), _shares(known.actions, known.probabilities))
    taken = decisions(agent, game, guesses, seeds)
    action = int(np.bincount(taken).argmax())
    if known is not None:
        return Choice(action, _shares(known.actions, known.probabilities))
    return Choice(action, _shares(*np.unique(taken, return_counts=True)))


def _redrawn(game: Game, states: States, agent: Agent, seat: int) -> tuple[States, Seeds]:
    count = 1 if isinstance(agent, SearchAgent) else GUESSES
    seeds = np.arange(count, dtype=np.uint64) + np.uint64(GUESSES) * states["decisions"].astype(np.uint64)
    return game.resample_hidden(game.take(states, [0] * count), seat, seeds), seeds


def _shares(actions: NDArray[np.int64], weights: NDArray[np.generic]) -> dict[int, float]:
    numbers = weights.astype(float) / weights.astype(float).sum()
    return {int(action): float(number) for action, number in zip(actions, numbers, strict=True) if number > 0}
