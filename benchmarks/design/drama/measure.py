"""The part `drama` of the designer's report: suspense, runaway leaders, waiting and kingmaking.

An agent plays itself, and every game is looked at after each turn (games.py). Chances to win come from the
network that plays the variant, or from a regression on the open numbers (chances.py).
"""

from contextlib import closing
from typing import Any

import numpy as np

from stardeck.agents.identity import identity_of
from stardeck.benchmarks.arena.executors import cut_ranges, executor_for
from stardeck.benchmarks.design.agent_pace import affordable
from stardeck.benchmarks.design.drama import kingmaking, numbers
from stardeck.benchmarks.design.drama.chances import FOLDS, chances
from stardeck.benchmarks.design.drama.games import Floats, Watch, WatchedSeries, first_games, joined
from stardeck.benchmarks.design.drama.intervals import (
    mean_over_games,
    no_surer_than_a_share,
    percentage,
    rarely_all,
    share,
)
from stardeck.benchmarks.design.drama.page import show
from stardeck.benchmarks.design.drama.suspense import open_numbers, suspense
from stardeck.benchmarks.design.estimates import Estimate, mean_of
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
    estimates = [*suspense(watch, found), *open_numbers(watch, names), *_lengths(watch)]
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


def _lengths(watch: Watch) -> list[Estimate]:
    """Return the lengths of games, and the time in which a player can do nothing."""
    decisions = np.maximum(watch.decisions, 1)
    found = [
        mean_over_games("turns", "turns in a game", "turns", (watch.snapshots - 1).astype(np.float64)),
        mean_over_games("decisions", "decisions in a game", "decisions", watch.decisions.astype(np.float64)),
        share("truncated", "games that the limit on turns ends", watch.truncated.astype(np.float64)),
        percentage("forced", "decisions with only one legal action", watch.forced / decisions),
        percentage(
            "wait",
            "share of all decisions in the longest wait of a player between two own decisions",
            watch.wait / decisions,
        ),
    ]
    if watch.gone.any():
        found += [
            share("eliminated", "games in which a player is out before the end",
                  np.asarray((watch.gone > 0).any(axis=1), np.float64)),
            percentage("sat_out", "share of all decisions that pass after a player is out",
                       numbers.sat_out(watch)),
            percentage("sat_out_longest", "share of all decisions that pass after the first player is out, all games",
                       watch.gone.max(axis=1) / decisions),
        ]  # fmt: skip
    return [one for one in found if one is not None]


def _kingmaking(
    asked: Asked, series: WatchedSeries, watch: Watch, chance: Floats
) -> tuple[list[Estimate], dict[str, Any]]:
    """Return how much hopeless sides decide, and what that was measured on."""
    wanted = kingmaking.affordable_positions(len(watch.snapshots))
    places = kingmaking.hopeless_turns(watch, chance, asked.seed, wanted)
    details: dict[str, Any] = {"positions": 0, "playouts": 0, "playout_agent": None}
    if not len(places.games):
        return [], details
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
    return of_kings(places, measured) if known.any() else [], details


def of_kings(places: kingmaking.Positions, measured: Floats) -> list[Estimate]:
    """Return points moved at a choice without hope, and the share of games in which these are many.

    Both are expected values of what the playouts measure (kingmaking.py) at turns that the judge holds without hope.
    Choices without effect give 0, and others at most about what they move. The intervals are those of the expected
    values.

    Args:
        places: Turns of hopeless sides.
        measured: Points, and 1, 0 or -1 for a large effect, of each: float64[positions, 2]; NaN where all is forced.
    """
    points, large = np.full(places.looked, np.nan), np.zeros(places.looked)
    points[places.games] = measured[:, 0]
    large[places.games] = np.nan_to_num(measured[:, 1])
    return [
        rarely_all(mean_of("king_points", KING_POINTS, "points", points)),
        no_surer_than_a_share(mean_of("king_large", KING_LARGE, "%", 100 * large)),
    ]


KING_POINTS = "chance to win that a random choice of a side without hope moves between the others"
KING_LARGE = f"games in which a random choice of a side without hope moves more than {kingmaking.LARGE:.0f} points"


DRAMA = PartOf("drama", "Drama", "How long are games open, and how long do players wait?", measure, show, offers)
