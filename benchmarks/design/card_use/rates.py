"""Buy rates: how often an agent buys a card in the turns in which it could.

An opportunity is a turn of a seat in which the card is on offer at a purchase decision and can be paid for. The
decisions are those of the randomised trials (benchmarks/card_values), but here the agent decides all of them.
"""

from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray
from scipy import stats

from stardeck import agents as players
from stardeck.agents.data.purchases import BOUGHT, NO_OPTION, OFFERED, blank_trial, count_purchases
from stardeck.agents.data.treatments import Treatment
from stardeck.benchmarks.card_values.treatments import treatments_of
from stardeck.benchmarks.design.kept.rows import Chunk, ShortChunks
from stardeck.game.agent import AgentLike
from stardeck.game.agent_table import AgentTable
from stardeck.game.game import Game
from stardeck.kernels.loops import playouts

GAMES = 64  # games of a row
CHUNK = 32  # rows between two looks at the clock

Array = NDArray[np.float64]


def purchases_of(game: Game) -> tuple[str, Treatment] | None:
    """Return name and description of the purchases of a game, or None where trials have no choice of nothing."""
    for name, treatment in treatments_of(game.variant.game).items():
        if treatment.rather_than == "nothing":
            return name, treatment
    return None


class PurchaseSeries(ShortChunks):
    """Games of one agent against itself, in which offers and purchases are counted. A row is the sum of GAMES games.

    Args:
        game: The variant, which has purchases.
        agent: A compiled agent.
        seed: Seed of all chance.

    Attributes:
        options: Names of the options.
        shape: Shape of a row: stages, options, offered or bought.
    """

    chunk = CHUNK

    def __init__(self, game: Game, agent: AgentLike, seed: int) -> None:
        found = purchases_of(game)
        if found is None:
            raise ValueError(f"{game.id}: has no purchases that can be declined")
        self.game, self.agents, self.seed, self.tried = game, [players.get(agent, game)], seed, found[1]
        self.options = self.tried.options(game.variant)
        self.shape = len(self.tried.stages), len(self.options), 2
        self._cast = AgentTable(self.agents)

    def __reduce__(self) -> tuple[Any, ...]:
        return PurchaseSeries, (self.game, self.agents[0], self.seed)

    def play(self, start: int, stop: int) -> Chunk:
        """Play rows [start, stop): a chunk with rows int32[n, stages, options, 2].

        Args:
            start: First row.
            stop: Row after the last one.
        """
        taken = self.tried.taken
        option_of = np.full(self.game.num_actions, NO_OPTION) if taken is None else taken(self.game.variant)
        kinds = np.full((GAMES, self.game.players), self._cast.kinds[0])
        counts = np.zeros((stop - start, *self.shape), np.int64)
        for row in range(start, stop):
            seeds = np.empty(GAMES, np.uint64)
            playouts.seed_blocks(np.uint64(self.seed), np.arange(row * GAMES, (row + 1) * GAMES), seeds)
            states = self.game.deal(seeds)
            cast = playouts.Players(np.zeros(1, playouts.AGENT), kinds, self._cast.networks)
            tally = option_of.astype(np.int64), counts[row - start], np.empty(self.shape[1:], np.int64)
            played = self.game.rules, states, cast, np.uint64(self.seed), seeds
            count_purchases(*played, blank_trial(self.tried.number), tally)
        return Chunk(start, counts.astype(np.int32))


class Rates(NamedTuple):
    """Buy rates of all options.

    Attributes:
        offered: Number of opportunities by stage: float64[stages, options].
        rate: Share of opportunities that were taken: float64[options]; NaN without any.
        error: Its standard error, by blocks of games.
        average: Share of all opportunities of all options that were taken.
    """

    offered: Array
    rate: Array
    error: Array
    average: float


def rates(rows: NDArray[np.int32]) -> Rates:
    """Return the buy rates of all options.

    Args:
        rows: Counts, int32[rows, stages, options, 2], each of the same number of games.
    """
    counts = rows.sum(axis=1, dtype=np.int64).astype(np.float64)
    offered, bought = counts[..., OFFERED], counts[..., BOUGHT]
    total = offered.sum(axis=0)
    with np.errstate(invalid="ignore", divide="ignore"):
        rate = bought.sum(axis=0) / total
        apart = bought - rate * offered
        error = np.sqrt((apart**2).sum(axis=0) * len(rows) / max(len(rows) - 1, 1)) / total
    extreme = (rate == 0) | (rate == 1)  # all alike: the error of a rate that is a little inside
    error[extreme] = np.maximum(error, np.sqrt(0.5) / np.maximum(total, 1))[extreme]
    by_stage = rows[..., OFFERED].sum(axis=0, dtype=np.int64).astype(np.float64)
    return Rates(by_stage, rate, error, float(bought.sum() / max(total.sum(), 1)))


def interval(rate: float, error: float) -> tuple[float, float]:
    """Return the 95 % interval of a rate: that of Agresti and Coull for as many trials as the error stands for.

    Args:
        rate: The rate.
        error: Its standard error.
    """
    spread = rate * (1 - rate)
    trials = spread / error**2 if error > 0 and spread > 0 else (0.5 / error**2) ** 0.5
    z = stats.norm.ppf(0.975)
    middle = (rate * trials + z**2 / 2) / (trials + z**2)
    half = z * np.sqrt(middle * (1 - middle) / (trials + z**2))
    return max(0.0, float(middle - half)), min(1.0, float(middle + half))
