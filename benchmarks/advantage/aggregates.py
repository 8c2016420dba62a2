"""Counts for the summary of a series, chunk by chunk: the games need not be in memory together.

All counts are integers, so they do not depend on the order of chunks.
"""

from collections import Counter
from typing import Any

import numpy as np

from stardeck.benchmarks.results.arrow import pa
from stardeck.benchmarks.results.arrow_columns import array_of, members_of


class Tally:
    """Counts over games of a series.

    Attributes:
        games: Number of games.
        sides: int64[sides], games that each side won.
        undecided: Games that no side won. Against a Boss such games are lost, so the count stays 0.
        of_first: Games that the side won that moved first.
        turns: int64[longest + 1], games of each length in turns.
        decisions: Decisions of all games.
        truncated: Truncated games.
    """

    def __init__(self, series: Any) -> None:
        self._game = series.game
        self._names = series.names
        sides = self._game.variant.sides
        self.games = self.undecided = self.of_first = self.decisions = self.truncated = 0
        self.sides = np.zeros(len(sides), np.int64)
        self._rotations = np.zeros((len(self._names), len(sides) + 2), np.int64)  # won by each side, undecided, played
        self.turns = np.zeros(0, np.int64)
        self._scenarios: Counter[tuple[int, int]] = Counter()  # (number, seat) -> won
        self._began: Counter[int] = Counter()  # number -> games won by the seat that had its first turn

    def add(self, table: "pa.Table") -> None:
        """Count the games of a chunk."""
        if not len(table):
            return
        lengths, winners = members_of(table["winner"])
        won = np.zeros((len(table), len(self.sides)), bool)
        won[np.repeat(np.arange(len(table)), lengths), self._game.side_of[winners]] = True
        undecided = lengths == 0 if len(self.sides) > 1 else np.zeros(len(table), bool)
        self.games += len(table)
        self.sides += won.sum(axis=0)
        self.undecided += int(undecided.sum())
        self.of_first += int(won[np.arange(len(table)), self._game.side_of[array_of(table["first"])]].sum())
        self.decisions += int(array_of(table["decisions"]).sum(dtype=np.int64))
        self.truncated += int(array_of(table["truncated"]).sum())
        rotations = array_of(table["index"]) % len(self._names)
        np.add.at(self._rotations, rotations, np.column_stack([won, undecided, np.ones(len(table), bool)]))
        self._count_turns(array_of(table["turns"]))
        self._count_scenarios(table)

    def _count_turns(self, turns):
        counted = np.bincount(turns, minlength=len(self.turns))
        counted[: len(self.turns)] += self.turns
        self.turns = counted

    def _count_scenarios(self, table):
        lengths, winners = members_of(table["scenarios"])
        if not len(winners):
            return
        won = winners.reshape(len(lengths), -1)
        began = self._game.variant.first_turns(won)
        for number in range(won.shape[1]):
            self._began[number] += int((won[:, number] == began[:, number])[won[:, number] >= 0].sum())
            for seat in range(self._game.players):
                self._scenarios[number, seat] += int((won[:, number] == seat).sum())

    def shared(self, won: int, undecided: int) -> float:
        """Return the points for numbers of won and undecided games."""
        return won + undecided / len(self.sides)

    def of_seat(self, seat: int) -> float:
        """Return the points of a seat."""
        return self.shared(int(self.sides[self._game.side_of[seat]]), self.undecided)

    def by_agent(self) -> dict[str, tuple[float, int]]:
        """Return the points and games of each agent; a game counts once for each side on which the agent has a seat.

        Seats of a side win together; counting each seat would overstate the number of independent games.
        """
        won, undecided, played = Counter[str](), Counter[str](), Counter[str]()
        for names, counts in zip(self._names, self._rotations.tolist(), strict=True):
            for side, name in {(int(self._game.side_of[seat]), name) for seat, name in enumerate(names)}:
                won[name] += counts[side]
                undecided[name] += counts[-2]
                played[name] += counts[-1]
        return {name: (self.shared(won[name], undecided[name]), played[name]) for name in played}

    def percentiles(self, shares: list[float]) -> list[float]:
        """Return percentiles of the lengths of games in turns, as `numpy.percentile` defines them."""
        ends = np.cumsum(self.turns)
        found = []
        for share in shares:
            place = (self.games - 1) * share / 100
            low, high = (
                np.searchsorted(ends, [int(place), min(int(place) + 1, self.games - 1)], side="right")
            ).tolist()
            found.append(float(np.interp(place - int(place), [0, 1], [low, high])))
        return found

    def scenarios(self) -> list[tuple[int, list[int], int]]:
        """Return the counts of each scenario of a campaign.

        Each is (games, games won by each seat, games won by the seat that had the first turn).
        """
        rows = []
        for number in sorted(self._began):
            seats = [self._scenarios[number, seat] for seat in range(self._game.players)]
            rows.append((sum(seats), seats, self._began[number]))
        return rows
