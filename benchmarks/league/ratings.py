"""Ratings with intervals from the games of a league.

A game ranks its sides. Each pair of sides makes one comparison: won, lost or drawn (half a point each). One
Bradley-Terry model covers all games: duels, teams (a side is one player) and free-for-alls. In a Plackett-Luce ranking
of any number of players, the order of two players is a Bradley-Terry comparison of the same two strengths. Full
placements therefore count in full.

Prior: every agent gets one drawn game more, shared among its opponents. The agent with fewer opponents sets the share
of a pair. The prior keeps ratings finite at 100 % and has little weight against the games.

Intervals come from a bootstrap over the blocks of games that share a deal. Each match also gets half a block of wins
and half a block of losses, for outcomes that were not seen. Otherwise 100 % of 20 games would be as certain as of
20,000. If an agent has no chain of wins to the first agent, or of losses, the games bound the difference on one side
only. The rating is then the prior's, and the interval is open at the other end.
"""

from collections.abc import Iterable, Sequence
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

ELO = 400 / np.log(10)  # Elo points for a unit of the logarithm of strength
RESAMPLES = 1_000
DRAW = 0.5  # points for each of the two agents
STEPS = 1_000  # most steps of a fit, which takes about ten
CLOSE = 1e-9  # the fit ends when no strength changes by more than this
DRAWS_AT_ONCE = 10_000_000  # most numbers in memory at once


class Comparisons(NamedTuple):
    """The results of one match. Agents of the match are numbered within it."""

    members: tuple[int, ...]  # numbers of its agents within the league
    outcomes: np.ndarray  # float64[kinds, n, n]: distinct results of a block, as points of agents over agents
    counts: np.ndarray  # int64[kinds]: number of blocks with each result


def compare(members: Sequence[int], places: NDArray[np.int64], order: NDArray[np.int64], block: int) -> Comparisons:
    """Return the comparisons of the games of a match. Two sides of one agent are not compared.

    Args:
        members: Numbers of the n agents of the match within the league.
        places: int[games, sides], equal where sides share a place.
        order: int[games, sides], the agent of each side, from 0 to n - 1.
        block: Number of consecutive games that share a deal.
    """
    n = len(members)
    games, sides = places.shape
    blocks = -(-games // block)
    points = np.zeros(blocks * n * n)
    row = np.arange(games) // block * n
    for one in range(sides):
        for other in range(sides):
            if one != other:
                gained = (places[:, one] < places[:, other]) + 0.5 * (places[:, one] == places[:, other])
                gained[order[:, one] == order[:, other]] = 0
                points += np.bincount((row + order[:, one]) * n + order[:, other], gained, len(points))
    outcomes, counts = np.unique(points.reshape(blocks, n * n), axis=0, return_counts=True)
    return Comparisons(tuple(members), outcomes.reshape(-1, n, n), counts)


class Table(NamedTuple):
    """Points of every agent of a league over every other, and their ratings, for the games and for resamples."""

    points: np.ndarray  # float64[agents, agents]
    ratings: np.ndarray  # float64[agents]: Elo, the first agent at 0; NaN where no games lead to it
    resampled_points: np.ndarray  # float64[resamples, agents, agents]
    resampled_ratings: np.ndarray  # float64[resamples, agents]

    def rating_intervals(self) -> np.ndarray:
        """Return 95 % intervals: float64[2, agents]; infinite where the games set no bound."""
        low, high = np.percentile(self.resampled_ratings, (2.5, 97.5), axis=0)
        took = self.points > 0
        known = ~np.isnan(self.ratings)
        low[known & ~leading(took.T)] = -np.inf
        high[known & ~leading(took)] = np.inf
        return np.stack([low, high])

    def scores(self) -> np.ndarray:
        """Return the share of points of each agent against each other, with its interval: float64[3, agents, agents].

        NaN where two agents did not meet.
        """
        shares = share(self.resampled_points)
        return np.stack([share(self.points), *np.percentile(shares, (2.5, 97.5), axis=0)])


def share(points: NDArray[np.float64]) -> np.ndarray:
    """Return the share of points between each two agents, in the same shape; NaN where there are none."""
    games = points + np.swapaxes(points, -1, -2)
    return np.divide(points, games, out=np.full_like(points, np.nan), where=games > 0)


def rate(matches: Iterable[Comparisons], agents: int, resamples: int = RESAMPLES, seed: int = 0) -> Table:
    """Rate the agents of a league by its matches.

    Args:
        matches: Comparisons of each match, from `compare`.
        agents: Number of agents in the league.
        resamples: Number of bootstrap resamples.
        seed: Seed of the bootstrap.
    """
    points = np.zeros((agents, agents))
    resampled = np.zeros((resamples, agents, agents))
    random = np.random.default_rng(seed)
    for match in matches:
        place: tuple[Any, ...] = np.ix_(match.members, match.members)
        points[place] += np.tensordot(match.counts, match.outcomes, 1)
        resampled[:, *place] += resample(match, resamples, random)
    prior = prior_of(points + points.T > 0)
    ratings = fit(np.concatenate([points[None], resampled]) + prior)
    return Table(points, ratings[0], resampled, ratings[1:])


def prior_of(met: NDArray[np.bool_]) -> np.ndarray:
    """Return the points of the prior: float64[agents, agents]. met: bool[agents, agents]."""
    opponents = met.sum(axis=1)
    return DRAW * met / np.maximum(1, np.minimum.outer(opponents, opponents))


def resample(match: Comparisons, resamples: int, random: np.random.Generator) -> np.ndarray:
    """Return the points in matches of resampled blocks: float64[resamples, n, n].

    Args:
        match: Comparisons of the match, with n agents.
        resamples: Number of resamples.
        random: Random numbers of the bootstrap.
    """
    blocks = match.counts.sum()
    met = np.tensordot(match.counts, match.outcomes + np.swapaxes(match.outcomes, 1, 2), 1) / blocks
    outcomes = np.concatenate([match.outcomes, [np.triu(met) / 2, np.tril(met) / 2]])
    chances = np.append(match.counts, [0.5, 0.5]) / (blocks + 1)
    at_once = max(1, DRAWS_AT_ONCE // len(chances))
    sizes = [min(at_once, resamples - start) for start in range(0, resamples, at_once)]
    drawn = (random.multinomial(blocks + 1, chances, size) for size in sizes)
    return np.concatenate([np.tensordot(counts, outcomes, 1) for counts in drawn])


def fit(points: NDArray[np.float64]) -> np.ndarray:
    """Return Bradley-Terry ratings in Elo, the first agent at 0: float64[tables, agents].

    A rating is NaN where no points lead to the first agent. points: float64[tables, agents, agents]; two agents have
    met in every table or in none.

    Newton's method fits all tables at once; libraries that have it take longer to import than this takes to run.
    Steps are damped by the bounded curvature of the likelihood, so they find the maximum from any start (Sun and
    Tran-Dinh, "Generalized self-concordant functions", 2019). Near the maximum they are full steps.
    """
    known = leading(points[0] + points[0].T > 0)
    table = points[:, known][:, :, known]
    games = table + np.swapaxes(table, 1, 2)
    strengths = np.zeros(table.shape[:2])
    for _ in range(STEPS):
        chances = 1 / (1 + np.exp(strengths[:, None, :] - strengths[:, :, None]))  # of the row against the column
        slope = (table - games * chances).sum(axis=2)
        curvature = -games * chances * (1 - chances)
        diagonal = np.arange(known.sum())
        curvature[:, diagonal, diagonal] -= curvature.sum(axis=2)
        step = np.zeros_like(strengths)
        step[:, 1:] = np.linalg.solve(curvature[:, 1:, 1:], slope[:, 1:, None])[..., 0]  # the first stays at 0
        width = np.ptp(step, axis=1, keepdims=True)
        strengths += step * np.divide(np.log1p(width), width, out=np.ones_like(width), where=width > 0)
        if width.max() < CLOSE:
            break
    ratings = np.full(points.shape[:2], np.nan)
    ratings[:, known] = ELO * strengths
    return ratings


def leading(arrows: NDArray[np.bool_]) -> np.ndarray:
    """Return the agents that the first one leads to, over any number of others: bool[agents].

    arrows: bool[agents, agents].
    """
    found = np.arange(len(arrows)) == 0
    for _ in arrows:
        found |= arrows[found].any(axis=0)
    return found
