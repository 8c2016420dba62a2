"""Series of games between agents, on all cores, with results that depend on (variant, agents, seed, index) alone.

A series with seed S has blocks of games, one game for each distinct rotation of the agents over the seats (a mirror
match has one rotation). The games of block b share the deal seed splitmix64(S, b). Game i uses rotation
i mod the block's size: paired deals. Agents draw on streams of (S, deal seed, seat).

Compiled agents, and agents with `thread_safe = True`, play on several threads at once. If any other agent takes part,
the calling thread plays the whole series. Compiled agents may play on a GPU too (benchmarks/arena/device_player.py).

Agents may be lined up by side instead: one agent plays all seats of a side, and the rotations are over the sides. If
several circular orders around the table are possible, the blocks take these orders in turn.
"""

import threading
import warnings
from collections.abc import Callable, Generator, Iterable, Iterator, Sequence
from contextlib import closing
from functools import cached_property, wraps
from itertools import permutations
from pathlib import Path
from typing import Any, NamedTuple, ParamSpec, TypedDict, Unpack

import numpy as np

from stardeck import agents as players
from stardeck.agents.former_names import present
from stardeck.agents.strengths import resolved
from stardeck.agents.user_agents import is_thread_safe
from stardeck.benchmarks.arena.agent_failure import failing_row, failure_in_game
from stardeck.benchmarks.arena.device_player import LAUNCH, DevicePlayer, check_device
from stardeck.benchmarks.arena.event_buffer import EventBuffer, by_game, no_events
from stardeck.benchmarks.arena.executors import LOCAL, On, cut_ranges, executor_for
from stardeck.benchmarks.arena.thread_executor import ThreadExecutor
from stardeck.game.agent import Agent, AgentError, AgentLike, decisions, number_of
from stardeck.game.agent_table import AgentTable, is_compiled
from stardeck.game.cores import CORES
from stardeck.game.game import Game
from stardeck.kernels.errors import MOST_SEED, number_from
from stardeck.kernels.loops import batch, playouts
from stardeck.kernels.loops.event_log import apply_all_watched, play_watched

CHUNK = 4096  # games played between two looks at the clock, by compiled agents
BLOCK = 128  # games dealt and played together by compiled agents: their states fit into a processor's own cache
SLOW_CHUNK = 64  # the same for agents that decide in Python
LONE_CHUNK = 256  # the same on one thread: a model evaluates one large batch faster than many small ones
RENAMED = {"noting": "record_actions", "telling": "record_events"}  # keywords of version 0.1, until version 0.3
P = ParamSpec("P")
EVENTFUL = 128  # events of a game for which there is always room


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
    placements: np.ndarray  # int64[n, seats]: as Game.placements gives them
    scenarios: np.ndarray  # int8[n, scenarios]: the seat that has won each of a campaign, -1 where it was not played
    actions: np.ndarray  # uint16[decisions of all]: game after game; empty where the series does not note them
    seats: np.ndarray  # uint8[decisions of all]: the seat that took each
    event_games: np.ndarray  # int64[events of all]: the game of each, in ascending order
    events: np.ndarray  # int32[events of all, Column]: the events; empty where the series does not record them


class SeriesOptions(TypedDict, total=False):
    """Options of a series.

    Attributes:
        honest: True gives agents of your own states without the information that is hidden from their seats
            (`stardeck.agents.honest`).
        device: "cpu", or "cuda" to play on a GPU, with equal results. All agents must then be compiled, and events are
            not recorded.
    """

    honest: bool
    device: str


class SeriesInterruption(Exception):
    """A worker was asked to stop."""


def rotations_of(order: tuple[int, ...]) -> list[tuple[int, ...]]:
    """Return the distinct rotations of an order around a table, beginning with the order itself."""
    return list(dict.fromkeys(order[shift:] + order[:shift] for shift in range(len(order))))


def circular_orders(agents: int, places: int) -> list[tuple[int, ...]]:
    """Return every order of agents around a table, dealt out in turn; rotations of one order count as one.

    Args:
        agents: Number of agents, which are 0, 1, …
        places: Number of places at the table.
    """
    dealt = (tuple(agent[place % agents] for place in range(places)) for agent in permutations(range(agents)))
    return list(dict.fromkeys(min(rotations_of(order)) for order in dealt))


def _with_old_keywords(function: Callable[P, None]) -> Callable[P, None]:
    """Make a function accept the keywords of `RENAMED` too, with a DeprecationWarning."""

    @wraps(function)
    def call(*args: P.args, **options: P.kwargs) -> None:
        for old, new in RENAMED.items():
            if old in options:
                warnings.warn(f"{old} is deprecated; use {new}", DeprecationWarning, stacklevel=2)
                options[new] = options.pop(old)
        function(*args, **options)

    return call


class Series:
    """A series of games between agents, numbered from 0. It is pickled by content.

    Args:
        game: Game of the series.
        agents: Names or objects with `act`. If there are fewer agents than seats, they are dealt out in turn.
        seed: Seed of all chance, from 0 to 2**64 - 1.
        by_side: True lines the agents up by side and in every circular order (see the head of this file).
        record_actions: True records actions.
        record_events: True records events.
        **options: Options of `SeriesOptions`.

    Attributes:
        lineups: Agents by seat of game i at i mod their number.
        orders: Numbers of the agents by seat or side of game i at i mod their number.
        block: Number of games that share a deal.
        compiled: True if all agents are compiled.
        thread_safe: True if the series may be played on several threads.
        texts: Names or paths by which the agents were given, a strength as the agent it stands for; None for objects.
        by_side, record_actions, record_events, device: The arguments.
        chunk_writer: Function that stores chunks on the machine where they are played; None returns them.
    """

    @_with_old_keywords
    def __init__(
        self, game: Game, agents: Sequence[AgentLike], seed: int = 0, by_side: bool = False,
        record_actions: bool = False, record_events: bool = False, **options: Unpack[SeriesOptions],
    ) -> None:  # fmt: skip
        if unknown := sorted(set(options) - SeriesOptions.__optional_keys__):
            raise TypeError(f"Series() got an unexpected keyword argument {unknown[0]!r}")
        agents = [resolved(agent, game) for agent in agents]
        agents = [players.honest(agent) for agent in agents] if options.get("honest") else agents
        sides = game.variant.sides if by_side else [(seat,) for seat in range(game.players)]
        seed = number_from(seed, "seed", 0, MOST_SEED)
        if not 1 <= len(agents) <= len(sides):
            raise ValueError(f"agents: {len(agents)} given: {game.id} takes 1 to {len(sides)}")
        self.game = game
        self.seed = np.uint64(seed)
        self.agents = _agents_of(agents, game)
        self.device = options.get("device", "cpu")
        check_device(self.device, self.agents, record_events)
        self.chunk_writer: Callable[[Chunk], Any] | None = None
        self.texts = [present(str(given)) if isinstance(given, str | Path) else None for given in agents]
        self.orders, self.block = _orders_of(
            [number_of(agent, self.agents) for agent in self.agents], len(sides), by_side
        )
        self._seated = _by_seat(self.orders, sides)
        self.lineups = [[self.agents[number] for number in numbers] for numbers in self._seated]
        self.compiled = all(map(is_compiled, self.agents))
        self.thread_safe = all(is_compiled(agent) or is_thread_safe(agent) for agent in self.agents)
        self._cast = AgentTable(self.agents) if self.compiled else None
        self.by_side, self.record_actions, self.record_events = by_side, record_actions, record_events
        self._longest = 256  # decisions of a game for which there is room at first
        self._eventful = EVENTFUL  # events of a game for which there is room at first
        self._stop = threading.Event()

    def __reduce__(self) -> tuple[Any, ...]:
        """Pickle by content: a table of cards or an agent that comes from a file travels without the file."""
        made_of = self.game, self.agents, int(self.seed), self.by_side, self.record_actions, self.record_events
        return Series, made_of, {"texts": self.texts, "chunk_writer": self.chunk_writer, "device": self.device}

    @property
    def names(self) -> list[list[str]]:
        """The agents by seat in each rotation."""
        return [[agent.name for agent in lineup] for lineup in self.lineups]

    @property
    def chunk(self) -> int:
        """The number of games between two looks at the clock."""
        return LAUNCH if self.device == "cuda" else self.cpu_chunk

    @property
    def cpu_chunk(self) -> int:
        """The number of games between two looks at the clock on the CPU. Files that keep chunks use it everywhere."""
        if self.compiled:
            return CHUNK
        return SLOW_CHUNK if self.thread_safe else LONE_CHUNK

    @cached_property
    def _gpu(self) -> DevicePlayer:
        """The player of compiled agents on the GPU of this process."""
        return DevicePlayer(self.game, AgentTable(self.agents), self.seed)

    def warm_up(self) -> None:
        """Compile everything that the series needs; measured times then contain no compilation."""
        self.play(0, 1)

    def play(self, start: int, stop: int) -> Chunk:
        """Play games [start, stop)."""
        buffer = EventBuffer(self._eventful * (stop - start)) if self.record_events else None
        size = LAUNCH if self.device == "cuda" else BLOCK if self.compiled else stop - start
        played = join_chunks([self._play_block(at, min(at + size, stop), buffer) for at in range(start, stop, size)])
        if buffer is None:
            return played
        games, events = buffer.events() if self.compiled else by_game(buffer.events())
        self._eventful = max(EVENTFUL, len(games) * 5 // (stop - start) // 4)
        return played._replace(event_games=games, events=events)

    def play_away(self, start: int, stop: int) -> Any:
        """Play games [start, stop) on another machine; return a Chunk, or the result of `chunk_writer`."""
        size = self.chunk
        with CORES.reserved():  # a task has one core, whatever the machine has
            chunk = join_chunks([self.play(at, min(at + size, stop)) for at in range(start, stop, size)])
        return self.chunk_writer(chunk) if self.chunk_writer else chunk

    def deals(self, index: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        """Return the rotations and the deal seeds of games: int64[n], uint64[n].

        Args:
            index: Numbers of the games, int64[n].
        """
        seeds = np.empty(len(index), np.uint64)
        playouts.seed_blocks(self.seed, index // self.block, seeds)
        return index % len(self.lineups), seeds

    def decision_seeds(self, game_seeds: np.ndarray, seats: np.ndarray, states: np.ndarray) -> np.ndarray:
        """Return the randomness of decisions: uint64[n].

        Args:
            game_seeds: Deal seeds of the games, uint64[n].
            seats: Seats that decide, int64[n].
            states: States of the games.
        """
        seeds = np.empty(len(states), np.uint64)
        playouts.seed_all(self.seed, game_seeds, seats, states["decisions"].astype(np.int64), seeds)
        return seeds

    def _play_block(self, start, stop, buffer):
        """Play games together. Events go into `buffer` if there is one, and not into the Chunk."""
        rotations, seeds = self.deals(np.arange(start, stop))
        if self.device == "cuda":
            states, *noted = self._gpu.play(seeds, self._seated[rotations], self.record_actions)
        else:
            states = self.game.deal(seeds)
            noted = self._play_dealt(states, rotations, seeds, start, buffer)
        return Chunk(
            start,
            seeds,
            rotations,
            self.game.first_seats(states),
            self.game.winners(states),
            self.game.truncated(states),
            states["turn"].astype(np.int64),
            states["decisions"].astype(np.int64),
            self.game.placements(states),
            self.game.results(states).get("scenarios", np.empty((len(states), 0), np.int8)),
            *noted,
            *no_events(),
        )

    def _play_dealt(self, states, rotations, seeds, start, buffer):
        """Play games on the CPU; return the recorded actions and seats."""
        if not self.compiled:
            return self._play_step_by_step(states, rotations, seeds, start, buffer)
        if self.record_actions or self.record_events:
            return self._play_recording(states, rotations, seeds, start, buffer)
        players, moves = self._players(rotations), playouts.room_for_moves(len(states))
        playouts.play_out(self.game.rules, states, players, self.seed, seeds, moves)
        return np.empty(0, np.uint16), np.empty(0, np.uint8)

    def _players(self, rotations):
        """Return the players of a game in each rotation, for compiled loops."""
        kinds = self._cast.kinds[self._seated[rotations]]
        return playouts.Players(np.zeros(1, playouts.AGENT), kinds, self._cast.networks)

    def _play_recording(self, states, rotations, seeds, start, buffer):
        """Play games and record them; play them again from the deal if there was not room for everything."""
        while True:
            played = self.game.rules, states, self._players(rotations), self.seed, seeds
            actions, seats = moves = playouts.room_for_moves(len(states), self._longest if self.record_actions else 0)
            if buffer:
                play_watched(*played, moves, start, buffer.log)
            else:
                playouts.play_out(*played, moves)
            longest = int(states["decisions"].max()) if self.record_actions else 0
            if longest <= actions.shape[1] and (buffer is None or buffer.fits):
                break
            self._longest = max(self._longest, longest)
            states[:] = self.game.deal(seeds)
            if buffer:
                buffer.rewind()
        if buffer:
            buffer.commit()
        if not self.record_actions:
            return actions[0], seats[0]
        known = np.arange(actions.shape[1]) < states["decisions"][:, None]
        return actions[known], seats[known]

    def _play_step_by_step(self, states, rotations, game_seeds, start, buffer):
        """Ask each agent for batches of decisions until all games are over; return the recorded actions and seats."""
        noted = [(np.empty(0, np.int64), np.empty(0, np.int64), np.empty(0, np.int64))]
        while len(running := np.flatnonzero(~self.game.is_over(states))):
            if self._stop.is_set():
                raise SeriesInterruption
            seats = self.game.to_act(states)[running]
            asked = self._seated[rotations[running], seats]
            for number in np.unique(asked):
                rows, actors = running[asked == number], seats[asked == number]
                seeds = game_seeds[rows]
                actions = self._one_decision(self.agents[number], states, rows, actors, seeds, start, buffer)
                if self.record_actions:
                    noted.append((rows, actions, actors))
        rows, actions, actors = (np.concatenate(column) for column in zip(*noted, strict=True))
        order = rows.argsort(kind="stable")
        return actions[order].astype(np.uint16), actors[order].astype(np.uint8)

    def _one_decision(self, agent, states, rows, seats, game_seeds, start, buffer):
        chosen = self.game.take(states, rows)
        seeds = self.decision_seeds(game_seeds, seats, chosen)
        try:
            actions = decisions(agent, self.game, chosen, seeds)
        except AgentError as error:
            row = failing_row(agent, self.game, chosen, seeds)
            if row is None:
                raise
            game = start + int(rows[row]), int(game_seeds[row])
            raise failure_in_game(error, self, *game, int(chosen["decisions"][row]), int(seats[row])) from error
        if buffer:
            self._apply_recording(chosen, actions, start + rows, buffer)
        else:
            batch.apply_all(self.game.rules, chosen, actions)
        self.game.put(states, rows, chosen)
        return actions

    def _apply_recording(self, states, actions, games, buffer):
        """Apply an action to each state, and record the events."""
        before = self.game.copy(states)
        while True:
            apply_all_watched(self.game.rules, states, actions, games, buffer.log)
            if buffer.fits:
                break
            states[:] = before
            buffer.rewind()
        buffer.commit()

    def run(self, ranges: Iterable[tuple[int, int]], workers: int | None = None, on: On = LOCAL) -> Iterator[Chunk]:
        """Play ranges of games, and yield each chunk as it ends. Closing the generator stops them.

        Args:
            ranges: Ranges (start, stop) of games.
            workers: Number of chunks that are played at once.
            on: Executor, or its name (benchmarks/arena/executors.py).
        """
        executor = executor_for(on, workers)
        ranges = list(ranges)
        most = self._equal_chunk(executor, sum(stop - start for start, stop in ranges))
        with closing(executor.run(cut_ranges(executor, self, ranges, most))) as finished:
            for _, chunk in finished:
                yield chunk

    def _equal_chunk(self, executor, games):
        """Return the number of games of a chunk that keeps all threads busy, or None where chunks stay whole.

        Files of events hold whole chunks, so that none is written twice. A GPU is faster with large chunks.
        """
        if not self.compiled or self.device == "cuda" or self.record_events or not isinstance(executor, ThreadExecutor):
            return None
        return executor.equal_size(games, BLOCK, CHUNK)

    def stop(self) -> None:
        """Make the threads that play it stop."""
        self._stop.set()

    def allow(self) -> None:
        """Allow the series to be played again."""
        self._stop.clear()


def _agents_of(given, game) -> list[Agent]:
    """Return the agents of a series. A name given twice is one agent: a mirror match."""
    by_name: dict[str, Agent] = {}
    found = [(one, players.get(one, game)) for one in given]
    return [by_name.setdefault(present(one), agent) if isinstance(one, str) else agent for one, agent in found]


def _orders_of(numbers, places, circular) -> tuple[list[tuple[int, ...]], int]:
    """Return the orders of agents over seats or sides, and the number of games that share a deal.

    circular: True takes every circular order, and False only that of `numbers`.
    """
    as_listed = tuple(numbers[place % len(numbers)] for place in range(places))
    circles = circular_orders(len(numbers), places) if circular else [as_listed]
    orders = [turned for circle in circles for turned in rotations_of(circle)]
    return orders, len(orders) // len(circles)


def _by_seat(orders, sides) -> np.ndarray:
    """Return the number of the agent on each seat: int64[orders, seats]. sides: seats of each side."""
    side_of = {seat: side for side, seats in enumerate(sides) for seat in seats}
    return np.array([[order[side_of[seat]] for seat in sorted(side_of)] for order in orders])


def join_chunks(chunks: Sequence[Chunk]) -> Chunk:
    """Join chunks that follow one another."""
    if len(chunks) == 1:
        return chunks[0]
    columns = (np.concatenate(column) for column in list(zip(*chunks, strict=True))[1:])
    return Chunk(chunks[0].start, *columns)


def cut_chunk(chunk: Chunk, size: int) -> Iterator[Chunk]:
    """Cut a chunk into chunks of `size` games, as `join_chunks` joins them; the last one may be shorter."""
    games = len(chunk.seeds)
    edges = np.arange(games + 1)
    decided = np.append(0, chunk.decisions.cumsum()) if len(chunk.actions) else 0 * edges
    happened = np.searchsorted(chunk.event_games, chunk.start + edges)
    by_game: tuple[Any, ...] = chunk[1 : Chunk._fields.index("actions")]
    for start in range(0, games, size):
        stop = min(start + size, games)
        rows, moves, events = (slice(ends[start], ends[stop]) for ends in (edges, decided, happened))
        recorded = chunk.actions[moves], chunk.seats[moves], chunk.event_games[events], chunk.events[events]
        yield Chunk._make((chunk.start + start, *(column[rows] for column in by_game), *recorded))


def run(
    stretches: Iterable[tuple[Series, int, int]], workers: int | None = None, on: On = LOCAL
) -> Generator[tuple[Series, Chunk]]:
    """Play chunks (series, start, stop), of several series too, and yield (series, Chunk) as each ends.

    It takes a chunk when there is room for it, so the generator of chunks can read the results so far. Closing this
    generator stops all chunks at once.

    Args:
        stretches: Chunks to play.
        workers: Number of chunks that are played at once.
        on: Executor, or its name (benchmarks/arena/executors.py).
    """
    return executor_for(on, workers).run(stretches)


def win_share(
    game: Game, agent: AgentLike, opponent: AgentLike, games: int, seed: int, workers: int | None = None,
    honest: bool = False,
) -> float:  # fmt: skip
    """Return the share of games that the side of `agent` wins against sides of `opponent` or the Boss, from 0 to 1.

    Sides rotate. A draw or truncation counts 1/n to each of n sides.

    Args:
        game: Game to play.
        agent: Agent whose wins count.
        opponent: Agent of all other sides.
        games: Number of games.
        seed: Seed of all chance.
        workers: Number of chunks that are played at once.
        honest: As for `Series`.
    """
    if honest:
        agent, opponent = players.honest(agent), players.honest(opponent)
    others = [players.get(opponent, game)] * (len(game.variant.sides) - 1)
    series = Series(game, [players.get(agent, game), *others], seed, by_side=True)
    mine = np.array([[seated is series.agents[0] for seated in lineup] for lineup in series.lineups])
    mirror = any(other is series.agents[0] for other in series.agents[1:])
    sides = 1 + len(others) if mirror else 1  # all of them in a mirror match
    won = undecided = 0  # whole numbers: the order in which chunks end does not change their sums
    for chunk in series.run([(0, games)], workers):
        won += int((chunk.winners & mine[chunk.rotations]).any(axis=1).sum())
        undecided += int((~chunk.winners.any(axis=1)).sum()) if others else 0
    return (won / sides + undecided / len(game.variant.sides)) / games
