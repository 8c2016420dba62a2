"""Series of games in which each deal is played several times, with other chance after the deal.

A replay begins with a copy of the dealt state, whose stream of chance is replaced; the agents' own random choices are
drawn again too. One agent plays one side, and another one all other sides. The games of a deal put the first agent on
each side in turn. If both agents are the same, one seating is enough.
"""

from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from stardeck import agents as players
from stardeck.agents.data.noisy_games import NO_LIMIT, draw_noise, play_noisy
from stardeck.agents.identity import identity_of
from stardeck.agents.strengths import resolved
from stardeck.agents.user_agents import is_thread_safe
from stardeck.benchmarks.arena.series import SeriesInterruption
from stardeck.benchmarks.design.kept.rows import Chunk
from stardeck.game.agent import Agent, AgentLike, decisions
from stardeck.game.agent_table import AgentTable, is_compiled
from stardeck.game.game import Game
from stardeck.kernels.loops import batch, playouts

BLOCK = 128  # games played together by compiled agents
CHUNK = 4096  # games kept together
SLOW_CHUNK = 64
_CHANCE, _AGENTS = 0x6368_616E_6365, 0x6167_656E_7473  # separate the streams of a series
NETWORK, SEARCH = 0.1, 0.001  # games of slower agents, as a share of those of fast ones
NOBODY = -1  # in place of a winning side


class Contender(NamedTuple):
    """An agent that plays a share of its moves at random.

    Attributes:
        agent: The agent.
        noise: Share of random moves, from 0 to 1.
    """

    agent: Agent
    noise: float = 0.0

    @property
    def name(self) -> str:
        """Name in results: the agent, and its random moves."""
        return self.agent.name if not self.noise else f"{self.agent.name} with {100 * self.noise:.4g} % random moves"

    @property
    def identity(self) -> str:
        """Text that distinguishes it from others."""
        return f"{identity_of(self.agent)}+{self.noise:.6g}"


def contender(agent: AgentLike, game: Game) -> Contender:
    """Return an agent without random moves, by its text.

    Args:
        agent: Name, file or object of the agent.
        game: Variant that it is to play.
    """
    return Contender(players.get(resolved(agent, game), game))


def speed_of(one: Contender) -> float:
    """Return the games of an agent that take as long as one of a fast agent."""
    if not is_compiled(one.agent):
        return SEARCH
    return NETWORK if hasattr(one.agent, "network") else 1.0


class Seeds(NamedTuple):
    """Seeds of games: of the deal, of chance after it, and of the agents; uint64[n] each."""

    deals: NDArray[np.uint64]
    chance: NDArray[np.uint64]
    agents: NDArray[np.uint64]


class ReplaySeries:
    """Games of two contenders, as executors play them. A row is the winning side and the places of all sides.

    Args:
        game: The variant.
        pair: The two contenders. The first one plays one side, the second one all others.
        seed: Seed of all chance.
        replays: Number of replays of a deal in each seating.

    Attributes:
        seatings: Number of seatings: the sides of the first contender, or 1 if both are the same.
        block: Number of games that share a deal; game i has the deal i // block.
        thread_safe: True if several threads may play it.
        compiled: True if both agents are compiled.
    """

    def __init__(self, game: Game, pair: tuple[Contender, Contender], seed: int, replays: int) -> None:
        self.game, self.pair, self.seed, self.replays = game, pair, seed, replays
        self.agents = [one.agent for one in pair]
        self.sides = len(game.variant.sides)
        self.seatings = 1 if pair[0] == pair[1] else self.sides
        self.block = self.seatings * replays
        self.compiled = all(map(is_compiled, self.agents))
        self.thread_safe = all(is_compiled(agent) or is_thread_safe(agent) for agent in self.agents)
        self._cast = AgentTable(self.agents) if self.compiled else None
        self._stopped = False

    def __reduce__(self) -> tuple[Any, ...]:
        return ReplaySeries, (self.game, self.pair, self.seed, self.replays)

    @property
    def chunk(self) -> int:
        """Number of games between two looks at the clock."""
        return CHUNK if self.compiled else SLOW_CHUNK

    def stop(self) -> None:
        """Make the threads that play it stop."""
        self._stopped = True

    def allow(self) -> None:
        """Allow the series to be played again."""
        self._stopped = False

    def warm_up(self) -> None:
        """Compile everything that the series needs."""
        self.play(0, 1)

    def play(self, start: int, stop: int) -> Chunk:
        """Play games [start, stop): a chunk with rows int8[n, 1 + sides].

        Args:
            start: First game.
            stop: Game after the last one.
        """
        size = BLOCK if self.compiled else stop - start
        parts = [self._play(np.arange(at, min(at + size, stop))) for at in range(start, stop, size)]
        return Chunk(start, np.concatenate(parts))

    play_away = play

    def seated(self, index: NDArray[np.int64]) -> NDArray[np.int64]:
        """Return the number of the contender on each seat: int64[n, seats]. index: numbers of games, int64[n]."""
        first = index // self.replays % self.seatings
        return (self.game.side_of[None, :] != first[:, None]).astype(np.int64)

    def _play(self, index: NDArray[np.int64]) -> NDArray[np.int8]:
        if self._stopped:
            raise SeriesInterruption
        seeds = seeds_of(self.seed, index, index // self.block)
        states = self.game.deal(seeds.deals)
        states["random"] = seeds.chance
        seated = self.seated(index)
        noise = np.array([one.noise for one in self.pair])[seated]
        if self._cast:
            kinds = self._cast.kinds[seated]
            cast = playouts.Players(np.zeros(1, playouts.AGENT), kinds, self._cast.networks)
            play_noisy(self.game.rules, states, cast, noise, NO_LIMIT, np.uint64(self.seed), seeds.agents)
        else:
            self._play_step_by_step(states, seated, noise, seeds.agents)
        return rows_of(self.game, states)

    def _play_step_by_step(self, states, seated, noise, seeds):
        """Play games with agents that decide in Python, in batches."""
        while len(running := np.flatnonzero(~self.game.is_over(states))):
            if self._stopped:
                raise SeriesInterruption
            seats = self.game.to_act(states)[running]
            some = self.game.take(states, running)
            random = np.empty(len(some), np.uint64)
            decided = some["decisions"].astype(np.int64)
            playouts.seed_all(np.uint64(self.seed), seeds[running], seats, decided, random)
            by_chance = np.empty(len(some), bool)
            draw_noise(random, noise[running, seats], by_chance)
            actions = np.empty(len(some), np.int64)
            if by_chance.any():
                picked = np.empty(by_chance.sum(), np.int64)
                batch.pick_all(self.game.legal_actions(self.game.take(some, by_chance)), random[by_chance], picked)
                actions[by_chance] = picked
            for number, one in enumerate(self.pair):
                mine = np.flatnonzero(~by_chance & (seated[running, seats] == number))
                if len(mine):
                    actions[mine] = decisions(one.agent, self.game, self.game.take(some, mine), random[mine])
            batch.apply_all(self.game.rules, some, actions)
            self.game.put(states, running, some)


def seeds_of(seed: int, index: NDArray[np.int64], deals: NDArray[np.int64]) -> Seeds:
    """Return the seeds of games of a series.

    Args:
        seed: Seed of the series.
        index: Numbers of the games, int64[n].
        deals: Numbers of their deals, int64[n].
    """
    found = Seeds(*(np.empty(len(index), np.uint64) for _ in Seeds._fields))
    for apart, numbers, written in zip((0, _CHANCE, _AGENTS), (deals, index, index), found, strict=True):
        playouts.seed_blocks(np.uint64(seed ^ apart), numbers, written)
    return found


def rows_of(game: Game, states: Any) -> NDArray[np.int8]:
    """Return the results of games: int8[n, 1 + sides], the winning side or NOBODY, then the place of each side.

    Args:
        game: The variant.
        states: Games that are over.
    """
    outcomes = game.outcomes(states)
    leaders = [seats[0] for seats in game.variant.sides]
    won = outcomes["winners"][:, leaders]
    winner = np.where(won.any(axis=1), won.argmax(axis=1), NOBODY)
    return np.column_stack([winner, outcomes["placements"][:, leaders]]).astype(np.int8)


def shares_won(rows: NDArray[np.int8]) -> NDArray[np.float64]:
    """Return the share of each game that each side won: float64[n, sides].

    A draw counts 1/n for each of n sides; alone against a Boss, a side that does not win has nothing.

    Args:
        rows: Results, as `rows_of` returns them.
    """
    sides = rows.shape[1] - 1
    won = (rows[:, :1] == np.arange(sides)).astype(np.float64)
    if sides > 1:
        won[rows[:, 0] == NOBODY] = 1 / sides
    return won
