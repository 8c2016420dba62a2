"""Shares of games that sides win, in the order of turns: the side that moves first, the second one and so on."""

from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from stardeck.benchmarks.design.estimates import Estimate, blocks_of, ends_of_share, mean_of
from stardeck.benchmarks.fairness.aggregates import in_turn_order, shares_of
from stardeck.benchmarks.results.arrow import pq
from stardeck.benchmarks.results.arrow_columns import array_of, members_of
from stardeck.benchmarks.results.words import ORDINALS
from stardeck.game.game import Game
from stardeck.kernels.files import regular_file


def shares_by_turn(folder: Path, game: Game) -> NDArray[np.float64]:
    """Return the share of each game that each side won: float64[games, sides], the side that moved first in column 0.

    Args:
        folder: Results of `stardeck advantage`.
        game: Variant of the games.
    """
    table = pq.read_table(regular_file(folder / "games.parquet"), columns=["winner", "first"])
    lengths, winners = members_of(table["winner"])
    won = np.zeros((len(table), game.players), bool)
    won[np.repeat(np.arange(len(table)), lengths), winners] = True
    return in_turn_order(shares_of(game.variant.sides, won), np.asarray(game.side_of)[array_of(table["first"])])


def of_wins(name: str, label: str, won: NDArray[np.float64], fair: float | None) -> Estimate:
    """Return a share of games in per cent, or in points above a fair share, with Wilson's interval.

    The interval also holds where all games end alike. It is too wide where games are often shared.

    Args:
        name: Name of the estimate.
        label: What it is, in words.
        won: Share of each game, from 0 to 1: float64[games]. Games do not share deals.
        fair: The fair share; None for a share in per cent.
    """
    above = 0.0 if fair is None else fair
    found = mean_of(name, label, "%" if fair is None else "points", blocks_of(100 * (won - above)))
    low, high = (100 * (end - above) for end in ends_of_share(found.value / 100 + above, len(won)))
    return found._replace(low=min(low, found.value), high=max(high, found.value))


def ordinal(place: int) -> str:
    """Return a place in the order of turns in words, such as "first" for 0."""
    return ORDINALS[place] if place < len(ORDINALS) else f"in place {place + 1}"
