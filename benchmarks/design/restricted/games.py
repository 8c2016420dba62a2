"""Series of games between one side that may not do something and sides that may do everything.

A block has one game for each side, on the same deal and with the same chance of the agents: in each, another side is
restricted. If nothing was forbidden, these would be equal games, in which all sides together win one. The mean share of
the restricted side minus the fair share therefore compares each game with its free twin. Against an automated Boss, a
block has a restricted and a free game.
"""

from typing import Any

import numpy as np
from numpy.typing import NDArray

from stardeck.agents.identity import identity_of
from stardeck.agents.restricted import RestrictedAgent
from stardeck.agents.restricted.agent import room_for
from stardeck.agents.restricted.kernels import BLANK, COUNTED, LIMITED, Obeyed, play_out_restricted
from stardeck.benchmarks.arena.series import LONE_CHUNK, SLOW_CHUNK, Series, SeriesInterruption
from stardeck.benchmarks.fairness.aggregates import shares_of
from stardeck.game.agent import Agent, States, decisions
from stardeck.game.agent_table import AgentTable, is_compiled
from stardeck.game.game import Game
from stardeck.kernels.loops import batch, playouts

CHUNK = 2048  # blocks kept together
TOGETHER = 128  # games played together


class RestrictedSeries(Series):
    """A series of blocks in which one side is played by another agent than the rest.

    Args:
        game: Variant.
        agent: Agent of the free sides.
        player: Agent of one side, such as a `RestrictedAgent` of the other.
        seed: Seed of all chance.

    Attributes:
        rotations: Games of a block.
    """

    def __init__(self, game: Game, agent: Agent, player: Agent, seed: int) -> None:
        super().__init__(game, [agent], seed)
        self.player = player
        self.rotations = max(len(game.variant.sides), 2)
        self.in_loops = isinstance(player, RestrictedAgent) and player.agent is agent and is_compiled(agent)
        self.thread_safe = self.in_loops or (self.thread_safe and bool(getattr(player, "thread_safe", False)))
        check = getattr(player, "check", None)
        if check is not None:
            check(game)

    def __reduce__(self) -> tuple[Any, ...]:
        """Pickle by content. A restricted agent of the free one stays that."""
        if self.in_loops:
            return restricted_series, (self.game, self.player, int(self.seed))
        return RestrictedSeries, (self.game, self.agents[0], self.player, int(self.seed))

    @property
    def identity(self) -> str:
        """Text that distinguishes the player of the restricted side from others."""
        return identity_of(self.player)

    @property
    def chunk(self) -> int:
        """The number of blocks that are kept together."""
        return CHUNK if self.in_loops else max(1, (SLOW_CHUNK if self.thread_safe else LONE_CHUNK) // self.rotations)

    def play(self, start: int, stop: int) -> Any:
        """Play blocks [start, stop): (start, stop, arrays by name).

        `effect` is float64[blocks], the share of the restricted side less that of its free twins, and `counted`
        int64[blocks, 3], the numbers of COUNTED (agents/restricted/kernels.py) of restricted seats.
        """
        step = max(1, TOGETHER // self.rotations) if self.in_loops else stop - start
        parts = [self._play_blocks(np.arange(at, min(at + step, stop))) for at in range(start, stop, step)]
        effect, counted = (np.concatenate(column) for column in zip(*parts, strict=True))
        return start, stop, {"effect": effect, "counted": counted}

    play_away = play

    def _play_blocks(self, blocks):
        """Play some blocks; return the effect and the counts of each."""
        game, each = self.game, self.rotations
        sides = game.variant.sides
        seeds = np.empty(len(blocks), np.uint64)
        playouts.seed_blocks(self.seed, blocks, seeds)
        seeds = np.repeat(seeds, each)
        limited = np.full((each, game.players), BLANK)
        for side, seats in enumerate(sides):
            limited[side, list(seats)] = LIMITED
        limited = np.tile(limited, (len(blocks), 1))
        states = game.deal(seeds)
        counted = (self._play_in_loops if self.in_loops else self._play_slowly)(states, limited, seeds)
        shares = shares_of(sides, game.winners(states)).reshape(len(blocks), each, len(sides))
        if len(sides) == 1:
            effect = shares[:, 0, 0] - shares[:, 1, 0]
        else:
            effect = shares[:, np.arange(each), np.arange(each)].mean(axis=1) - 1 / each
        return effect, counted.reshape(len(blocks), each, 3).sum(axis=1)

    def _play_in_loops(self, states, limited, seeds):
        """Play games to their end in compiled code; return the counts of restricted seats: int64[games, 3]."""
        game, table = self.game, AgentTable(self.agents)
        kinds = np.full(limited.shape, table.kinds[0])
        cast = playouts.Players(np.zeros(1, playouts.AGENT), kinds, table.networks)
        counted = np.zeros((len(states), 2), COUNTED)
        obeyed = Obeyed(self.player.limits(game), room_for(game), counted)
        play_out_restricted(game.rules, states, cast, self.seed, seeds, limited, obeyed)
        return _as_numbers(counted[:, LIMITED])

    def _play_slowly(self, states, limited, seeds):
        """Play games to their end by batches of decisions; the counts of all games are those of the first."""
        player = self.player
        if isinstance(player, RestrictedAgent):
            player = RestrictedAgent(player.agent, player.restriction)  # with counts of its own
        while len(running := np.flatnonzero(~self.game.is_over(states))):
            if self._stop.is_set():
                raise SeriesInterruption
            seats = self.game.to_act(states)[running]
            which = limited[running, seats]
            for number, agent in ((BLANK, self.agents[0]), (LIMITED, player)):
                self._decide_for(agent, states, running[which == number], seats[which == number], seeds)
        counted = np.zeros((len(states), 3), np.int64)
        if isinstance(player, RestrictedAgent):
            counted[:1] = _as_numbers(player.counted)
        return counted

    def _decide_for(self, agent: Agent, states: States, rows: NDArray[np.int64], seats: NDArray[np.int64], seeds: Any):
        """Take the next action of an agent in some games, in place."""
        if not len(rows):
            return
        some = self.game.take(states, rows)
        chance = self.decision_seeds(seeds[rows], seats, some)
        batch.apply_all(self.game.rules, some, decisions(agent, self.game, some, chance))
        self.game.put(states, rows, some)


def restricted_series(game: Game, player: RestrictedAgent, seed: int) -> RestrictedSeries:
    """Return the series of a restricted agent against the same agent without restriction.

    Args:
        game: Variant.
        player: The restricted agent.
        seed: Seed of all chance.
    """
    return RestrictedSeries(game, player.agent, player, seed)


def _as_numbers(counted):
    """Return counts as numbers: int64[n, 3]."""
    return np.stack([counted[name] for name in COUNTED.names or ()], axis=1)
