"""A match of a league: a stored series between a few agents, which a sequential test may stop.

A match has a seed of its own, drawn from the seed of the league and the names of its agents. Its games depend on
nothing else: neither on the order of the agents nor on other agents in the league.
"""

import json
import re
from collections.abc import Iterator, Sequence
from hashlib import blake2b
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np

from stardeck.agents.former_names import former, present
from stardeck.benchmarks.advantage.measure import identity
from stardeck.benchmarks.arena.series import Chunk, Series
from stardeck.benchmarks.league.sprt import Sprt, looks, pairs_of
from stardeck.benchmarks.results.arrow import pa
from stardeck.benchmarks.results.arrow_columns import array_of, members_of
from stardeck.benchmarks.results.artifacts import SeriesStore, recordings_for
from stardeck.benchmarks.results.filesystems import Place
from stardeck.benchmarks.results.store import ResultsError
from stardeck.game.agent import Agent
from stardeck.game.game import Game

BOSS = "Boss"  # the name of the automated opponent where the players are one side


class Plan(NamedTuple):
    """The plan of a league, which all its matches share.

    Attributes:
        games: Games of each match, before they are rounded up to whole blocks.
        seed: Seed of the league.
        test: Sequential test of the first agent of each lineup, or None.
        collected: Data to collect of the games, as `check_collect` returns it.
        origin: Provenance of the results, as `origin` returns it.
        device: Device that plays the games, "cpu" or "cuda".
        picture: True draws a picture of the league.
    """

    games: int
    seed: int
    test: Sprt | None = None
    collected: tuple[str, ...] = ()
    origin: dict[str, Any] | None = None
    device: str = "cpu"
    picture: bool = True


class Match:
    """A match between agents of a league, lined up by side.

    Attributes:
        agents: Agents, sorted by name.
        names: Names of all players, including the Boss.
        series: Series of the match.
        games: Number of games to play.
        end: Number of games after which the test stopped the match; None while it goes on.
        done: Number of games that have been played.
        folder: Folder of the match.
    """

    def __init__(self, folder: Path, game: Game, lineup: Sequence[Agent], plan: Plan) -> None:
        games, seed, test = plan.games, plan.seed, plan.test
        self.agents = sorted(lineup, key=lambda agent: former(agent.name))
        names = [agent.name for agent in self.agents]
        self.names = [*names, BOSS] if len(game.variant.sides) == 1 else names
        actions, events = recordings_for(plan.collected)
        recorded = {"record_actions": actions, "record_events": events}
        self.series = Series(game, self.agents, _seed(seed, names), by_side=True, device=plan.device, **recorded)
        self.games = -(-games // self.series.block) * self.series.block
        self.end = None
        self._test = test
        self._tested = names.index(lineup[0].name)
        self._half_points = np.full(self.games if test else 0, -1, np.int8)  # of the tested agent; -1: not played
        sprt = None if test is None else [*test, lineup[0].name]
        self.folder = folder_of(folder, names)
        self._store = SeriesStore(self.folder, self.series, identity(self.series) | {"sprt": sprt}, plan.origin or {})
        if self._store.longest > self.games:
            held = f"{folder} already holds {self._store.longest} games of {self}"
            raise ResultsError(f"games={games}: {held}; ask for at least as many")
        self.done = self.games - sum(stop - start for start, stop in self._store.missing(self.games))
        self._looks = looks(self.games)
        self._next = next(self._looks, None)
        for table in self._store.tables() if test else ():
            self._look(table)

    def __str__(self):
        return " vs ".join(self.names)

    def missing(self) -> list[tuple[int, int]]:
        """Return the ranges of games that have not been played."""
        return [] if self.end is not None else self._store.missing(self.games)

    def add(self, chunk: Chunk) -> None:
        """Store a chunk, and stop the match if the test says so."""
        table = self._store.add(chunk)
        self.done += len(table)
        if self._test:
            self._look(table)

    def _look(self, table):
        """Apply the test at each look whose games have all been played; later games do not count at that look."""
        start = table["index"][0].as_py()
        self._half_points[start : start + len(table)] = self._half_points_of(table)
        while self.end is None and self._next and (self._half_points[: self._next] >= 0).all():
            if self._test.verdict(pairs_of(self._half_points[: self._next])) != "undecided":
                self.end = self._next
            self._next = next(self._looks, None)

    def _half_points_of(self, table):
        places, order = self.sides(table)
        gained = 1 + np.sign(places[:, 1] - places[:, 0])
        return np.where(order[:, 0] == self._tested, gained, 2 - gained)

    def pairs(self, table: pa.Table) -> np.ndarray:
        """Return the number of pairs of games that gave the tested agent 0 to 4 half points: int64[5]."""
        return pairs_of(self._half_points_of(table))

    def events(self) -> Iterator[pa.Table]:
        """Yield the events of its games, game by game, if the league collects them."""
        return self._store.events()

    def join(self) -> pa.Table:
        """Return the games up to the first gap, or up to the stop of the test; later games are deleted."""
        return self._store.join(self.end)

    def sides(self, table: pa.Table) -> tuple[np.ndarray, np.ndarray]:
        """Return the places and players (numbers within `names`) of the sides in each game: two int64[games, sides].

        The Boss is the last side. A truncated game is a draw: scores at the limit do not tell who would have won.
        """
        by_seat = members_of(table["placements"])[1].reshape(len(table), -1)
        truncated = array_of(table["truncated"])[:, None]
        places = by_seat[:, [seats[0] for seats in self.series.game.variant.sides]].astype(np.int64)
        places = np.where(truncated, 1, places)
        order = np.array(self.series.orders)[array_of(table["index"]) % len(self.series.orders)]
        if len(self.names) > len(self.agents):
            boss = np.where(truncated, places, 3 - places)
            places, order = np.hstack([places, boss]), np.hstack([order, np.ones_like(order)])
        return places, order


def _seed(seed, names) -> int:
    return int.from_bytes(blake2b(json.dumps([seed, *map(former, names)]).encode(), digest_size=8).digest())


def folder_of(league: Path | Place, names: list[str]) -> Path | Place:
    """Return the folder of a match: a readable name with a unique end.

    A folder of version 0.1 keeps the name that the former spelling of the agents has given it.

    Args:
        league: Folder of the league.
        names: Sorted names of the agents.
    """
    known = sorted(map(former, names))
    end = blake2b(json.dumps(known).encode(), digest_size=5).hexdigest()
    readable = (re.sub(r"[^\w.-]+", "_", "-".join(spelled))[:80] for spelled in (present(known), known))
    now, then = (league / "matches" / f"{text}-{end}" for text in readable)
    return then if then.exists() else now
