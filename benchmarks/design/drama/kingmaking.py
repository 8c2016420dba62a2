"""Kingmaking: how much a side that cannot win itself decides who of the others does.

In each game at most one decision of a hopeless side is drawn, and two of its legal actions. Both are played out many
times from the same redrawn cards with the same chance (common random numbers). One half of the playouts names the side
that the first action favours and the side that it hurts; the other half measures by how much. A largest difference is
thus never measured on the games that chose it: choices without effect come out as 0 on average. Others come out as at
most what they move, since noise may name the wrong sides. A choice counts as large by the half that did not name its
sides, so noise blurs the limit: of choices that move as much as the limit, about half count.
"""

from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from stardeck import agents as players
from stardeck.agents.data import turns
from stardeck.benchmarks.arena.series import SLOW_CHUNK
from stardeck.benchmarks.design.drama.games import Floats, Watch, WatchedSeries, results_of
from stardeck.game.agent_table import AgentTable, is_compiled
from stardeck.game.game import Game
from stardeck.kernels.errors import said
from stardeck.kernels.loops import batch, playouts

HOPELESS = 0.05  # chance to win
LARGE = 10.0  # points
FEWEST, MOST_POSITIONS = 10, 400
GAMES_PER_POSITION = 30
HALF = 32  # playouts of each action, in each half
STREAM = 0x6B696E67  # separates the chance of playouts from that of games
CHUNK = 32  # positions kept together


class Positions(NamedTuple):
    """Turns at which a hopeless side begins to act, at most one a game.

    Attributes:
        games: Number of the game of each: int64[positions].
        turns: Number of turns before it: int64[positions].
        looked: Number of games that were searched, from game 0. A search for a number of positions ends before the game
            of the next one: ending with a find would make finds look too frequent.
    """

    games: NDArray[np.int64]
    turns: NDArray[np.int64]
    looked: int


def hopeless_rows(watch: Watch, chance: Floats) -> NDArray[np.int64]:
    """Return the snapshots at which a side is to act that is in the game without hope.

    Args:
        watch: The games.
        chance: float64[all, contenders].
    """
    mover = np.maximum(watch.mover, 0)
    rows = np.arange(len(mover))
    return np.flatnonzero((watch.mover >= 0) & (chance[rows, mover] < HOPELESS) & ~watch.out[rows, mover])


def hopeless_turns(watch: Watch, chance: Floats, seed: int, most: int) -> Positions:
    """Return one random turn of a hopeless side for each of the first games that have one.

    Args:
        watch: The games.
        chance: float64[all, contenders].
        seed: Seed of the draws.
        most: Most positions.
    """
    draw = np.random.default_rng([seed, 2]).random(len(watch.snapshots))
    found = hopeless_rows(watch, chance)
    owners, first, counts = np.unique(watch.game[found], return_index=True, return_counts=True)
    picked = found[first + (draw[owners] * counts).astype(np.int64)]
    looked = len(watch.snapshots) if len(owners) <= most else int(owners[most])
    return Positions(owners[:most], (picked - watch.starts[owners])[:most], looked)


def affordable_positions(games: int) -> int:
    """Return the number of positions whose playouts take about as long as a number of games."""
    return int(np.clip(games // GAMES_PER_POSITION, FEWEST, MOST_POSITIONS))


class KingmakingSeries(WatchedSeries):
    """Playouts of two actions at each of some positions.

    Args:
        game: Variant.
        agent: Agent of the games.
        seed: Seed of all chance.
        positions: Turns of hopeless sides.
        half: Playouts of each action in each half.
    """

    def __init__(self, game: Game, agent: Any, seed: int, positions: Positions, half: int = HALF) -> None:
        super().__init__(game, agent, seed)
        self.positions, self.half = positions, half
        own = self.agents[0]
        self.follower = own if is_compiled(own) else playout_agent(game)
        self._cast_of_playouts = AgentTable([self.follower])

    def __reduce__(self) -> tuple[Any, ...]:
        """Pickle by content."""
        return KingmakingSeries, (self.game, self.agents[0], int(self.seed), self.positions, self.half)

    @property
    def chunk(self) -> int:
        """The number of positions that are kept together."""
        return CHUNK if self.thread_safe else SLOW_CHUNK

    def play(self, start: int, stop: int) -> Any:
        """Measure positions [start, stop): (start, stop, arrays by name).

        The array `measured` is float64[n, 2]: points, and 1, 0 or -1 for a large effect.
        """
        measured = np.full((stop - start, 2), np.nan)
        states, seeds = self._turns_of(start, stop)
        kept, found = self._decisions_in(states, seeds, start)
        rows = np.flatnonzero(found)
        if len(rows):
            measured[rows] = self._compare(self.game.take(kept, rows), start + rows)
        return start, stop, {"measured": measured}

    play_away = play

    def _turns_of(self, start, stop):
        """Return the games of these positions, played up to their turns, and their seeds."""
        seeds = self.seeds_of(self.positions.games[start:stop])
        wanted = self.positions.turns[start:stop]
        states, watched = self.game.deal(seeds), turns.blank(stop - start)
        for done in range(int(wanted.max(initial=0))):
            rows = np.flatnonzero(wanted > done)
            some, counts = self.game.take(states, rows), watched[rows]
            self.advance(some, seeds[rows], counts)
            self.game.put(states, rows, some)
        return states, seeds

    def _decisions_in(self, states, seeds, start):
        """Return a random decision with two legal actions or more of each turn, and where there is one.

        Each such decision replaces the one that was kept before with the chance 1 / k, if it is the k-th of its turn.
        """
        kept, count = self.game.copy(states), np.zeros(len(states), np.int64)
        side = self.game.side_of[self.game.to_act(states)]
        turn = states["turn"].copy()
        draws = [np.random.default_rng([int(self.seed), 3, start + row]) for row in range(len(states))]
        while len(rows := np.flatnonzero((states["to_act"] >= 0) & (states["turn"] == turn))):
            some = self.game.take(states, rows)
            able = self.game.legal_actions(some).sum(axis=1, dtype=np.int64) > 1
            own = self.game.side_of[self.game.to_act(some)] == side[rows]
            there = np.flatnonzero(able & own)
            count[rows[there]] += 1
            taken = [row for row in there if draws[rows[row]].random() < 1 / count[rows[row]]]
            self.game.put(kept, rows[taken], self.game.take(some, np.array(taken, np.int64)))
            self.decide(some, seeds[rows])
            self.game.put(states, rows, some)
        return kept, count > 0

    def _compare(self, states, numbers):
        """Return points and large effects of two random actions in each state: float64[n, 2]."""
        game, each = self.game, 2 * self.half
        masks, seats = game.legal_actions(states), game.to_act(states)
        two = np.array([
            np.random.default_rng([int(self.seed), 4, number]).choice(np.flatnonzero(mask), 2, replace=False)
            for number, mask in zip(numbers, masks, strict=True)
        ])  # fmt: skip
        owner = np.repeat(np.arange(len(states)), each)
        seeds = np.empty(len(owner), np.uint64)
        stream = np.uint64(playouts.seed_one(self.seed, np.uint64(STREAM), 0, 0))
        playouts.seed_blocks(stream, numbers[owner] * each + np.tile(np.arange(each), len(states)), seeds)
        redrawn = game.resample_hidden(game.take(states, owner), seats[owner], seeds)
        ends = []
        for side in range(2):
            some = game.copy(redrawn)
            batch.apply_all(game.rules, some, two[owner, side])
            kinds = np.full((len(some), game.players), self._cast_of_playouts.kinds[0])
            cast = playouts.Players(np.zeros(1, playouts.AGENT), kinds, self._cast_of_playouts.networks)
            playouts.play_out(game.rules, some, cast, self.seed, seeds, playouts.room_for_moves(len(some)))
            ends.append(results_of(game, some))
        return measured_by_halves((ends[0] - ends[1]).reshape(len(states), 2, self.half, -1), game.side_of[seats])


def measured_by_halves(apart: Floats, own: NDArray[np.int64]) -> Floats:
    """Return the points that the choice between two actions moves between other sides, and 1 where they are LARGE.

    Args:
        apart: Result of each side after the first action less that after the second, in paired playouts of two
            halves: float64[n, 2, playouts, sides].
        own: Side that chooses: int64[n].

    Returns:
        float64[n, 2]. Minus 1 stands for LARGE points in the direction that the other half contradicts, so that noise
        cancels on average.
    """
    means = apart.mean(axis=2)
    rows = np.arange(len(means))
    others = means.copy()
    others[rows, :, own] = np.nan
    points = np.zeros((len(means), 2))
    for chosen in range(2):
        up, down = np.nanargmax(others[:, chosen], axis=1), np.nanargmin(others[:, chosen], axis=1)
        points[:, chosen] = 50 * (means[rows, 1 - chosen, up] - means[rows, 1 - chosen, down])
    large = (points > LARGE).astype(np.float64) - (points < -LARGE)
    return np.stack([points.mean(axis=1), large.mean(axis=1)], axis=1)


def playout_agent(game: Game) -> Any:
    """Return the compiled agent that plays on where the agent of the games is too slow for playouts."""
    for name in ("rules", "random"):
        try:
            return players.get(name, game)
        except ValueError as error:
            reason = said(error)
    raise ValueError(f"{game.id}: no compiled agent plays it ({reason})")
