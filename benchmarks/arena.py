"""Playing many games between agents, on all cores, with results that depend on (variant, agents, seed, index) alone.

In a series with seed S, games come in blocks of as many as there are distinct rotations of the agents over the seats
(one for a mirror match). The games of block b share the deal seed splitmix64(S, b), and game i uses rotation
i mod the block's size: paired deals. Agents draw on streams of (S, deal seed, seat).
"""

import os
import threading
from concurrent.futures import FIRST_COMPLETED, ThreadPoolExecutor, wait
from typing import NamedTuple

import numpy as np

from stardeck import agents as players
from stardeck.kernels import batch

CHUNK = 4096  # games played between two looks at the clock, by compiled agents
BLOCK = 128  # games dealt and played together by compiled agents: their states fit into a processor's own cache
SLOW_CHUNK = 64  # the same where Python is asked for every decision


class Chunk(NamedTuple):
    """Results of games [start, start + n) of a series, one entry a game."""

    start: int
    seeds: np.ndarray  # uint64[n]: deal seeds
    rotations: np.ndarray  # int64[n]: index into Series.lineups
    first: np.ndarray  # int64[n]: the seat that moved first
    winners: np.ndarray  # bool[n, seats]
    truncated: np.ndarray  # bool[n]
    turns: np.ndarray  # int64[n]
    decisions: np.ndarray  # int64[n]


class Stopped(Exception):
    """Raised in a worker that was asked to stop."""


class Series:
    """A series of games between agents, numbered from 0.

    agents: names or objects with `act`; fewer agents than seats are dealt out in turn. seed: from 0 to 2**64 - 1.
    """

    def __init__(self, game, agents, seed=0):
        if not 0 <= seed < 2**64:
            raise ValueError(f"seed={seed}: must be from 0 to {2**64 - 1}")
        if not 1 <= len(agents) <= game.players:
            raise ValueError(f"agents: {len(agents)} given: {game.id} takes 1 to {game.players}")
        self.game = game
        self.seed = np.uint64(seed)
        by_name = {}  # a name given twice is one agent, so that a match with itself is a mirror match
        self.agents = [by_name.setdefault(a, players.get(a)) if isinstance(a, str) else players.get(a) for a in agents]
        seated = [self.agents[seat % len(agents)] for seat in range(game.players)]
        turned = [tuple(seated[shift:] + seated[:shift]) for shift in range(game.players)]
        self.lineups = list({tuple(map(id, lineup)): lineup for lineup in turned}.values())
        self.compiled = all(hasattr(agent, "kind") for agent in self.agents)
        self._stop = threading.Event()

    @property
    def names(self) -> list[list[str]]:
        """The agents by seat in each rotation."""
        return [[agent.name for agent in lineup] for lineup in self.lineups]

    def warm_up(self) -> None:
        """Compile what the series needs, so that measured times are those of playing."""
        self.play(0, 1)

    def play(self, start: int, stop: int) -> Chunk:
        """Play games [start, stop)."""
        if not self.compiled:
            return self._play_block(start, stop)
        blocks = [self._play_block(at, min(at + BLOCK, stop)) for at in range(start, stop, BLOCK)]
        joined = (np.concatenate(columns) for columns in list(zip(*blocks, strict=True))[1:])
        return Chunk(start, *joined)

    def _play_block(self, start, stop):
        index = np.arange(start, stop)
        rotations = index % len(self.lineups)
        seeds = np.empty(len(index), np.uint64)
        batch.seed_blocks(self.seed, index // len(self.lineups), seeds)
        states = self.game.deal(seeds)
        if self.compiled:
            kinds = np.array([[agent.kind for agent in lineup] for lineup in self.lineups], np.int64)[rotations]
            batch.play_out(self.game.rules, states, np.zeros(1, batch.AGENT), kinds, self.seed, seeds)
        else:
            self._play_step_by_step(states, rotations, seeds)
        return Chunk(
            start,
            seeds,
            rotations,
            self.game.first_seats(states),
            self.game.winners(states),
            self.game.truncated(states),
            states["turn"].astype(np.int64),
            states["decisions"].astype(np.int64),
        )

    def _play_step_by_step(self, states, rotations, game_seeds):
        """Ask each agent for a batch of decisions until all games are over."""
        seat_of_agent = np.array([[self.agents.index(agent) for agent in lineup] for lineup in self.lineups])
        while len(running := np.flatnonzero(~self.game.is_over(states))):
            if self._stop.is_set():
                raise Stopped
            seats = self.game.to_act(states)[running]
            asked = seat_of_agent[rotations[running], seats]
            for number in np.unique(asked):
                rows = running[asked == number]
                self._one_decision(self.agents[number], states, rows, seats[asked == number], game_seeds[rows])

    def _one_decision(self, agent, states, rows, seats, game_seeds):
        chosen = np.ascontiguousarray(states[rows])
        seeds = np.empty(len(rows), np.uint64)
        batch.seed_all(self.seed, game_seeds, seats, chosen["decisions"].astype(np.int64), seeds)
        actions = agent.act(self.game, chosen, self.game.legal_actions(chosen), seeds)
        self.game.apply(chosen, actions)
        states[rows] = chosen

    def run(self, ranges, workers=None):
        """Play ranges of games on `workers` threads; yields a Chunk for each stretch as it is finished.

        Closing the generator stops the threads at once.
        """
        workers = workers or available_cores()
        size = CHUNK if self.compiled else SLOW_CHUNK
        todo = ((at, min(at + size, stop)) for start, stop in ranges for at in range(start, stop, size))
        pool = ThreadPoolExecutor(workers)
        pending = set()
        try:
            while True:
                for stretch in todo:
                    pending.add(pool.submit(self.play, *stretch))
                    if len(pending) > workers:
                        break
                if not pending:
                    return
                finished, pending = wait(pending, return_when=FIRST_COMPLETED)
                for future in finished:
                    yield future.result()
        finally:
            self._stop.set()
            pool.shutdown(wait=True, cancel_futures=True)
            self._stop.clear()


def available_cores() -> int:
    """The processor cores that this process may use."""
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1
