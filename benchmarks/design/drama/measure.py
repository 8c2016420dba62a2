"""The part `drama` of the designer's report: suspense, runaway leaders, waiting and kingmaking.

An agent plays itself, and every game is looked at after each turn (games.py). Chances to win come from the
network that plays the variant, or from a regression on the open numbers (chances.py).
"""

from contextlib import closing
from typing import Any

import numpy as np
from numpy.typing import NDArray

from stardeck.agents.identity import identity_of
from stardeck.benchmarks.arena.executors import cut_ranges, executor_for
from stardeck.benchmarks.design.agent_pace import affordable
from stardeck.benchmarks.design.drama import kingmaking, numbers
from stardeck.benchmarks.design.drama.chances import FOLDS, Chances, calibration_error, chances
from stardeck.benchmarks.design.drama.games import Floats, Watch, WatchedSeries, first_games, joined
from stardeck.benchmarks.design.drama.page import show
from stardeck.benchmarks.design.estimates import Estimate, mean_of, share_of
from stardeck.benchmarks.design.kept.arrays_by_name import KeptChunks
from stardeck.benchmarks.design.part import Asked, Measured, PartOf
from stardeck.game.game import Game

MOST_GAMES = 12_000  # shares are then exact to 0.9 points, and more games would only need more memory
FEWEST_GAMES = 4 * FOLDS
VERSION = 1  # of the arrays in the folder


def offers(game: Game) -> str:
    """Return "": every variant has turns, results and an agent that plays it."""
    return ""


def measure(asked: Asked) -> Measured:
    """Play games, look at them after every turn, and return numbers of suspense and waiting.

    Args:
        asked: What is measured; `agent` plays all seats.

    Raises:
        ValueError: The agent cannot play the variant, there are too few games, or the folder holds other games.
    """
    series = WatchedSeries(asked.game, asked.agent, asked.seed)
    games = min(affordable(series.agents[0], asked.games), MOST_GAMES)
    if games < FEWEST_GAMES:
        raise ValueError(f"games={asked.games}: drama needs at least {FEWEST_GAMES}")
    watch = _watched(asked, series, games)
    names = series.features.names
    found = chances(watch, bool(names))
    estimates = [*_suspense(watch, found, asked.seed), *_open_numbers(watch, names), *_lengths(watch)]
    details = {
        "agent": series.agents[0].name,
        "games": games,
        "chances": found.source,
        "judge": series.judge.name if series.judge else None,
        "numbers": names,
        "sides": watch.out.shape[1],
        "course": numbers.course(watch, found.of),
        "decided": numbers.spans(numbers.decided_at(watch, found.of)),
    }
    if len(asked.game.variant.sides) > 2:
        of_kings, more = _kingmaking(asked, series, watch, found.of)
        estimates += of_kings
        details |= more
    return Measured(estimates, details, [])


def _identity(asked, series):
    """Return what identifies the games of a folder."""
    game = asked.game
    return {
        "part": "drama",
        "version": VERSION,
        "variant": game.id,
        "settings": game.settings,
        "tables": game.variant.tables,
        "agent": identity_of(series.agents[0]),
        "judge": identity_of(series.judge) if series.judge else None,
        "seed": int(series.seed),
    }


def _played(asked, series, kept, items):
    """Play the items that the folder lacks."""
    executor = executor_for(asked.on, asked.workers)
    missing = kept.missing(items)
    done = items - sum(stop - start for start, stop in missing)
    with closing(executor.run(cut_ranges(executor, series, missing))) as finished:
        for _, (start, stop, arrays) in finished:
            kept.add(start, stop, arrays)
            done += stop - start
            asked.progress(done, items)
    return kept.read()


def _watched(asked, series, games) -> Watch:
    kept = KeptChunks(asked.out / "games", _identity(asked, series))
    chunks = _played(asked, series, kept, games)
    return first_games(joined([Watch(**arrays) for _, arrays in chunks]), games)


def _suspense(watch: Watch, found: Chances, seed: int) -> list[Estimate]:
    """Return the numbers that come from chances to win."""
    chance = found.of
    leader = numbers.leaders(chance)
    firm = numbers.leaders(chance, numbers.CLEAR_LEAD)
    decided = numbers.decided_at(watch, chance)
    estimates = [
        _mean("lead_changes", "lead changes in a game, by chances to win", "", numbers.lead_changes(watch, firm)),
        _share(
            "halftime_leader_loses", "the leader at half-time does not win",
            1 - numbers.result_of_leader(watch, leader, 0.5),
        ),
        _mean(
            "halftime_chance", "chance of the leader at half-time", "%",
            100 * numbers.chance_of_leader(watch, chance, 0.5),
        ),
        _mean("decided_at", "share of a game after which it is decided", "%", 100 * decided),
        _share("decided_by_halftime", "games that are decided by half-time", np.where(
            np.isnan(decided), np.nan, decided <= 0.5)),
        _share("runaway", "leads that last: the leader after a quarter is never behind again and wins",
               numbers.runaway(watch, chance)),
        _mean(
            "runaway_least", "leads that last, at least, by the chances of these leaders", "%",
            100 * numbers.least_runaway(watch, chance),
        ),
        _mean(
            "runaway_most", "leads that last, at most, by the chances of these leaders", "%",
            100 * numbers.chance_of_leader(watch, chance, 0.25),
        ),
        _share("open_late", f"games still open after {100 * numbers.LATE:.0f} % of their turns",
               numbers.open_late(watch, chance)),
        _mean("lowest_of_winner", "lowest chance that the winner had", "%",
              100 * numbers.lowest_of_winner(watch, chance)),
    ]  # fmt: skip
    error = Estimate("calibration_error", "calibration error of the chances", "points",
                     *calibration_error(watch, chance, seed))  # fmt: skip
    return [*filter(None, estimates), error]


def _mean(name, label, unit, blocks):
    """Return a mean over games, or None if no game says anything."""
    return None if np.isnan(blocks).all() else mean_of(name, label, unit, blocks)


def _share(name, label, blocks):
    """Return a share of games, or None if no game says anything."""
    return None if np.isnan(blocks).all() else share_of(name, label, blocks)


def _open_numbers(watch: Watch, names: list[str]) -> list[Estimate]:
    """Return the numbers that come from open numbers alone."""
    found = []
    for place, name in enumerate(names if watch.out.shape[1] == _sides_with_numbers(watch) else ()):
        seen = watch.seen[:, :, place].astype(np.float64)
        leader = numbers.leaders(np.where(watch.out, -np.inf, seen))
        word = name.replace("_", " ")
        found += [
            _mean(f"lead_changes_{name}", f"lead changes in a game, by {word}", "",
                  numbers.lead_changes(watch, leader)),
            _share(
                f"halftime_leader_loses_{name}", f"the leader in {word} at half-time does not win",
                1 - numbers.result_of_leader(watch, leader, 0.5),
            ),
            _mean(f"margin_{name}", f"{word} of the winner less that of the next at the end", "",
                  numbers.margins_at_end(watch, seen)),
        ]  # fmt: skip
    return [one for one in found if one is not None]


def _sides_with_numbers(watch: Watch) -> int:
    """Return the number of contenders that show numbers: an automated Boss shows none."""
    return int((watch.seen != 0).any(axis=(0, 2)).sum())


def _lengths(watch: Watch) -> list[Estimate]:
    """Return the lengths of games, and the time in which a player can do nothing."""
    decisions = np.maximum(watch.decisions, 1)
    found = [
        _mean("turns", "turns in a game", "turns", (watch.snapshots - 1).astype(np.float64)),
        _mean("decisions", "decisions in a game", "decisions", watch.decisions.astype(np.float64)),
        _share("truncated", "games that the limit on turns ends", watch.truncated.astype(np.float64)),
        _mean("forced", "decisions with one legal action", "%", 100 * watch.forced / decisions),
        _mean("wait", "longest wait of a seat, of all decisions of the game", "%", 100 * watch.wait / decisions),
    ]
    if watch.gone.any():
        found += [
            _share("eliminated", "games in which a seat is out before the end",
                   (watch.gone > 0).any(axis=1).astype(np.float64)),
            _mean("sat_out", "share of the game that an eliminated seat sits out", "%", 100 * numbers.sat_out(watch)),
            _mean(
                "sat_out_longest", "the same for the seat that is out first, over all games", "%",
                100 * watch.gone.max(axis=1) / decisions,
            ),
        ]  # fmt: skip
    return [one for one in found if one is not None]


def _kingmaking(
    asked: Asked, series: WatchedSeries, watch: Watch, chance: Floats
) -> tuple[list[Estimate], dict[str, Any]]:
    """Return how much hopeless sides decide, and what that was measured on."""
    wanted = kingmaking.affordable_positions(len(watch.snapshots))
    places = kingmaking.hopeless_turns(watch, chance, asked.seed, wanted)
    there = np.zeros(len(watch.snapshots))
    there[watch.game[kingmaking.hopeless_rows(watch, chance)]] = 1
    estimates = [share_of("hopeless", "games in which a side acts without hope", there)]
    details: dict[str, Any] = {"positions": 0, "playouts": 0, "playout_agent": None}
    if not len(places.games):
        return estimates, details
    kings = kingmaking.KingmakingSeries(asked.game, series.agents[0], asked.seed, places)
    identity = _identity(asked, series) | {
        "positions": [places.games.tolist(), places.turns.tolist()], "half": kings.half,
        "follower": identity_of(kings.follower),
    }  # fmt: skip
    kept = KeptChunks(asked.out / f"kingmaking-{len(watch.snapshots)}", identity)
    chunks = _played(asked, kings, kept, len(places.games))
    measured = np.concatenate([arrays["measured"] for _, arrays in chunks])[: len(places.games)]
    known = ~np.isnan(measured[:, 0])
    details |= {"positions": int(known.sum()), "playouts": 4 * kings.half, "playout_agent": kings.follower.name}
    if known.any():
        estimates += _of_kings(places, measured)
    return estimates, details


def _of_kings(places: kingmaking.Positions, measured: NDArray[np.float64]) -> list[Estimate]:
    """Return points moved at a hopeless decision, and the share of games in which these are many."""
    points, large = np.full(places.looked, np.nan), np.zeros(places.looked)
    points[places.games] = measured[:, 0]
    large[places.games] = np.nan_to_num(measured[:, 1])
    return [
        mean_of("king_points", "points that a hopeless side's choice moves between the others", "points", points),
        mean_of("king_large", "games in which such a choice moves more than 10 points", "%", 100 * large),
    ]


DRAMA = PartOf("drama", "Drama", "How long are games open, and how long do players wait?", measure, show, offers)
