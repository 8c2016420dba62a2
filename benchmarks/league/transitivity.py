"""Test of the assumption behind Elo: one number for each agent explains the results of all pairs.

The log odds of pairs are a flow between agents. The Hodge decomposition splits it into differences of ratings and a
cyclic rest, which no rating explains (Jiang et al., "Statistical ranking and combinatorial Hodge theory", 2011). Each
pair has the precision of its log odds as its weight, from the bootstrap over deals. The weighted sum of squares of the
rest is Berkson's minimum logit chi-square: if Elo is right, its mean is its number of degrees of freedom.
"""

from typing import NamedTuple

import numpy as np

from stardeck.benchmarks.league.ratings import ELO, Table, share

SIGNIFICANT = 0.05  # Elo does not explain results that are as unlikely as this under it
HALF = 0.5  # points added to both of a pair: log odds stay finite, with little bias (Haldane's correction)


class Transitivity(NamedTuple):
    """The fit of Elo to the results of a league.

    Attributes:
        chi2: Weighted sum of squares of the cyclic rest.
        freedom: Its degrees of freedom.
        p: Chance of as large a rest if Elo is right.
        cyclic: The rest's share of the weighted sum of squares of the log odds, both without the part that chance adds:
            value, and lower and upper end of the 95 % interval.
        residuals: float64[agents, agents], the share of points of the row against the column, less that by Elo; 0 for
            an agent against itself.
    """

    chi2: float
    freedom: int
    p: float
    cyclic: tuple[float, float, float]
    residuals: np.ndarray

    @property
    def elo_explains(self) -> bool:
        """True if Elo explains the results, apart from chance."""
        return self.p >= SIGNIFICANT


def transitivity(table: Table) -> Transitivity:
    """Test if Elo explains the results of a league of three or more agents that all met."""
    from scipy.stats import chi2

    agents = len(table.points)
    one, other = np.triu_indices(agents, 1)
    pairs = len(one)
    differences = np.zeros((pairs, agents))
    differences[range(pairs), one], differences[range(pairs), other] = 1, -1
    scores = share(table.points + HALF)[one, other]
    deviations = share(table.resampled_points)[:, one, other].std(axis=0) / (scores * (1 - scores))  # of log odds
    points = np.concatenate([table.points[None], table.resampled_points]) + HALF
    flows = np.log(points[:, one, other] / points[:, other, one]) / deviations
    ratings = np.linalg.lstsq(differences / deviations[:, None], flows.T, rcond=None)[0]
    rests = flows - (differences @ ratings).T / deviations
    squares, rest_squares = (flows**2).sum(axis=1), (rests**2).sum(axis=1)
    freedom = pairs - (agents - 1)
    chance = np.full(len(points), 2)  # resampled results have the chance of the games, and as much again
    chance[0] = 1
    cyclic = np.maximum(rest_squares - chance * freedom, 0)
    all_of_it = np.maximum(squares - chance * pairs, cyclic)
    shares = np.divide(cyclic, all_of_it, out=np.zeros_like(cyclic), where=all_of_it > 0)
    value, (low, high) = shares[0], np.percentile(shares[1:], (2.5, 97.5))
    by_elo = 1 / (1 + np.exp((table.ratings - table.ratings[:, None]) / ELO))
    return Transitivity(
        float(rest_squares[0]),
        freedom,
        float(chi2.sf(rest_squares[0], freedom)),
        (float(value), float(low), float(high)),
        np.nan_to_num(share(table.points) - by_elo),
    )
