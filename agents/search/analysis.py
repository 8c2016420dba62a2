"""What the moves of a position are worth: searches from new seeds, put together until one knows enough."""

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
    """What is thought of a move. Chances are those of the side that decides to win, 0 to 1."""

    action: int
    prior: float  # probability under the prior policy
    policy: float  # how likely it should be taken, after what was tried
    win: float  # NaN: not tried yet
    low: float  # of the interval in which the estimate moves from search to search, NaN: too few searches
    high: float
    tries: int


class Analysis:
    """Searches of one position, one after the other, each by its own seed, as far as the seat to act knows the game.

    prior: the prior policy, a network, whose value network is asked too, or any compiled agent; open_cards: with all
    that is hidden, and what chance will bring. Intervals say how far the search agrees with itself; errors of the prior
    policy are not part of them. Raises ValueError for a game that is over, or a prior policy that cannot play it.
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
        """Courses of the game looked at so far."""
        return sum(int(found["tries"].sum()) for found in self._searches)

    @property
    def win(self) -> float:
        """The chance that the side to act wins, if it goes on as it should; NaN before the first search."""
        return self._chance(float(np.mean(self._values))) if self._values else math.nan

    def think_on(self) -> None:
        """One more search."""
        seeds = np.array([len(self._searches)], np.uint64)
        thoughts = self._search.think(self._game, self._states, seeds)
        self._searches.append(thoughts.found)
        self._values.append(float(thoughts.values[0]))

    def estimates(self) -> list[Estimate]:
        """What is thought of each legal move, the best ones first."""
        if not self._searches:
            return []
        searches = np.stack(self._searches) if self._searches else np.empty((0, len(self._actions)), FOUND)
        rows = [self._estimate(int(action), searches[:, k]) for k, action in enumerate(self._actions)]
        return sorted(rows, key=lambda row: (-row.policy, row.action))

    def of(self, action: int) -> Estimate:
        """What is thought of one legal move."""
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
        """The chance to win that a mean return stands for: one for who wins, in all nothing."""
        sides = max(2, len(self._game.variant.sides))
        return (mean * (sides - 1) + 1) / sides


def _error(means, weights, mean):
    """Half of the interval of a weighted mean of searches that know nothing of each other."""
    count, share = len(means), weights / weights.sum()
    return SURE * math.sqrt(float(((share * (means - mean)) ** 2).sum()) * count / (count - 1))


class Turn(NamedTuple):
    """A decision of a game that was played, as a search sees it."""

    number: int
    seat: int
    win: float  # the chance of the side to act, if it goes on as it should
    played: Estimate | None  # None: it was forced
    better: Estimate | None  # what should be taken


@takes_former
def looked_back(game: Game, states: States, action: int, prior: Agent, searches: int = 1) -> Turn:
    """What a search thinks of an action that was taken in a position: one row, as far as the seat to act knows it."""
    number, seat = int(states[0]["decisions"]), int(states[0]["to_act"])
    analysis = Analysis(game, states, prior)
    for _ in range(searches):
        analysis.think_on()
    if len(analysis.estimates()) < 2:
        return Turn(number, seat, math.nan, None, None)
    return Turn(number, seat, analysis.win, analysis.of(action), analysis.estimates()[0])
