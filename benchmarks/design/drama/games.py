"""Games of one agent against itself, looked at after every turn.

A snapshot is taken after the deal and after each turn. It holds each side's estimated chance to win, if a network
of the package plays the variant, and the numbers from which the chance is estimated elsewhere.
"""

from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from stardeck import agents as players
from stardeck.agents.data import turns
from stardeck.agents.networks.agent import Network, NetworkAgent, NetworkError
from stardeck.benchmarks.arena.series import LONE_CHUNK, SLOW_CHUNK, Series, SeriesInterruption
from stardeck.benchmarks.card_values.trial_series import JUDGES
from stardeck.benchmarks.fairness.aggregates import shares_of
from stardeck.game.agent import AgentLike, States, decisions
from stardeck.game.agent_table import AgentTable
from stardeck.game.game import Game
from stardeck.kernels.loops import batch, playouts

CHUNK = 2048  # games kept together
BLOCK = 256  # games played together: their states stay in the processor's cache
MOST_SEEN = 300  # numbers of an observation that serve where a game shows no open numbers

Floats = NDArray[np.float64]


def judge_of(game: Game) -> NetworkAgent | None:
    """Return the strongest trained agent that the package has for a game, or None."""
    for name in JUDGES:
        try:
            found = players.get(name, game)
        except NetworkError:
            continue
        return found if isinstance(found, NetworkAgent) else None
    return None


def contenders_of(game: Game) -> int:
    """Return the number of sides; an automated Boss counts as one."""
    return max(len(game.variant.sides), 2)


def results_of(game: Game, states: States) -> Floats:
    """Return each contender's share of games that are over: float64[n, contenders]; a draw is shared equally.

    A game that a single side does not win goes to the Boss.
    """
    shares = shares_of(game.variant.sides, game.winners(states))
    if shares.shape[1] > 1:
        return shares
    return np.column_stack([shares, 1 - shares])


def chances_of(game: Game, network: Network, states: States) -> Floats:
    """Return the chance of each contender as a network estimates it from the view of each seat.

    The estimates of a side are averaged, and those of all sides are scaled to a sum of 1.

    Args:
        game: Variant.
        network: Value network, arranged for the variant.
        states: Games that are not over.

    Returns:
        float64[n, contenders].
    """
    sides = game.variant.sides
    others = max(len(sides) - 1, 1)
    estimated = np.zeros((len(states), len(sides)))
    values = np.empty(len(states), np.float32)
    for side, seats in enumerate(sides):
        for seat in seats:
            playouts.value_all(network.weights, network.shape, game.observe(states, seat), values)
            estimated[:, side] += (1 + others * np.clip(values, -1 / others, 1)) / (1 + others) / len(seats)
    if len(sides) == 1:
        return np.column_stack([estimated, 1 - estimated])
    estimated = np.where(sides_out(game, states), 0.0, np.maximum(estimated, 1e-4))
    return estimated / estimated.sum(axis=1, keepdims=True)


def sides_out(game: Game, states: States) -> NDArray[np.bool_]:
    """Return the contenders that have lost already, while others play on: bool[n, contenders]."""
    out = seats_out(game, states)
    found = np.zeros((len(states), contenders_of(game)), bool)
    for side, seats in enumerate(game.variant.sides):
        found[:, side] = out[:, list(seats)].all(axis=1)
    return found


def seats_out(game: Game, states: States) -> NDArray[np.bool_]:
    """Return the seats that take no further part in a game under way: bool[n, seats]."""
    return game.eliminated(states) | (states["placement"][:, : game.players] > 1)


class Features(NamedTuple):
    """Numbers of each contender from which its chance can be estimated."""

    names: list[str]  # of the open numbers; empty where observations serve
    of: Any  # function of states: float32[n, contenders, numbers]


def features_of(game: Game) -> Features:
    """Return the open numbers of a variant, else the observation of each side's first seat."""
    names = list(game.progress(game.deal([0])))
    sides, contenders = game.variant.sides, contenders_of(game)

    def open_numbers(states):
        found = np.zeros((len(states), contenders, len(names)), np.float32)
        for number, by_seat in enumerate(game.progress(states).values()):
            for side, seats in enumerate(sides):
                found[:, side, number] = by_seat[:, list(seats)].mean(axis=1)
        return found

    def observations(states):
        scale = game.observation_scale()
        found = np.zeros((len(states), contenders, min(len(scale), MOST_SEEN)), np.float32)
        for side, seats in enumerate(sides):
            found[:, side] = (game.observe(states, seats[0]) * scale)[:, :MOST_SEEN]
        return found

    return Features(names, open_numbers if names else observations)


class Watch(NamedTuple):
    """Games and snapshots, as arrays; snapshots lie game after game.

    Attributes:
        result: Share of each contender: float64[games, contenders].
        truncated: bool[games].
        decisions: Decisions of each game: int64[games].
        forced: Decisions with one legal action: int64[games].
        wait: Most decisions of others between two decisions of one seat: int64[games].
        gone: Decisions after a seat was out of the game: int64[games, seats].
        snapshots: Number of snapshots of each game, one more than its turns: int64[games].
        chance: Estimates of a network: float32[all, contenders]; no columns without a network.
        seen: float32[all, contenders, numbers], as `Features.of` gives them.
        mover: Contender that is to act, -1 at the end: int16[all].
        out: Contenders that have lost already: bool[all, contenders].
        options: Legal actions of the seat to act: int32[all].
    """

    result: Floats
    truncated: NDArray[np.bool_]
    decisions: NDArray[np.int64]
    forced: NDArray[np.int64]
    wait: NDArray[np.int64]
    gone: NDArray[np.int64]
    snapshots: NDArray[np.int64]
    chance: NDArray[np.float32]
    seen: NDArray[np.float32]
    mover: NDArray[np.int16]
    out: NDArray[np.bool_]
    options: NDArray[np.int32]

    @property
    def ends(self) -> NDArray[np.int64]:
        """Number of the last snapshot of each game: int64[games]."""
        return self.snapshots.cumsum() - 1

    @property
    def starts(self) -> NDArray[np.int64]:
        """Number of the first snapshot of each game: int64[games]."""
        return self.ends + 1 - self.snapshots

    @property
    def game(self) -> NDArray[np.int64]:
        """Game of each snapshot: int64[all]."""
        return np.repeat(np.arange(len(self.snapshots)), self.snapshots)


def joined(parts: list[Watch]) -> Watch:
    """Join games that follow one another."""
    return parts[0] if len(parts) == 1 else Watch(*(np.concatenate(column) for column in zip(*parts, strict=True)))


def first_games(watch: Watch, games: int) -> Watch:
    """Return the first games."""
    return games_between(watch, 0, games)


def games_between(watch: Watch, first: int, last: int) -> Watch:
    """Return games [first, last).

    Args:
        watch: Games.
        first: First of them.
        last: Game after the last one.
    """
    by_game = Watch._fields.index("chance")
    begin, end = int(watch.snapshots[:first].sum()), int(watch.snapshots[:last].sum())
    return Watch._make(
        column[first:last] if place < by_game else column[begin:end] for place, column in enumerate(watch)
    )


class WatchedSeries(Series):
    """A series of games of one agent against itself, with a snapshot after every turn.

    Args:
        game: Variant.
        agent: Agent of all seats.
        seed: Seed of all chance.
    """

    def __init__(self, game: Game, agent: AgentLike, seed: int) -> None:
        super().__init__(game, [agent], seed)
        self.judge = judge_of(game)
        self.features = features_of(game)
        self._table_of_agents = AgentTable(self.agents) if self.compiled else None

    def __reduce__(self) -> tuple[Any, ...]:
        """Pickle by content."""
        return WatchedSeries, (self.game, self.agents[0], int(self.seed))

    @property
    def chunk(self) -> int:
        """The number of games that are kept together."""
        return CHUNK if self.compiled else SLOW_CHUNK if self.thread_safe else LONE_CHUNK

    def play(self, start: int, stop: int) -> Any:
        """Play games [start, stop): (start, stop, the arrays of a Watch by name)."""
        size = BLOCK if self.compiled else stop - start
        blocks = [self._watch(np.arange(at, min(at + size, stop))) for at in range(start, stop, size)]
        return start, stop, joined(blocks)._asdict()

    play_away = play

    def seeds_of(self, index: NDArray[np.int64]) -> NDArray[np.uint64]:
        """Return the deal seeds of games: uint64[n]."""
        return self.deals(index)[1]

    def advance(self, states: States, seeds: NDArray[np.uint64], watched: NDArray[np.void]) -> None:
        """Play games that are not over to the end of their turn, in place.

        Args:
            states: The games.
            seeds: Their deal seeds, uint64[n].
            watched: Counts of decisions, WATCHED[n], changed.
        """
        if self._table_of_agents is not None:
            kinds = np.full((len(states), self.game.players), self._table_of_agents.kinds[0])
            cast = playouts.Players(np.zeros(1, playouts.AGENT), kinds, self._table_of_agents.networks)
            turns.play_turn(self.game.rules, states, cast, self.seed, seeds, watched)
            return
        turn = states["turn"].copy()
        while len(rows := np.flatnonzero((states["to_act"] >= 0) & (states["turn"] == turn))):
            if self._stop.is_set():
                raise SeriesInterruption
            some, counts = self.game.take(states, rows), watched[rows]
            turns.note_all(self.game.rules, some, np.zeros(1, playouts.AGENT), counts)
            watched[rows] = counts
            self.decide(some, seeds[rows])
            self.game.put(states, rows, some)

    def decide(self, states: States, seeds: NDArray[np.uint64]) -> None:
        """Take the agent's next action in games that are not over, in place. seeds: their deal seeds, uint64[n]."""
        chance = self.decision_seeds(seeds, self.game.to_act(states), states)
        batch.apply_all(self.game.rules, states, decisions(self.agents[0], self.game, states, chance))

    def _watch(self, index):
        """Play games together and return their Watch."""
        game = self.game
        seeds = self.seeds_of(index)
        states, watched = game.deal(seeds), turns.blank(len(index))
        left_at = np.full((len(index), game.players), -1)
        looks, rows = [self._look(states)], [np.arange(len(index))]
        running = np.arange(len(index))
        while len(running):
            some, counts = game.take(states, running), watched[running]
            self.advance(some, seeds[running], counts)
            game.put(states, running, some)
            watched[running] = counts
            gone = left_at[running]
            new = seats_out(game, some) & (gone < 0)
            left_at[running] = np.where(new, some["decisions"][:, None].astype(np.int64), gone)
            looks.append(self._look(some))
            rows.append(running)
            running = running[~game.is_over(some)]
        owners = np.concatenate(rows)
        order = owners.argsort(kind="stable")
        decided = states["decisions"].astype(np.int64)
        gone = np.where(left_at >= 0, decided[:, None] - left_at, 0)
        return Watch(
            results_of(game, states), game.truncated(states), decided, watched["forced"].copy(),
            watched["longest"].max(axis=1), gone, np.bincount(owners, minlength=len(index)),
            *(np.concatenate(column)[order] for column in zip(*looks, strict=True)),
        )  # fmt: skip

    def _look(self, states):
        """Return the columns of a snapshot: chance, seen, mover, out, options."""
        game = self.game
        over = game.is_over(states)
        seats = game.to_act(states)
        if self.judge is None:
            chance = np.zeros((len(states), 0), np.float32)
        else:
            self.judge.check(game)
            chance = chances_of(game, self.judge.judge, states).astype(np.float32)
            chance[over] = results_of(game, states)[over]
        mover = np.where(over, -1, game.side_of[seats]).astype(np.int16)
        options = game.legal_actions(states).sum(axis=1, dtype=np.int32)
        return chance, self.features.of(states), mover, sides_out(game, states) & ~over[:, None], options
