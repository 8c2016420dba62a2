"""Values of the moves of a position: searches with new seeds, combined until the estimate is precise enough."""

import math
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from stardeck.agents.former_names import takes_former
from stardeck.agents.search.agent import SearchAgent
from stardeck.agents.search.root import FOUND
from stardeck.game.agent import Agent, States
from stardeck.game.game import Game

SURE = 1.96  # standard errors to each side of an interval of 95 %
ENOUGH = 4  # searches that an interval needs


class Estimate(NamedTuple):
    """The estimate of a move. Chances are probabilities that the deciding side wins, 0 to 1."""

    action: int
    prior: float  # probability under the prior policy
    policy: float  # recommended probability after the search
    win: float  # NaN: not tried yet
    low: float  # bounds of the interval in which the estimate varies from search to search; NaN: too few searches
    high: float
    tries: int


class Analysis:
    """Successive searches of one position, each with its own seed, from the acting seat's knowledge of the game.

    Intervals show how far searches agree with each other. They do not include errors of the prior policy or the value
    network.

    Args:
        game: The variant.
        states: One row.
        prior: The network that gives prior policy and values, or any compiled agent.
        open_cards: True if the search knows everything hidden and the outcomes of chance.
        simulations: Simulations of each search, raised to four for each move.

    Raises:
        ValueError: The game is over, or the agent cannot play it.
    """

    @takes_former
    def __init__(
        self, game: Game, states: States, prior: Agent, open_cards: bool = False, simulations: int = 200
    ) -> None:
        if game.is_over(states)[0]:
            raise ValueError("the game is over: there is nothing to analyse")
        self._game, self._states = game, states
        moves = int(game.legal_actions(states)[0].sum())
        self._search = SearchAgent(
            max(simulations, 4 * moves), prior=prior, candidates=moves, open_cards=open_cards, name="analysis"
        )
        self._search.check(game)
        self._searches: list[NDArray[np.void]] = []
        self._values: list[float] = []
        self._actions = np.flatnonzero(game.legal_actions(states)[0])

    @property
    def tries(self) -> int:
        """Number of simulations so far."""
        return sum(int(found["tries"].sum()) for found in self._searches)

    @property
    def win(self) -> float:
        """Probability that the acting side wins with the recommended play; NaN before the first search."""
        return self._chance(float(np.mean(self._values))) if self._values else math.nan

    def think_on(self) -> None:
        """Run one more search."""
        seeds = np.array([len(self._searches)], np.uint64)
        thoughts = self._search.think(self._game, self._states, seeds)
        self._searches.append(thoughts.found)
        self._values.append(float(thoughts.values[0]))

    def estimates(self) -> list[Estimate]:
        """Return the estimates of all legal moves, the best ones first."""
        if not self._searches:
            return []
        searches = np.stack(self._searches) if self._searches else np.empty((0, len(self._actions)), FOUND)
        rows = [self._estimate(int(action), searches[:, k]) for k, action in enumerate(self._actions)]
        return sorted(rows, key=lambda row: (-row.policy, row.action))

    def of(self, action: int) -> Estimate:
        """Return the estimate of one legal move."""
        return next(row for row in self.estimates() if row.action == action)

    def _estimate(self, action, found):
        tries = found["tries"].astype(float)
        tried = tries > 0
        mean = float(np.average(found["mean"][tried], weights=tries[tried])) if tried.any() else math.nan
        error = _error(found["mean"][tried], tries[tried], mean) if tried.sum() >= ENOUGH else math.nan
        low, high = (max(0.0, self._chance(mean - error)), min(1.0, self._chance(mean + error)))
        if math.isnan(error):
            low = high = math.nan
        policy, prior = float(found["policy"].mean()), float(found["prior"].mean())
        return Estimate(action, prior, policy, self._chance(mean), low, high, int(tries.sum()))

    def _chance(self, mean):
        """Return the winning probability of a mean return, where a win pays 1 and all returns sum to 0."""
        sides = max(2, len(self._game.variant.sides))
        return (mean * (sides - 1) + 1) / sides


def _error(means, weights, mean):
    """Return half the width of the interval of a weighted mean of independent searches."""
    count, share = len(means), weights / weights.sum()
    return SURE * math.sqrt(float(((share * (means - mean)) ** 2).sum()) * count / (count - 1))


class Turn(NamedTuple):
    """A decision of a recorded game, as a search evaluates it."""

    number: int
    seat: int
    win: float  # winning probability of the acting side with the recommended play
    played: Estimate | None  # None: the decision was forced
    better: Estimate | None  # the recommended move


@takes_former
def looked_back(game: Game, states: States, action: int, prior: Agent, searches: int = 1) -> Turn:
    """Return a search's estimate of an action taken in a position (one row), from the acting seat's knowledge."""
    number, seat = int(states[0]["decisions"]), int(states[0]["to_act"])
    analysis = Analysis(game, states, prior)
    for _ in range(searches):
        analysis.think_on()
    if len(analysis.estimates()) < 2:
        return Turn(number, seat, math.nan, None, None)
    return Turn(number, seat, analysis.win, analysis.of(action), analysis.estimates()[0])
