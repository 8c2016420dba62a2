"""Numbers of suspense for each game: who is ahead when, when a game is decided, and how long seats wait.

Each function returns a number for each game, float64[games], NaN where a game says nothing. Snapshots lie game after
game, as in `Watch` (games.py). A side leads where its number is higher than that of every other side.

Open numbers such as authority favour the side that has just moved. They are compared at even moments only, at which
all sides have had equally many turns. Chances to win already allow for who moves next.
"""

import numpy as np
from numpy.typing import NDArray

from stardeck.benchmarks.design.drama.games import Floats, Watch

NOBODY = -1
CLEAR_LEAD = 0.05  # of the chance to win: smaller leads change nothing, since estimates waver
DECIDED = 0.9  # chance of the winner
OPEN_END = 0.75  # a game is still open while its later winner has a lower chance than this
LATE = 0.8  # share of a game after which its end begins
GRID = 21  # places along a game in pictures
BAND = (0.1, 0.9)  # quantiles of pictures
SPANS = 10  # of the histogram


def leaders(numbers: Floats, margin: float = 0.0) -> NDArray[np.int64]:
    """Return the contender that leads by more than a margin, or NOBODY: int64[all].

    Args:
        numbers: Number of each contender: float64[all, contenders].
        margin: Lead over the second that counts.
    """
    best = np.zeros(len(numbers), np.int64)
    first, second = numbers[:, 0], np.full(len(numbers), -np.inf)
    for contender, own in enumerate(numbers.T[1:], start=1):  # a sort of rows as short as these takes ten times longer
        best = np.where(own > first, contender, best)
        second = np.maximum(second, np.minimum(first, own))
        first = np.maximum(first, own)
    return np.where(first - second > margin, best, NOBODY)


def lead_changes(watch: Watch, leader: NDArray[np.int64]) -> Floats:
    """Return how often another side takes the lead; a tie in between changes nothing.

    Args:
        watch: The games.
        leader: Leader at each snapshot, as `leaders` returns it.
    """
    there = np.flatnonzero(leader != NOBODY)
    game, who = watch.game[there], leader[there]
    changed = (game[1:] == game[:-1]) & (who[1:] != who[:-1])
    return np.bincount(game[1:][changed], minlength=len(watch.snapshots)).astype(np.float64)


def snapshot_at(watch: Watch, share: float) -> NDArray[np.int64]:
    """Return the snapshot after a share of each game's turns, rounded down: int64[games]."""
    return watch.starts + (share * (watch.snapshots - 1) + 1e-9).astype(np.int64)


def turns_had(watch: Watch) -> NDArray[np.int64]:
    """Return the number of turns that each contender had before each snapshot: int64[all, contenders]."""
    moves = watch.mover[:, None] == np.arange(watch.out.shape[1])
    before = moves.cumsum(axis=0) - moves
    return before - before[watch.starts][watch.game]


def even_moments(watch: Watch) -> NDArray[np.bool_]:
    """Return the snapshots at which all sides have had equally many turns: bool[all].

    Sides that are out do not count. Where turns are skipped or added, the snapshots of a round are even at which the
    numbers of turns differ least.
    """
    had, sides = turns_had(watch), watch.out.shape[1]
    most = np.where(watch.out, -1, had).max(axis=1)
    apart = most - np.where(watch.out, most[:, None], had).min(axis=1)
    place = np.arange(len(apart)) - watch.starts[watch.game]
    least = apart.copy()
    for back in range(1, sides):
        there = place >= back
        least[there] = np.minimum(least, np.roll(apart, back))[there]
    return apart == least


def even_at(watch: Watch, even: NDArray[np.bool_], share: float) -> NDArray[np.int64]:
    """Return the last even snapshot up to a share of each game's turns: int64[games].

    Args:
        watch: The games.
        even: Snapshots at which all sides have had equally many turns: bool[all].
        share: Share of the turns.
    """
    last = np.maximum.accumulate(np.where(even, np.arange(len(even)), 0))
    return last[snapshot_at(watch, share)]


def result_of_leader(watch: Watch, leader: NDArray[np.int64], at: NDArray[np.int64]) -> Floats:
    """Return the result of the side that leads at a snapshot of each game; NaN where nobody leads.

    Args:
        watch: The games.
        leader: Leader at each snapshot, as `leaders` returns it.
        at: A snapshot of each game: int64[games].
    """
    who = leader[at]
    return np.where(who == NOBODY, np.nan, watch.result[np.arange(len(who)), who])


def chance_of_leader(watch: Watch, chance: Floats, share: float) -> Floats:
    """Return the chance of the side that leads after a share of each game; NaN where nobody leads."""
    at = snapshot_at(watch, share)
    return np.where(leaders(chance)[at] == NOBODY, np.nan, chance[at].max(axis=1))


def winners(watch: Watch) -> NDArray[np.int64]:
    """Return the contender that wins each game, or NOBODY: int64[games]."""
    return np.where((watch.result == 1).any(axis=1), watch.result.argmax(axis=1), NOBODY)


def winners_chance(watch: Watch, chance: Floats) -> Floats:
    """Return the chance of the later winner at each snapshot: float64[all]; NaN in games without one."""
    who = winners(watch)[watch.game]
    return np.where(who == NOBODY, np.nan, chance[np.arange(len(chance)), who])


def decided_at(watch: Watch, chance: Floats) -> Floats:
    """Return the share of each game after which the winner's chance stays above DECIDED."""
    of_winner = winners_chance(watch, chance)
    place = np.arange(len(chance)) - watch.starts[watch.game]
    open_still = np.where(of_winner > DECIDED, -1, place)
    last = np.maximum.reduceat(open_still, watch.starts)
    turns = np.maximum(watch.snapshots - 1, 1)
    return np.where(winners(watch) == NOBODY, np.nan, np.minimum((last + 1) / turns, 1.0))


def lowest_of_winner(watch: Watch, chance: Floats) -> Floats:
    """Return the lowest chance that the later winner had at any snapshot."""
    return np.minimum.reduceat(winners_chance(watch, chance), watch.starts)


def open_late(watch: Watch, chance: Floats) -> Floats:
    """Return 1 for games that are still open when LATE of their turns are over, else 0."""
    at = snapshot_at(watch, LATE)
    of_winner = winners_chance(watch, chance)[at]
    return np.where(np.isnan(of_winner), np.nan, of_winner < OPEN_END)


def runaway(watch: Watch, chance: Floats, share: float = 0.25) -> Floats:
    """Return 1 for games in which the side that leads after a share of the game is never behind again and wins."""
    at = snapshot_at(watch, share)
    who = leaders(chance)[at]
    row = np.arange(len(chance))
    of_leader = chance[row, np.maximum(who, 0)[watch.game]]
    behind = (of_leader < chance.max(axis=1)) & (row >= at[watch.game])
    never = np.add.reduceat(behind, watch.starts) == 0
    won = watch.result[np.arange(len(who)), np.maximum(who, 0)] == 1
    return np.where(who == NOBODY, np.nan, never & won)


def least_runaway(watch: Watch, chance: Floats, share: float = 0.25) -> Floats:
    """Return the least chance that a fair game gives the leader of never being behind again.

    The leader has the chance a, the second side b. If chances moved in small steps, and those of others did not move,
    both would meet at (a + b) / 2, and the leader would never meet the second with the chance (a - b) / (2 - a - b):
    2a - 1 for two sides. Large steps jump over the meeting point, which makes such games more frequent, up to a.
    """
    at = snapshot_at(watch, share)
    second, first = np.sort(chance[at], axis=1)[:, -2:].T
    expected = np.where(first < 1, (first - second) / np.maximum(2 - first - second, 1e-9), 1.0)
    return np.where(leaders(chance)[at] == NOBODY, np.nan, expected)


def margins_at_end(watch: Watch, numbers: Floats) -> Floats:
    """Return the distance between winner and best loser at the end.

    Args:
        watch: The games.
        numbers: An open number of each contender: float64[all, contenders].
    """
    at_end, who = numbers[watch.ends], winners(watch)
    rows = np.arange(len(who))
    others = at_end.copy()
    others[rows, who] = -np.inf
    return np.where(who == NOBODY, np.nan, at_end[rows, who] - others.max(axis=1))


def sat_out(watch: Watch) -> Floats:
    """Return the share of each game's decisions that passed after the elimination of a seat, as a mean over seats
    that went out before the end; NaN where none did."""
    gone = watch.gone.astype(np.float64)
    count = (gone > 0).sum(axis=1)
    share = gone.sum(axis=1) / np.maximum(watch.decisions, 1)
    return np.where(count > 0, share / np.maximum(count, 1), np.nan)


def course(watch: Watch, chance: Floats) -> dict[str, list[list[float]]]:
    """Return mean and quantile band of the chances of winner and losers along the game, for a picture.

    Returns:
        Lists of GRID rows (mean, lower, upper) in per cent, under "winner" and "losers".
    """
    found: dict[str, list[list[float]]] = {"winner": [], "losers": []}
    won = winners(watch)
    known = np.flatnonzero(won != NOBODY)
    for share in np.linspace(0, 1, GRID):
        at = chance[snapshot_at(watch, float(share))][known]
        mine = at[np.arange(len(known)), won[known]]
        others = at[np.arange(at.shape[1]) != won[known][:, None]]
        for name, values in (("winner", mine), ("losers", others)):
            if len(values):
                found[name].append([100 * float(x) for x in (values.mean(), *np.quantile(values, BAND))])
    return found


def spans(shares: Floats) -> list[float]:
    """Return the percentage of games in each of SPANS equal spans of the game: float[SPANS]."""
    known = shares[~np.isnan(shares)]
    counts, _ = np.histogram(known, SPANS, (0, 1))
    return [100 * float(count) / max(len(known), 1) for count in counts]
