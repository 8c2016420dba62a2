"""Series of games with one trial each, and the store of their results: one row for each game."""

from typing import Any, NamedTuple

import numpy as np

from stardeck import agents as players
from stardeck.agents.data import trials as kernels
from stardeck.agents.data.treatments import ANY
from stardeck.agents.networks.agent import NetworkError
from stardeck.benchmarks.arena.series import Series
from stardeck.benchmarks.card_values.decision_points import DecisionPoints
from stardeck.benchmarks.card_values.treatment_effects import Trials
from stardeck.benchmarks.card_values.treatments import treatments_of
from stardeck.benchmarks.fairness.aggregates import shares_of
from stardeck.benchmarks.results.arrow import pa
from stardeck.benchmarks.results.arrow_columns import array_of, lists, members_of, numbers
from stardeck.benchmarks.results.store import MOST, Store
from stardeck.game.agent import Agent, AgentLike
from stardeck.game.agent_table import AgentTable, is_compiled
from stardeck.game.game import Game
from stardeck.kernels.loops import playouts

CHUNK = 1 << 16  # games kept together
BLOCK = 512  # games dealt and played together
PRIZE = 5  # authority instead of a card, to convert win points into authority
STEPS = 256  # expected outcomes are multiples of 1 / STEPS: sums are exact in any order of trials
JUDGES = ("expert", "ppo")  # networks for the expected outcome; the first that knows the variant serves
SCHEMA = pa.schema(
    [
        ("index", pa.int64()),
        ("arm", pa.int32()),  # the option that was drawn, by its index in `options` of summary.json; -1: no trial
        ("stage", pa.int32()),
        ("seat", pa.int32()),
        ("turn", pa.int32()),  # or role
        ("offered", pa.list_(pa.int32())),  # the options, by their indices
        ("expected", pa.float64()),  # share that a network expected for the side of that seat, before the draw
        ("share", pa.float64()),  # share of the game that the side of that seat won
    ]
)


class PlayedGames(NamedTuple):
    """Finished games: the index of the first one, and a table with a row for each."""

    start: int
    table: pa.Table


class TrialSeries(Series):
    """A series of games of one agent against itself, with one trial in each.

    Args:
        game: The game.
        agent: A compiled agent.
        seed: Seed of all chance.
        what: Name of a treatment of the game.
        occasions: Positions at which games begin instead of at the deal, over and over, with hidden cards dealt again
            (benchmarks/card_values/decision_points.py).

    Attributes:
        tried: The treatment.
        options: Names of the options by index; the last ones may always be drawn.
        judge: The network that estimates the outcome before each trial, or None.
    """

    def __init__(
        self, game: Game, agent: AgentLike, seed: int, what: str = "purchases", occasions: DecisionPoints | None = None
    ) -> None:
        super().__init__(game, [agent], seed)
        self.what = what
        self.occasions = occasions
        self.tried = treatments_of(game.variant.game)[what]
        self.options = [*self.tried.options(game.variant), *(self.tried.others or (ANY,))]
        self.judge = _judge(game)
        if not is_compiled(self.agents[0]):
            raise ValueError(
                f"agent {self.agents[0].name!r}: trials are made in compiled loops, and it is not compiled"
            )
        self._table_of_agents = AgentTable([*self.agents, self.judge] if self.judge else self.agents)

    def __reduce__(self) -> tuple[Any, ...]:
        """Pickle by content."""
        return TrialSeries, (self.game, self.agents[0], int(self.seed), self.what, self.occasions)

    @property
    def chunk(self) -> int:
        """The number of games that are written together."""
        return CHUNK

    @property
    def nothing(self) -> int:
        """The index of the option that others are compared with."""
        return self.options.index(self.tried.rather_than)

    def play(self, start: int, stop: int) -> Any:
        """Play games [start, stop)."""
        return PlayedGames(
            start, pa.concat_tables([self._block(at, min(at + BLOCK, stop)) for at in range(start, stop, BLOCK)])
        )

    play_away = play

    def _block(self, start, stop):
        index = np.arange(start, stop)
        seeds = np.empty(len(index), np.uint64)
        playouts.seed_blocks(self.seed, index, seeds)
        states, wanted = self._begun(index, seeds)
        trials = np.zeros(len(index), kernels.TRIAL)
        trials["what"], trials["prize"], trials["wanted"] = self.tried.number, PRIZE, wanted
        cast = self._table_of_agents
        kinds = np.full((len(index), self.game.players), cast.kinds[0])
        judge = cast.kinds[1] if self.judge else kernels.NO_JUDGE
        players = playouts.Players(np.zeros(1, playouts.AGENT), kinds, cast.networks)
        hazard = self.tried.hazard if self.occasions is None else 1.0
        kernels.play_trials(self.game.rules, states, players, self.seed, seeds, judge, hazard, trials)
        return self._table(index, trials, self.game.winners(states))

    def _begun(self, index, seeds):
        """Return the positions at which games begin, and the stage in which each has its trial."""
        if self.occasions is None:
            return self.game.deal(seeds), np.array(self.tried.cycle)[index % len(self.tried.cycle)]
        rows = index % len(self.occasions.states)
        states = self.game.take(self.occasions.states, rows)
        return self.game.resample_hidden(states, self.game.to_act(states), seeds), self.occasions.stages[rows]

    def _table(self, index, trials, winners):
        """Return a table with the rows of games."""
        named = {kernels.NOTHING: self.nothing, kernels.PRIZE: len(self.options) - 1, kernels.NO_TRIAL: -1}
        arm = np.select([trials["arm"] == number for number in named], list(named.values()), trials["arm"])
        count = np.where(arm >= 0, trials["count"], 0)
        offered = trials["offered"][np.arange(kernels.MOST_OFFERED) < count[:, None]]
        others = len(self.game.variant.sides) - 1
        expected = (1 + others * trials["expected"]) / (1 + others)
        columns = [
            numbers(index, pa.int64()),
            numbers(arm, pa.int32()),
            *(numbers(trials[name], pa.int32()) for name in ("wanted", "seat", "turn")),
            lists(count, numbers(offered, pa.int32())),
            numbers(np.round(expected * STEPS) / STEPS, pa.float64()),
            numbers(self._shares_of_seats(winners)[np.arange(len(index)), trials["seat"]], pa.float64()),
        ]
        return pa.Table.from_arrays(columns, schema=SCHEMA)

    def _shares_of_seats(self, winners):
        """Return the share of each game that the side of each seat won: float64[games, seats]."""
        sides = self.game.variant.sides
        result = np.empty(winners.shape)
        for side, seats in enumerate(sides):
            result[:, list(seats)] = shares_of(sides, winners)[:, [side]]
        return result

    def trials_of(self, table: pa.Table) -> Trials:
        """Return the trials of a table of games."""
        arm = array_of(table["arm"]).astype(np.int64)
        there = arm >= 0
        lengths, offered = members_of(table["offered"])
        beside = range(len(self.options) - len(self.tried.others), len(self.options))
        options = np.full((len(arm), len(beside) + kernels.MOST_OFFERED), -1, np.int64)
        options[:, : len(beside)] = beside
        options[:, len(beside) :][np.arange(kernels.MOST_OFFERED) < lengths[:, None]] = offered
        columns = [array_of(table[name]) for name in ("share", "expected")]
        stages = array_of(table["stage"]).astype(np.int64)
        trials = Trials(stages[there], arm[there], options[there], *(column[there] for column in columns))
        return trials if self.tried.others else trials.beside_any(self.nothing)


def _judge(game) -> Agent | None:
    """Return the strongest trained agent that the package has for a game, or None."""
    for name in JUDGES:
        try:
            return players.get(name, game)
        except NetworkError:
            continue
    return None


class TrialStore(Store):
    """Trials in a folder, one row for each game."""

    name = "trials"
    schema = SCHEMA

    @classmethod
    def limits(cls, seats: int) -> dict[str, tuple[int, int]]:
        """Return the least and the greatest value of columns, as `Store.limits` does."""
        return {"arm": (-1, MOST), "stage": (-1, MOST), "seat": (-1, seats - 1), "share": (0, 1)}

    @classmethod
    def _check_lists(cls, path, table, seats):
        """Skip the check: these rows have no lists by seat."""

    def put_together(self) -> None:
        """Join all games up to the first gap into one file, without holding all in memory."""
        end = self._end(None)
        self._join(self._in_order(0, end), end, None)
