"""Numbers of suspense: leads, when games are decided, and what early leads are worth.

Each number that needs chances to win is the mean of what a judge sees in such games. A network is the judge as it is.
Where chances are fitted to the games, the judge is one that is fitted to this many games.
"""

from collections.abc import Callable

import numpy as np

from stardeck.benchmarks.design.drama import kingmaking, numbers
from stardeck.benchmarks.design.drama.chances import (
    Chances,
    Fits,
    calibration_error,
    chances_drawn,
    games_at_once,
)
from stardeck.benchmarks.design.drama.games import Floats, Watch, games_between
from stardeck.benchmarks.design.drama.intervals import count, mean_over_games, percentage, refitted, share
from stardeck.benchmarks.design.estimates import Estimate

OF_CHANCES: dict[str, tuple[Callable[[str, str, Floats], Estimate | None], str]] = {
    "lead_changes": (count, "lead changes in a game, by chances to win"),
    "halftime_leader_loses": (share, "the leader at half-time does not win"),
    "halftime_chance": (percentage, "chance to win of the leader at half-time"),
    "decided_at": (percentage, "share of the turns after which the winner's chance stays above 90 %"),
    "decided_by_halftime": (share, "games that are decided by half-time: the winner's chance stays above 90 %"),
    "runaway": (share, "early leads that last: the leader after a quarter of the turns is never behind and wins"),
    "runaway_least": (percentage, "early leads that last: the fewest to expect from leads as large as these"),
    "runaway_most": (percentage, "early leads that last: the most to expect from leads as large as these"),
    "open_late": (share, f"games still open after {100 * numbers.LATE:.0f} % of their turns: the later winner's "
                  f"chance is below {100 * numbers.OPEN_END:.0f} %"),
    "lowest_of_winner": (percentage, "lowest chance to win that the later winner had"),
    "hopeless": (share, "games in which a side takes a turn with less than "
                 f"{100 * kingmaking.HOPELESS:.0f} % chance to win"),
}  # fmt: skip


def seen_by(watch: Watch, chance: Floats) -> dict[str, Floats]:
    """Return the numbers of each game that need chances to win, by name: float64[games] each, shares from 0 to 1.

    Args:
        watch: The games.
        chance: float64[all, contenders].
    """
    leader, decided = numbers.leaders(chance), numbers.decided_at(watch, chance)
    half, hopeless = numbers.snapshot_at(watch, 0.5), np.full(len(watch.snapshots), np.nan)
    if watch.out.shape[1] > 2:  # a side without hope chooses among the others
        hopeless[:] = 0
        hopeless[watch.game[kingmaking.hopeless_rows(watch, chance)]] = 1
    return {
        "lead_changes": numbers.lead_changes(watch, numbers.leaders(chance, numbers.CLEAR_LEAD)),
        "halftime_leader_loses": 1 - numbers.result_of_leader(watch, leader, half),
        "halftime_chance": numbers.chance_of_leader(watch, chance, 0.5),
        "decided_at": decided,
        "decided_by_halftime": np.where(np.isnan(decided), np.nan, decided <= 0.5),
        "runaway": numbers.runaway(watch, chance),
        "runaway_least": numbers.least_runaway(watch, chance),
        "runaway_most": numbers.chance_of_leader(watch, chance, 0.25),
        "open_late": numbers.open_late(watch, chance),
        "lowest_of_winner": numbers.lowest_of_winner(watch, chance),
        "hopeless": hopeless,
    }


def suspense(watch: Watch, found: Chances) -> list[Estimate]:
    """Return the numbers that come from chances to win.

    Each is the mean of what a judge sees in such games. Where the chances are fitted, the judge is one that is fitted
    to this many games, and the interval allows for another fit.

    Args:
        watch: The games.
        found: Chances at every snapshot.
    """
    by_game = seen_by(watch, found.of)
    drawn = {} if found.fits is None else means_drawn(watch, found.fits)
    estimates = []
    for name, (kind, label) in OF_CHANCES.items():
        plain = kind(name, label, by_game[name])
        estimates.append(refitted(plain, drawn[name], kind is share) if plain and drawn else plain)
    label = "typical distance between a chance to win and how often it comes true"
    error = Estimate("calibration_error", label, "points", *calibration_error(watch, found.of))
    return [*(one for one in estimates if one), error]


def means_drawn(watch: Watch, fits: Fits) -> dict[str, Floats]:
    """Return the means of `seen_by` in each draw of the bootstrap, by the fits to it: float64[draws] by name.

    Args:
        watch: The games.
        fits: Fits to the draws.
    """
    sums, known = ({name: np.zeros(len(fits.drawn)) for name in OF_CHANCES} for _ in range(2))
    step = games_at_once(watch, fits)
    for first in range(0, len(watch.snapshots), step):
        last = min(first + step, len(watch.snapshots))
        some = games_between(watch, first, last)
        for draw, chance in enumerate(chances_drawn(watch, fits, first, last)):
            weights = fits.weights[draw, first:last]
            for name, values in seen_by(some, chance).items():
                sums[name][draw] += weights @ np.nan_to_num(values)
                known[name][draw] += weights @ ~np.isnan(values)
    return {name: sums[name] / np.where(known[name] > 0, known[name], np.nan) for name in OF_CHANCES}


def open_numbers(watch: Watch, names: list[str]) -> list[Estimate]:
    """Return the numbers that come from open numbers alone. All depend on what a side begins with.

    Args:
        watch: The games.
        names: Names of the open numbers.
    """
    found = []
    even = numbers.even_moments(watch)
    half, ends = numbers.even_at(watch, even, 0.5), np.zeros(len(even), bool)
    ends[watch.ends] = True
    for place, name in enumerate(names if watch.out.shape[1] == _sides_with_numbers(watch) else ()):
        seen = watch.seen[:, :, place].astype(np.float64)
        leader = numbers.leaders(np.where(watch.out, -np.inf, seen))
        counted = np.where(even | ends, leader, numbers.NOBODY)
        word = name.replace("_", " ")
        found += [
            count(f"lead_changes_{name}", f"lead changes in a game, by {word} after equally many turns",
                  numbers.lead_changes(watch, counted)),
            share(
                f"halftime_leader_loses_{name}",
                f"the leader in {word} at half-time, after equally many turns, does not win",
                1 - numbers.result_of_leader(watch, leader, half),
            ),
            mean_over_games(f"margin_{name}", f"lead of the winner over the next side at the end, in {word}", "",
                            numbers.margins_at_end(watch, seen), -np.inf),
        ]  # fmt: skip
    return [one for one in found if one is not None]


def _sides_with_numbers(watch: Watch) -> int:
    """Return the number of contenders that show numbers: an automated Boss shows none."""
    return int((watch.seen != 0).any(axis=(0, 2)).sum())
