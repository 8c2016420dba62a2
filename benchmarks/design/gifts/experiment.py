"""Games in which each side gets no, one or two random cards, at the deal or at a later turn.

The draws are independent for each side and of everything else, so that differences between the results are caused by
the cards. Later gifts begin from positions that the agent has reached; each position is played on several times, with
other gifts and other chance. A cell is what a side gets: nothing, one card, or a pair of cards. Numbers of cells:
0 is nothing, then come the single cards, then the pairs in the order of `Cells.pairs`.
"""

from typing import Any

import numpy as np
from numpy.typing import NDArray

from stardeck import agents as players
from stardeck.agents.data.gifts import Gifts, below, gifts_of
from stardeck.agents.data.noisy_games import NO_LIMIT, play_noisy
from stardeck.benchmarks.design.kept.rows import Chunk, ShortChunks
from stardeck.benchmarks.design.variance.replays import rows_of, seeds_of
from stardeck.game.agent import AgentLike
from stardeck.game.agent_table import AgentTable
from stardeck.game.game import Game
from stardeck.kernels.loops import playouts

STAGES = ("early", "late")
BLOCK = 512  # games played together
CHUNK = 8192  # games kept together
USES = 4  # games from one position, for later gifts
NO_CARD = -1
OVER = -2  # in place of the winning side: the game was over before the gifts
_POSITIONS, _GIFTS = 0x706F_7369, 0x6769_6674  # separate the streams of a series
_WHAT, _WHICH, _SEAT, _FIRST, _SECOND = range(5)  # uses of chance for each side

Numbers = NDArray[np.int64]


class Cells:
    """Everything that a side can get, with its probability.

    The probabilities make the error of an interaction small: it is the difference of a pair, two single cards, and
    nothing, so that each group gets games in proportion to the square root of its part in the variance.

    Args:
        cards: Number of kinds of cards.
        twice: Whether a pair may be two copies of one card.

    Attributes:
        cards: Number of kinds of cards.
        pairs: Numbers of the two cards of each pair: int64[pairs, 2], the first one not above the second.
        chances: Probability of nothing, of any single card, and of any pair.
    """

    def __init__(self, cards: int, twice: bool) -> None:
        self.cards = cards
        self.pairs = np.stack(np.triu_indices(cards, 0 if twice else 1), axis=1).astype(np.int64)
        parts = np.sqrt([1, 2 * cards, len(self.pairs)])
        self.chances = parts / parts.sum()

    def __len__(self) -> int:
        return 1 + self.cards + len(self.pairs)

    @property
    def members(self) -> Numbers:
        """The two cards of each cell: int64[cells, 2], NO_CARD where there is none."""
        single = np.column_stack([np.arange(self.cards), np.full(self.cards, NO_CARD)])
        return np.concatenate([[[NO_CARD, NO_CARD]], single, self.pairs])

    def draw(self, chance: NDArray[np.uint64], which: NDArray[np.uint64]) -> Numbers:
        """Return random cells: int64[n].

        Args:
            chance: Random numbers that decide between nothing, a card and a pair, uint64[n].
            which: Random numbers that decide which one, uint64[n].
        """
        share = (chance >> np.uint64(11)).astype(np.float64) * 2.0**-53
        size = np.searchsorted(np.cumsum(self.chances)[:2], share, side="right")
        limits = np.array([1, self.cards, len(self.pairs)])
        return np.array([0, 1, 1 + self.cards])[size] + below(which, limits[size])


class GiftSeries(ShortChunks):
    """Games of one agent against itself with gifts, as executors play them.

    A row is the winning side (NOBODY for none, OVER), then the cell of each side: int16[1 + sides].

    Args:
        game: A variant that has gifts.
        agent: A compiled agent.
        seed: Seed of all chance.
        stage: One of STAGES.

    Attributes:
        gifts: Gifts of the game.
        numbers: Numbers of the cards that are given, in the order of `cells`.
        cells: What a side can get.
        uses: Number of games from one position: game i begins at position i // uses.
    """

    chunk = CHUNK

    def __init__(self, game: Game, agent: AgentLike, seed: int, stage: str) -> None:
        gifts = gifts_of(game)
        if gifts is None or stage not in STAGES:
            raise ValueError(f"{game.id}, stage={stage}: the game must have gifts, the stage be {' or '.join(STAGES)}")
        self.game, self.agents, self.seed, self.stage = game, [players.get(agent, game)], seed, stage
        self.gifts: Gifts = gifts
        self.numbers = np.array(gifts.cards(game), np.int64)
        self.cells = Cells(len(self.numbers), gifts.twice)
        self.uses = 1 if stage == STAGES[0] else USES
        self._cast = AgentTable(self.agents)

    def __reduce__(self) -> tuple[Any, ...]:
        return GiftSeries, (self.game, self.agents[0], self.seed, self.stage)

    def play(self, start: int, stop: int) -> Chunk:
        """Play games [start, stop): a chunk with rows int16[n, 1 + sides].

        Args:
            start: First game.
            stop: Game after the last one.
        """
        parts = [self._play(np.arange(at, min(at + BLOCK, stop))) for at in range(start, stop, BLOCK)]
        return Chunk(start, np.concatenate(parts))

    def _play(self, index):
        positions = np.arange(index[0] // self.uses, index[-1] // self.uses + 1)
        begun = self._positions(positions)
        states = self.game.take(begun, index // self.uses - positions[0])
        seeds = seeds_of(self.seed, index, index // self.uses)
        over = self.game.is_over(states)
        states["random"] = seeds.chance
        cells = self._give(states, index, over)
        self._play_on(states, NO_LIMIT, seeds.agents)
        winner = np.where(over, OVER, rows_of(self.game, states)[:, 0])
        return np.column_stack([winner, cells]).astype(np.int16)

    def _positions(self, positions):
        """Return the positions before the gifts: dealt games, played on for later gifts."""
        seeds = seeds_of(self.seed ^ _POSITIONS, positions, positions)
        states = self.game.deal(seeds.deals)
        if self.stage != STAGES[0]:
            self._play_on(states, self.gifts.late_turn(self.game), seeds.agents)
        return states

    def _play_on(self, states, last_turn, seeds):
        kinds = np.full((len(states), self.game.players), self._cast.kinds[0])
        cast = playouts.Players(np.zeros(1, playouts.AGENT), kinds, self._cast.networks)
        noise = np.zeros(kinds.shape)
        play_noisy(self.game.rules, states, cast, noise, last_turn, np.uint64(self.seed), seeds)

    def _give(self, states, index, over):
        """Draw the cell of each side, and give its cards to one seat of the side; return the cells."""
        members = np.append(self.numbers, NO_CARD)[self.cells.members]  # the last one stands for NO_CARD
        found = []
        for side, seats in enumerate(self.game.variant.sides):
            chance = [np.empty(len(index), np.uint64) for _ in range(5)]
            for use, written in enumerate(chance):
                playouts.seed_blocks(np.uint64(self.seed ^ _GIFTS ^ (5 * side + use) << 32), index, written)
            cells = self.cells.draw(chance[_WHAT], chance[_WHICH])
            owners = np.array(seats)[below(chance[_SEAT], np.full(len(index), len(seats)))]
            for place, use in enumerate((_FIRST, _SECOND)):
                cards = np.where(over, NO_CARD, members[cells, place])
                self.gifts.give(self.game, states, owners, cards, chance[use])
            found.append(cells)
        return np.stack(found, axis=1)
