"""Measurements of first-player advantage: win rates by seat and agent over many games, with their intervals.

A win rate is a fraction; a draw or truncation counts 1/n to each of n sides. Intervals are Wilson's at 95 %.
"""

import json
import math
import time
from collections.abc import Sequence
from pathlib import Path
from statistics import NormalDist
from typing import Any, Unpack, overload

import numpy as np

from stardeck.agents.identity import check_names, identity_of
from stardeck.benchmarks.advantage.aggregates import Tally
from stardeck.benchmarks.arena.device_player import require_gpu
from stardeck.benchmarks.arena.executors import executor_for
from stardeck.benchmarks.arena.options import MeasureOptions, measure_options, silent
from stardeck.benchmarks.arena.series import Chunk, Series, SeriesOptions
from stardeck.benchmarks.results.arrow import pa
from stardeck.benchmarks.results.artifacts import SeriesStore, check_collect, recordings_for, write_cards
from stardeck.benchmarks.results.atomic_files import write_whole
from stardeck.benchmarks.results.filesystems import Place, place
from stardeck.benchmarks.results.folder_lock import only_writer
from stardeck.benchmarks.results.provenance import origin
from stardeck.benchmarks.results.store import last_speed, last_summary, metadata_of, table_of
from stardeck.game.agent import AgentLike
from stardeck.game.game import Game
from stardeck.kernels.errors import number_from


@overload
def advantage(
    game: str, agents: AgentLike | Sequence[AgentLike] = "rules", games: int = 10_000, seed: int = 0,
    out: str | Path | None = None, **options: Unpack[MeasureOptions],
) -> dict[str, Any]: ...  # fmt: skip
@overload
def advantage(
    game: str, agents: AgentLike | Sequence[AgentLike] = "rules", games: int = 10_000, seed: int = 0,
    out: str | Path | None = None, **options: Any,
) -> dict[str, Any]: ...  # fmt: skip
def advantage(
    game: str, agents: AgentLike | Sequence[AgentLike] = "rules", games: int = 10_000, seed: int = 0,
    out: str | Path | None = None, **options: Any,
) -> dict[str, Any]:  # fmt: skip
    """Play games and measure how often each seat and each agent wins.

    Args:
        game: Name of the game.
        agents: One agent, for a mirror match, or a list, whose agents take turns on the seats.
        games: Number of games.
        seed: Seed of all chance.
        out: Folder, or its URL, for `games.parquet`, `summary.json` and `advantage.png`. An interrupted measurement
            continues there, and a finished one is extended. None stores nothing.
        **options: Options of `MeasureOptions`, and settings of the game.

    Returns:
        The summary.

    Raises:
        ValueError: An option, a setting or an agent is invalid, or the folder holds other results.
        KeyboardInterrupt: The measurement was stopped. The folder holds all finished chunks.
    """
    chosen, settings = measure_options("advantage", game, options, MeasureOptions.__optional_keys__)
    listed: list[Any] = list(agents) if isinstance(agents, list | tuple) else [agents]
    collected = check_collect(chosen["collect"])
    actions, events = recordings_for(collected)
    played = Game.named(game, settings)
    how: SeriesOptions = {"honest": chosen["honest"], "device": chosen["device"]}
    series = Series(played, listed, seed, record_actions=actions, record_events=events, **how)
    check_names(series.agents)
    if collected and out is None:
        raise ValueError(f"collect={collected[0]}: needs a folder (out) to be kept in")
    games = number_from(games, "games", 1)
    executor, progress = executor_for(chosen["on"], chosen["workers"]), chosen["progress"] or silent
    require_gpu(series.device, executor.away)
    if out is None:
        return _measure(series, games, executor, progress)
    with only_writer(out):
        return _measure_into(place(out), series, games, executor, progress, collected, chosen["picture"])


def _measure(series, games, executor, progress):
    executor.warm_up(series)
    began = time.perf_counter()
    tally = Tally(series)
    for chunk in series.run([(0, games)], on=executor):
        tally.add(table_of(chunk, series.names))
        progress(tally.games, games)
    return summary_of(series, tally, games / (time.perf_counter() - began)) | {"origin": origin()}


def _measure_into(folder, series, games, executor, progress, collected, picture):
    made = origin()
    stored = SeriesStore(folder, series, identity(series), made)
    if stored.longest > games:
        raise ValueError(f"games={games}: {folder} already holds {stored.longest} games; ask for at least as many")
    missing = stored.missing(games)
    done = games - sum(stop - start for start, stop in missing)
    if missing:
        executor.warm_up(series)
    progress(done, games)
    began = time.perf_counter()
    played = 0
    series.chunk_writer = stored.writer() if executor.away and isinstance(folder, Place) else None
    try:
        for chunk in series.run(missing, on=executor):
            played += _store_chunk(stored, chunk)
            progress(done + played, games)
    finally:
        path = folder / "summary.json"
        speed = played / (time.perf_counter() - began) if played else last_speed(path)
        tally = Tally(series)
        for table in stored.joined():
            tally.add(table)
        if "cards" in collected:
            moves = folder / "moves.parquet"
            write_cards(series.game, series.names, moves, folder / "cards.parquet", metadata_of(moves))
        summary = summary_of(series, tally, speed) | {
            "origin": made if played else last_summary(path).get("origin", made)
        }
        if tally.games:
            write_whole(path, json.dumps(summary, indent=2) + "\n")
            if picture:
                _draw(folder, summary, tally)
    return summary


def _store_chunk(stored, chunk):
    """Store a chunk, unless that was done where it was played; return its number of games."""
    if not isinstance(chunk, Chunk):
        stored.register(*chunk)
        return chunk[1] - chunk[0]
    return len(stored.add(chunk))


def identity(series: Series) -> dict[str, Any]:
    """Return the identity of a series; series of equal identity have equal rows."""
    return {
        "variant": series.game.id,
        "settings": series.game.settings,
        "tables": series.game.variant.tables,
        "agents": [identity_of(agent) for agent in series.agents],
        "seed": int(series.seed),
    }


def _draw(folder, summary, tally):
    from stardeck.benchmarks import plots

    plots.save(plots.advantage(summary, tally.turns), folder / "advantage.png")


def win_rate(points: float, games: int) -> dict[str, float | None]:
    """Return a win rate with its interval; all None without games.

    Args:
        points: Points in all games, at most one a game.
        games: Number of games.
    """
    if not games:
        return {"win_rate": None, "low": None, "high": None}
    low, high = wilson(float(points / games), int(games))
    return {"win_rate": float(points / games), "low": low, "high": high}


def wilson(rate: float, games: int) -> tuple[float, float]:
    """Return Wilson's score interval at 95 %. Libraries that have it take longer to import than this takes to run.

    Args:
        rate: Share of wins, from 0 to 1.
        games: Number of games.
    """
    z2 = NormalDist().inv_cdf(0.975) ** 2
    middle = (rate + z2 / (2 * games)) / (1 + z2 / games)
    half = math.sqrt(z2 * (rate * (1 - rate) / games + z2 / (4 * games**2))) / (1 + z2 / games)
    return max(middle - half, 0.0), min(middle + half, 1.0)


def summarize(series: Series, table: "pa.Table", games_per_second: float | None) -> dict[str, Any]:
    """Return the summary of a table of games.

    Args:
        series: Series of the games.
        table: Rows of the games.
        games_per_second: Measured speed, or None.
    """
    tally = Tally(series)
    tally.add(table)
    return summary_of(series, tally, games_per_second)


def summary_of(series: Series, tally: Tally, games_per_second: float | None) -> dict[str, Any]:
    """Return the summary of counted games.

    Args:
        series: Series of the games.
        tally: Counts over the games.
        games_per_second: Measured speed, or None.
    """
    game = series.game
    games = tally.games
    by_seat = [tally.of_seat(seat) for seat in range(game.players)]
    return {
        "variant": game.id,
        "settings": game.settings,
        "tables": game.variant.tables,
        "identities": [identity_of(agent) for agent in series.agents],
        "seed": int(series.seed),
        "games": games,
        "seats": [{"seat": seat} | win_rate(points, games) for seat, points in enumerate(by_seat)],
        "teams": [
            {"team": side, "seats": list(seats)} | win_rate(by_seat[seats[0]], games)
            for side, seats in enumerate(game.variant.sides)
        ],
        "agents": _by_agent(series, tally),
        "first_advantage": _first_advantage(series, tally.shared(tally.of_first, tally.undecided), games),
        "turns": _turns(tally),
        "decisions_mean": tally.decisions / games if games else None,
        "truncated": tally.truncated,
        "games_per_second": games_per_second,
    } | _by_scenario(game, tally)


def _by_scenario(game, tally):
    """Return the wins of each seat and of the first player by scenario of a campaign; an empty dict for other games."""
    rows = []
    counted = tally.scenarios()
    for number, (played, seats, began) in enumerate(counted):
        of_seats = [{"seat": seat} | win_rate(won, played) for seat, won in enumerate(seats)]
        name = game.variant.campaign.scenarios[number].name
        rows.append({"scenario": number + 1, "name": name, "seats": of_seats, "first": win_rate(began, played)})
    if not rows:
        return {}
    played, began = sum(row[0] for row in counted), sum(row[2] for row in counted)
    return {"scenarios": rows, "first_of_scenarios": win_rate(began, played)}


def _by_agent(series, tally):
    """Return the win rates by agent."""
    counted = tally.by_agent()
    names = dict.fromkeys(agent.name for agent in series.agents)
    return [{"agent": name, "games": counted[name][1]} | win_rate(*counted[name]) for name in names]


def _first_advantage(series, points, games):
    """Return the advantage of the side that moves first over its fair share, in percentage points and Elo."""
    sides = len(series.game.variant.sides)
    if sides == 1 or not games:
        return {"points": None, "low": None, "high": None, "elo": None}
    rate = win_rate(points, games)
    scaled = {
        key: 100 * (rate[name] - 1 / sides) for key, name in (("points", "win_rate"), ("low", "low"), ("high", "high"))
    }
    p = rate["win_rate"]
    return scaled | {"elo": 400 * math.log10(p / (1 - p)) if sides == 2 and 0 < p < 1 else None}


def _turns(tally):
    if not tally.games:
        return {"mean": None, "median": None, "p5": None, "p95": None}
    p5, median, p95 = tally.percentiles([5, 50, 95])
    mean = float(tally.turns @ np.arange(len(tally.turns))) / tally.games
    return {"mean": mean, "median": median, "p5": p5, "p95": p95}
