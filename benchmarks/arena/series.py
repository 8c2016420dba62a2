"""Playing many games between agents, on all cores, with results that depend on (variant, agents, seed, index) alone.

In a series with seed S, games come in blocks of as many as there are distinct rotations of the agents over the seats
(one for a mirror match). The games of block b share the deal seed splitmix64(S, b), and game i uses rotation
i mod the block's size: paired deals. Agents draw on streams of (S, deal seed, seat).

Compiled agents, and those that say `thread_safe = True`, play on several threads at once; where any other agent plays,
the whole series is played by the thread that asks for it.

Agents may be lined up by side instead, all seats of a side with one agent: then the rotations are over the sides, and
where several agents can sit around the table in several circular orders, the blocks take these orders in turn.
"""

import threading
from collections.abc import Callable, Generator, Iterable, Iterator, Sequence
from contextlib import closing
from itertools import permutations
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np

from stardeck import agents as players
from stardeck.agents.former_names import present
from stardeck.agents.user_agents import is_thread_safe
from stardeck.benchmarks.arena.agent_failure import blame, failing_row
from stardeck.benchmarks.arena.event_buffer import Told, by_game, nothing
from stardeck.benchmarks.arena.executors import LOCAL, On, cut, executor_for
from stardeck.benchmarks.arena.thread_executor import available_cores as available_cores
from stardeck.game.agent import Agent, AgentError, AgentLike, decisions
from stardeck.game.agent_table import Cast, is_compiled
from stardeck.game.game import Game
from stardeck.kernels.loops import batch, playouts
from stardeck.kernels.loops.event_log import apply_all_watched, play_watched

CHUNK = 4096  # games played between two looks at the clock, by compiled agents
BLOCK = 128  # games dealt and played together by compiled agents: their states fit into a processor's own cache
SLOW_CHUNK = 64  # the same where Python is asked for every decision
LONE_CHUNK = 256  # the same on one thread: models answer large batches sooner than many small ones
EVENTFUL = 128  # events of a game that there is always room for


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
    seats: np.ndarray  # uint8[decisions of all]: who took each
    event_games: np.ndarray  # int64[events of all]: in which each happened, in ascending order
    events: np.ndarray  # int32[events of all, Column]: what happened; empty where the series does not tell


class Stopped(Exception):
    """Raised in a worker that was asked to stop."""


def rotations_of(order: tuple[int, ...]) -> list[tuple[int, ...]]:
    """The distinct rotations of an order around a table, itself first."""
    return list(dict.fromkeys(order[shift:] + order[:shift] for shift in range(len(order))))


def circular_orders(agents: int, places: int) -> list[tuple[int, ...]]:
    """Every way to deal agents 0, 1, … out in turn around a table, those alike but for a rotation listed once."""
    dealt = (tuple(agent[place % agents] for place in range(places)) for agent in permutations(range(agents)))
    return list(dict.fromkeys(min(rotations_of(order)) for order in dealt))


class Series:
    """A series of games between agents, numbered from 0.

    agents: names or objects with `act`; fewer agents than seats are dealt out in turn. seed: from 0 to 2**64 - 1.
    by_side: line the agents up by side and in every circular order (see the head of this file). noting: note actions.
    telling: note what happens. honest: agents of one's own get states without what is hidden from their seats
    (`stardeck.agents.honest`).

    Attributes: `lineups`, the agents by seat, and `orders`, their numbers by seat or side, of game i at i mod their
    number; `block`, how many games share a deal; `compiled`, whether all agents are; `thread_safe`, whether it may be
    played on several threads; `texts`, what the agents were given as, None for objects; `by_side`, `noting`,
    `telling`.

    A series is pickled by content. `keeper`: what keeps stretches where they are played, if that is another machine;
    None: they come back.
    """

    def __init__(
        self, game: Game, agents: Sequence[AgentLike], seed: int = 0, by_side: bool = False, noting: bool = False,
        telling: bool = False, honest: bool = False,
    ) -> None:  # fmt: skip
        agents = [players.honest(agent) for agent in agents] if honest else agents
        sides = game.variant.sides if by_side else [(seat,) for seat in range(game.players)]
        if not 0 <= seed < 2**64:
            raise ValueError(f"seed={seed}: must be from 0 to {2**64 - 1}")
        if not 1 <= len(agents) <= len(sides):
            raise ValueError(f"agents: {len(agents)} given: {game.id} takes 1 to {len(sides)}")
        self.game = game
        self.seed = np.uint64(seed)
        by_name: dict[str, Agent] = {}  # a name given twice is one agent, so that a match with itself is a mirror match
        found = [players.get(agent, game) for agent in agents]
        self.agents = [
            by_name.setdefault(present(given), agent) if isinstance(given, str) else agent
            for given, agent in zip(agents, found, strict=True)
        ]
        self.keeper: Callable[[Chunk], Any] | None = None
        self.texts = [present(str(given)) if isinstance(given, str | Path) else None for given in agents]
        numbers = [self.agents.index(agent) for agent in self.agents]
        as_listed = tuple(numbers[place % len(numbers)] for place in range(len(sides)))
        circles = circular_orders(len(numbers), len(sides)) if by_side else [as_listed]
        self.orders = [turned for circle in circles for turned in rotations_of(circle)]
        self.block = len(self.orders) // len(circles)
        side_of = {seat: side for side, seats in enumerate(sides) for seat in seats}
        self._seated = np.array([[order[side_of[seat]] for seat in range(game.players)] for order in self.orders])
        self.lineups = [[self.agents[number] for number in numbers] for numbers in self._seated]
        self.compiled = all(map(is_compiled, self.agents))
        self.thread_safe = all(is_compiled(agent) or is_thread_safe(agent) for agent in self.agents)
        self._cast = Cast(self.agents) if self.compiled else None
        self.by_side, self.noting, self.telling = by_side, noting, telling
        self._longest = 256  # decisions of a game that are noted at first
        self._eventful = EVENTFUL  # events of a game that there is room for at first
        self._stop = threading.Event()

    def __reduce__(self) -> tuple[Any, ...]:
        """By content: a table of cards or an agent that comes from a file travels without the file."""
        made_of = self.game, self.agents, int(self.seed), self.by_side, self.noting, self.telling
        return Series, made_of, {"texts": self.texts, "keeper": self.keeper}

    @property
    def names(self) -> list[list[str]]:
        """The agents by seat in each rotation."""
        return [[agent.name for agent in lineup] for lineup in self.lineups]

    @property
    def chunk(self) -> int:
        """How many games are played between two looks at the clock."""
        if self.compiled:
            return CHUNK
        return SLOW_CHUNK if self.thread_safe else LONE_CHUNK

    def warm_up(self) -> None:
        """Compile what the series needs, so that measured times are those of playing."""
        self.play(0, 1)

    def play(self, start: int, stop: int) -> Chunk:
        """Play games [start, stop)."""
        told = Told(self._eventful * (stop - start)) if self.telling else None
        size = BLOCK if self.compiled else stop - start
        played = joined([self._play_block(at, min(at + size, stop), told) for at in range(start, stop, size)])
        if told is None:
            return played
        games, events = told.events() if self.compiled else by_game(told.events())
        self._eventful = max(EVENTFUL, len(games) * 5 // (stop - start) // 4)
        return played._replace(event_games=games, events=events)

    def play_away(self, start: int, stop: int) -> Any:
        """Play games [start, stop) of any number, on another machine: a Chunk, or what `keeper` makes of it there."""
        size = self.chunk
        chunk = joined([self.play(at, min(at + size, stop)) for at in range(start, stop, size)])
        return self.keeper(chunk) if self.keeper else chunk

    def _play_block(self, start, stop, told):
        """Play games together; what happens goes into `told`, if they are told, and not into the Chunk."""
        index = np.arange(start, stop)
        rotations = index % len(self.lineups)
        seeds = np.empty(len(index), np.uint64)
        playouts.seed_blocks(self.seed, index // self.block, seeds)
        states = self.game.deal(seeds)
        noted = np.empty(0, np.uint16), np.empty(0, np.uint8)
        if not self.compiled:
            noted = self._play_step_by_step(states, rotations, seeds, start, told)
        elif self.noting or self.telling:
            noted = self._play_noting(states, rotations, seeds, start, told)
        else:
            players, moves = self._players(rotations), playouts.room_for_moves(len(states))
            playouts.play_out(self.game.rules, states, players, self.seed, seeds, moves)
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
            *nothing(),
        )

    def _players(self, rotations):
        """Return the players of a game in each rotation, for compiled loops."""
        kinds = self._cast.kinds[self._seated[rotations]]
        return playouts.Players(np.zeros(1, playouts.AGENT), kinds, self._cast.networks)

    def _play_noting(self, states, rotations, seeds, start, told):
        """Play games and note them; once more from the deal if there was not room for all."""
        while True:
            played = self.game.rules, states, self._players(rotations), self.seed, seeds
            actions, seats = moves = playouts.room_for_moves(len(states), self._longest if self.noting else 0)
            if told:
                play_watched(*played, moves, start, told.log)
            else:
                playouts.play_out(*played, moves)
            longest = int(states["decisions"].max()) if self.noting else 0
            if longest <= actions.shape[1] and (told is None or told.fits):
                break
            self._longest = max(self._longest, longest)
            states[:] = self.game.deal(seeds)
            if told:
                told.again()
        if told:
            told.keep()
        if not self.noting:
            return actions[0], seats[0]
        known = np.arange(actions.shape[1]) < states["decisions"][:, None]
        return actions[known], seats[known]

    def _play_step_by_step(self, states, rotations, game_seeds, start, told):
        """Ask each agent for a batch of decisions until all games are over; returns what is noted."""
        noted = [(np.empty(0, np.int64), np.empty(0, np.int64), np.empty(0, np.int64))]
        while len(running := np.flatnonzero(~self.game.is_over(states))):
            if self._stop.is_set():
                raise Stopped
            seats = self.game.to_act(states)[running]
            asked = self._seated[rotations[running], seats]
            for number in np.unique(asked):
                rows, actors = running[asked == number], seats[asked == number]
                seeds = game_seeds[rows]
                actions = self._one_decision(self.agents[number], states, rows, actors, seeds, start, told)
                if self.noting:
                    noted.append((rows, actions, actors))
        rows, actions, actors = (np.concatenate(column) for column in zip(*noted, strict=True))
        order = rows.argsort(kind="stable")
        return actions[order].astype(np.uint16), actors[order].astype(np.uint8)

    def _one_decision(self, agent, states, rows, seats, game_seeds, start, told):
        chosen = self.game.take(states, rows)
        seeds = np.empty(len(rows), np.uint64)
        playouts.seed_all(self.seed, game_seeds, seats, chosen["decisions"].astype(np.int64), seeds)
        try:
            actions = decisions(agent, self.game, chosen, seeds)
        except AgentError as error:
            row = failing_row(agent, self.game, chosen, seeds)
            if row is None:
                raise
            game = start + int(rows[row]), int(game_seeds[row])
            raise blame(error, self, *game, int(chosen["decisions"][row]), int(seats[row])) from error
        if told:
            self._apply_telling(chosen, actions, start + rows, told)
        else:
            batch.apply_all(self.game.rules, chosen, actions)
        self.game.put(states, rows, chosen)
        return actions

    def _apply_telling(self, states, actions, games, told):
        """Apply an action to each state, and tell what has happened."""
        before = self.game.copy(states)
        while True:
            apply_all_watched(self.game.rules, states, actions, games, told.log)
            if told.fits:
                break
            states[:] = before
            told.again()
        told.keep()

    def run(self, ranges: Iterable[tuple[int, int]], workers: int | None = None, on: On = LOCAL) -> Iterator[Chunk]:
        """Play ranges of games; yields a Chunk for each stretch as it is finished.

        workers: how many stretches at once; on: where (benchmarks/arena/executors.py). Closing the generator stops
        them.
        """
        executor = executor_for(on, workers)
        with closing(executor.run(cut(executor, self, ranges))) as finished:
            for _, chunk in finished:
                yield chunk

    def stop(self) -> None:
        """Have threads that play it break off."""
        self._stop.set()

    def allow(self) -> None:
        """Let it be played again."""
        self._stop.clear()


def joined(chunks: Sequence[Chunk]) -> Chunk:
    """Stretches that follow one another as one."""
    if len(chunks) == 1:
        return chunks[0]
    columns = (np.concatenate(column) for column in list(zip(*chunks, strict=True))[1:])
    return Chunk(chunks[0].start, *columns)


def run(
    stretches: Iterable[tuple[Series, int, int]], workers: int | None = None, on: On = LOCAL
) -> Generator[tuple[Series, Chunk]]:
    """Play stretches (series, start, stop), of several series too; yields (series, Chunk) as each is finished.

    A stretch is taken when there is room for it: what yields them can look at the results so far. workers: how many at
    once; on: where (benchmarks/arena/executors.py). Closing the generator stops them at once.
    """
    return executor_for(on, workers).run(stretches)


def win_share(
    game: Game, agent: AgentLike, opponent: AgentLike, games: int, seed: int, workers: int | None = None,
    honest: bool = False,
) -> float:  # fmt: skip
    """How often the side of `agent` wins against sides of `opponent`, or against the Boss, from 0 to 1.

    Sides rotate; a draw or truncation counts 1/n to each of n sides. honest: as for `Series`.
    """
    if honest:
        agent, opponent = players.honest(agent), players.honest(opponent)
    others = [players.get(opponent, game)] * (len(game.variant.sides) - 1)
    series = Series(game, [players.get(agent, game), *others], seed, by_side=True)
    mine = np.array([[seated is series.agents[0] for seated in lineup] for lineup in series.lineups])
    sides = 1 + len(others) if series.agents[0] in series.agents[1:] else 1  # all of them in a mirror match
    points = 0.0
    for chunk in series.run([(0, games)], workers):
        won = (chunk.winners & mine[chunk.rotations]).any(axis=1).sum() / sides
        undecided = ~chunk.winners.any(axis=1) if others else False
        points += won + np.sum(undecided) / len(game.variant.sides)
    return float(points) / games
