"""Games of a search against itself, earlier networks and fixed agents: the training data of a network.

Most decisions are searched briefly, to move the game on. Only the others are searched well and learned from, which
gives many game results per unit of time. (Wu: Accelerating Self-Play Learning in Go, 2020, playout cap randomization)
"""

import threading
from collections.abc import Callable
from contextlib import closing
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from stardeck.agents.search.agent import SearchAgent
from stardeck.agents.search.batch import Thoughts
from stardeck.agents.user_agents import is_thread_safe
from stardeck.benchmarks.arena.executors import Executor, cut_ranges
from stardeck.game.agent import Agent
from stardeck.game.agent_table import is_compiled
from stardeck.game.game import Game

CHUNK = 128  # games side by side on one thread
SEEDS = 2**63  # of deals


class SearchedDecisions(NamedTuple):
    """Searched decisions; row i has the actions [offsets[i], offsets[i + 1])."""

    observations: NDArray[np.uint8]  # [n, observation_size], of the seat that decided
    offsets: NDArray[np.int64]  # [n + 1]
    actions: NDArray[np.int32]  # the legal actions of all rows
    policy: NDArray[np.float32]  # their probabilities recommended by the search
    values: NDArray[np.float32]  # [n]: the return that the search expected
    results: NDArray[np.float32]  # [n]: the return of the deciding seat, at the end of its game

    @property
    def size(self) -> int:
        """Number of decisions."""
        return len(self.values)


def concatenate(parts: list[SearchedDecisions]) -> SearchedDecisions:
    """Return all rows of several parts, one after the other."""
    lengths = [np.diff(part.offsets) for part in parts]
    offsets = np.concatenate([[0], np.cumsum(np.concatenate(lengths))])
    columns = dict(zip(SearchedDecisions._fields, zip(*parts, strict=True), strict=True))
    return SearchedDecisions(
        **{name: np.concatenate(column) for name, column in columns.items()} | {"offsets": offsets}
    )


class GameChunk(NamedTuple):
    """Finished games: number of the first, how many, by which network, and the searched decisions in them."""

    start: int
    games: int
    network: int
    rows: SearchedDecisions


class Games:
    """Games of a search, numbered from 0, as executors play them (benchmarks/arena/executors.py): chunk after chunk.

    Args:
        game: The variant.
        newest: The network that gives the search its prior policy.
        earlier: Networks for the searches of the other sides in some games.
        fixed: Agents for the other sides in further games.
        recipe: The recipe.
        seed: Seed of a chunk, together with the number of its first game; a chunk depends on nothing else.
        number: Number of the newest network.
    """

    compiled = True  # each chunk takes about as long as the previous one

    def __init__(
        self, game: Game, newest: Agent, earlier: list, fixed: list, recipe: Any, seed: list[int], number: int = 0
    ) -> None:
        self._made_of = game, newest, earlier, fixed, recipe, seed, number
        self.game, self.agents = game, [newest, *earlier, *fixed]
        self.thread_safe = all(is_compiled(agent) or is_thread_safe(agent) for agent in self.agents)
        self._stop = threading.Event()

    def __reduce__(self) -> tuple[Any, ...]:
        """Pickle by content."""
        return Games, self._made_of

    @property
    def chunk(self) -> int:
        """Number of games side by side."""
        return CHUNK

    def warm_up(self) -> None:
        """Compile the code of the games."""
        self._chunk_at(0).play(1)

    def play(self, start: int, stop: int) -> GameChunk:
        """Play games [start, stop), where `start` is the first game of a chunk."""
        parts = [self._chunk_at(at).play(min(CHUNK, stop - at)) for at in range(start, stop, CHUNK)]
        return GameChunk(start, stop - start, self._made_of[-1], concatenate(parts))

    play_away = play

    def _chunk_at(self, start):
        game, newest, earlier, fixed, recipe, seed, _ = self._made_of
        return _Chunk(game, newest, earlier, fixed, recipe, [*seed, start], self._stop)

    def stop(self) -> None:
        """Make threads that play these games stop."""
        self._stop.set()

    def allow(self) -> None:
        """Allow the games to be played again."""
        self._stop.clear()


def play(games: Games, count: int, executor: Executor, progress: Callable[[int], None]) -> list[GameChunk]:
    """Play games 0 to `count` - 1, and return them in order. progress: called as progress(games)."""
    chunks: list[GameChunk] = []
    with closing(executor.run(cut_ranges(executor, games, [(0, count)]))) as finished:
        for _, chunk in finished:
            chunks.append(chunk)
            progress(sum(chunk.games for chunk in chunks))
    return sorted(chunks, key=lambda chunk: chunk.start)


class _Chunk:
    """Games side by side: the agents of each side, and the searched decisions so far."""

    def __init__(self, game, newest, earlier, fixed, recipe, seed, stop):
        self._game, self._recipe, self._stop = game, recipe, stop
        self._random = np.random.default_rng(seed)
        self._well = self._searching(recipe.simulations, newest)
        self._quickly = self._quick(newest)
        self._others = [*(self._quick(agent) for agent in earlier), *fixed]
        self._earlier, self._fixed = len(earlier), len(fixed)
        self._side_of = np.empty(game.players, np.int64)
        for side, seats in enumerate(game.variant.sides):
            self._side_of[list(seats)] = side
        self._noted = []

    def _quick(self, agent):
        """Return the agent of decisions that are not learned from: a short search, or the network alone."""
        simulations = self._recipe.quick_simulations
        return self._searching(simulations, agent) if simulations else agent

    def _searching(self, simulations, agent):
        return SearchAgent(simulations, prior=agent, rollout_turns=self._recipe.turns, certainty=self._recipe.certainty)

    def play(self, count):
        """Play that many games to their end."""
        game, random = self._game, self._random
        states = game.deal(random.integers(SEEDS, size=count, dtype=np.uint64))
        sides = len(game.variant.sides)
        other = self._drawn_others(count) if self._others and sides > 1 else np.full(count, -1)
        learner = random.integers(sides, size=count)
        while len(rows := np.flatnonzero(~game.is_over(states))) and not self._stop.is_set():
            mover = self._side_of[game.to_act(states)[rows]]
            asked = np.where(mover == learner[rows], -1, other[rows])
            for number in np.unique(asked):
                self._decide(states, rows[asked == number], number)
        return self._rows(game.returns(states))

    def _drawn_others(self, count):
        """Return the agent that has the other sides of each game: int64[count], -1: the newest network."""
        earlier = self._random.integers(self._earlier, size=count) if self._earlier else -1
        chance = self._random.random(count)
        drawn = np.where(chance < self._recipe.pool_share, earlier, -1)
        if not self._fixed:
            return drawn
        fixed = self._earlier + self._random.integers(self._fixed, size=count)
        return np.where(chance >= 1 - self._recipe.fixed_share, fixed, drawn)

    def _decide(self, states, rows, number):
        """Make one decision in each of these games, by the newest network (-1) or one of the others."""
        if number >= 0:
            self._go_on(self._others[number], states, rows)
            return
        well = self._random.random(len(rows)) < self._recipe.learned_share
        for agent, asked in ((self._well, rows[well]), (self._quickly, rows[~well])):
            if len(asked):
                self._go_on(agent, states, asked)

    def _go_on(self, agent, states, rows):
        chosen = self._game.take(states, rows)
        seeds = self._random.integers(2**64, size=len(rows), dtype=np.uint64)
        self._game.apply(chosen, self._choice(agent, chosen, seeds, rows))
        self._game.put(states, rows, chosen)

    def _choice(self, agent, states, seeds, rows):
        if not isinstance(agent, SearchAgent):
            return agent.act(self._game, states, self._game.legal_actions(states), seeds)
        thoughts = agent.think(self._game, states, seeds)
        if agent is self._well:
            self._note(states, thoughts, rows)
        return draw_actions(thoughts, self._random)

    def _note(self, states, thoughts, rows):
        counts = np.diff(thoughts.offsets)
        free = ~thoughts.forced
        kept = np.repeat(free, counts)
        if free.any():
            self._noted.append(
                (
                    self._game.observe(states)[free], counts[free], thoughts.actions[kept].astype(np.int32),
                    thoughts.policy[kept], thoughts.values[free], rows[free], self._game.to_act(states)[free],
                )
            )  # fmt: skip

    def _rows(self, returns):
        if not self._noted:
            return no_decisions(self._game)
        observations, counts, actions, policy, values, rows, seats = map(np.concatenate, zip(*self._noted, strict=True))
        offsets = np.concatenate([[0], np.cumsum(counts)])
        results = returns[rows, seats].astype(np.float32)
        return SearchedDecisions(observations, offsets, actions, policy, values, results)


def no_decisions(game: Game) -> SearchedDecisions:
    """Return a record without decisions."""
    none = np.empty(0, np.float32)
    seen = np.empty((0, game.observation_size), np.uint8)
    return SearchedDecisions(seen, np.zeros(1, np.int64), np.empty(0, np.int32), none, none, none)


def draw_actions(thoughts: Thoughts, random: np.random.Generator) -> NDArray[np.int64]:
    """Return an action for each row, drawn from its policy: int64[n]."""
    ends = np.cumsum(thoughts.policy, dtype=np.float64)
    before = np.concatenate([[0.0], ends])[thoughts.offsets[:-1]]
    after = ends[thoughts.offsets[1:] - 1]
    at = np.searchsorted(ends, before + random.random(len(before)) * (after - before), side="right")
    return thoughts.actions[np.clip(at, thoughts.offsets[:-1], thoughts.offsets[1:] - 1)]
