"""Nash averaging and alpha-rank: evaluations of agents whose results are not transitive.

Both read the meta game: each of two players chooses an agent, and is paid its share of points against the other choice.

- Nash averaging (Balduzzi et al., "Re-evaluating evaluation", 2018) takes the equilibrium of this symmetric zero-sum
  game that has the largest entropy. That mixture of agents gets at least half of the points against every agent. Agents
  are rated by their points against the mixture, so a copy of an agent changes no rating.
- Alpha-rank (Omidshafiei et al., "α-Rank: multi-agent evaluation by evolution", 2019) follows a population in which
  better agents replace worse ones. The mass of an agent is the share of time in which it makes up the population, in
  the limit of strong selection (infinite alpha) and rare errors.

OpenSpiel has alpha-rank too, but reads one table at a time, and a bootstrap has a thousand. Tests compare the two.
"""

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from stardeck.benchmarks.league.ratings import Table, share

ERROR = 1e-7  # chance that a worse agent replaces a better one, in the limit of rare errors
SAME = 1e-6  # weights of two equilibria that differ by no more are equal, for a linear program is no more exact


def nash_mixture(scores: NDArray[np.float64]) -> np.ndarray:
    """Return the equilibrium of largest entropy: the weight of each agent, float64[agents], with the sum 1.

    scores: float64[agents, agents], the share of points of the row against the column, from 0 to 1.
    """
    agents = len(scores)
    corners = equilibria(np.repeat(scores[None], agents, axis=0), np.eye(agents))  # each with most of one agent
    middle = corners.mean(axis=0)
    if np.ptp(corners, axis=0).max() <= SAME:
        return middle
    from scipy.optimize import minimize
    from scipy.special import logsumexp, softmax

    # The dual problem: a price for each agent's gain against the mixture, which must not be positive.
    used = corners.max(axis=0) > SAME  # all others are in no equilibrium
    losses = 0.5 - scores[:, used]
    prices = minimize(
        lambda prices: (logsumexp(prices @ losses), losses @ softmax(prices @ losses)),
        np.zeros(agents),
        jac=True,
        bounds=[(0, None)] * agents,
        options={"ftol": 0, "gtol": 1e-12, "maxiter": 10_000, "maxfun": 10_000},
    ).x
    weights = np.zeros(agents)
    weights[used] = softmax(prices @ losses)
    return weights


def equilibria(scores: NDArray[np.float64], wanted: NDArray[np.float64]) -> np.ndarray:
    """Return one equilibrium of each meta game, a corner of the set of all: float64[tables, agents].

    One linear program solves all games at once.

    Args:
        scores: float64[tables, agents, agents], shares of points of the row against the column.
        wanted: float64[tables, agents], the value of a weight. Among several equilibria, the most valuable is returned.
    """
    from scipy.optimize import linprog
    from scipy.sparse import block_diag, eye_array, kron

    tables, agents = wanted.shape
    payoffs = block_diag(list(scores - 0.5), format="csr")  # of each agent against the mixture: none gains
    totals = kron(eye_array(tables), np.ones((1, agents)), format="csr")
    solved = linprog(-wanted.ravel(), payoffs, np.zeros(tables * agents), totals, np.ones(tables), method="highs-ds")
    weights = np.maximum(solved.x.reshape(tables, agents), 0)
    return weights / weights.sum(axis=1, keepdims=True)


def alpha_rank(scores: NDArray[np.float64]) -> np.ndarray:
    """Return the mass of each agent in each meta game: float64[tables, agents], with the sum 1 in each table.

    scores: float64[tables, agents, agents], shares of points of the row against the column.
    """
    agents = scores.shape[1]
    lost = np.swapaxes(scores, 1, 2) - scores  # what the column gets more than the row
    replaced = np.where(lost > 0, 1 - ERROR, ERROR)
    replaced[lost == 0] = 0.5
    replaced[:, range(agents), range(agents)] = 0
    # Flows into the row are 0 in balance.
    flows = np.swapaxes(replaced, 1, 2) - replaced.sum(axis=2)[:, :, None] * np.eye(agents)
    flows[:, -1] = 1  # masses add up to 1; the last balance follows from the others
    masses = np.linalg.solve(flows, np.tile(np.eye(agents)[-1][:, None], (len(scores), 1, 1)))[..., 0]
    return np.clip(masses, 0, 1)


class Evaluation(NamedTuple):
    """Evaluation of the agents of a league by its meta game.

    Each is float64[3, agents]: the values, and the lower and upper ends of their 95 % intervals.
    """

    weights: np.ndarray  # in the equilibrium
    scores: np.ndarray  # share of points against the equilibrium
    masses: np.ndarray  # by alpha-rank


def evaluate(table: Table, seed: int = 0) -> Evaluation:
    """Evaluate the agents of a league in which all agents met.

    Args:
        table: Points of the agents, and their resamples.
        seed: Seed of the choice among several equilibria of a resample.
    """
    agents = range(len(table.points))
    scores = share(np.concatenate([table.points[None], table.resampled_points]))
    scores[:, agents, agents] = 0.5  # against itself
    weights = np.concatenate([nash_mixture(scores[0])[None], _resampled_equilibria(scores[1:], seed)])
    against = np.matmul(scores, weights[:, :, None])[..., 0]
    return Evaluation(*(_with_interval(values) for values in (weights, against, alpha_rank(scores))))


def _resampled_equilibria(scores, seed):
    """Return one equilibrium of each meta game, a random one if there are several."""
    agents = scores.shape[1]
    weights = (scores + np.eye(agents) > 0.5).all(axis=2).astype(np.float64)  # one agent beats all others
    undecided = weights.sum(axis=1) == 0
    if undecided.any():
        wanted = np.random.default_rng(seed).normal(size=(undecided.sum(), agents))
        weights[undecided] = equilibria(scores[undecided], wanted)
    return weights


def _with_interval(values):
    return np.stack([values[0], *np.percentile(values[1:], (2.5, 97.5), axis=0)])
