"""The place of a model on the ladder: win rates and Elo against agents that have played each other as well.

`stardeck league` computes ratings in the same way: the first agent has 0 Elo, and intervals come from a bootstrap over
games that share a deal. With several opponents, their own matches join the fit. So the ladder has the scale of a
league.
"""

from collections.abc import Sequence
from itertools import combinations
from pathlib import Path
from typing import Any

import numpy as np

from stardeck.benchmarks.advantage.measure import win_rate
from stardeck.benchmarks.league.matches import BOSS, Match, Plan
from stardeck.benchmarks.league.ratings import Comparisons, compare, rate
from stardeck.benchmarks.league.standings import result_of
from stardeck.benchmarks.league.tournament import league
from stardeck.game.agent import Agent
from stardeck.game.game import Game

SUMMED = (
    "calls", "retries", "tokens_in", "tokens_out", "without_usage", "seconds", "illegal", "unreadable", "rethinks",
    "fallbacks", "forced", "forfeited", "truncated",
)  # fmt: skip


def panel_matches(game: Game, agents: Sequence[Agent], games: int, seed: int, folder: Path) -> list[Comparisons]:
    """Return the matches of the opponents among themselves, numbered from 0; play those that the folder lacks.

    Args:
        game: The variant.
        agents: The opponents.
        games: Games of each match; 0: none.
        seed: Seed of the matches.
        folder: Folder of their league.
    """
    alone = len(game.variant.sides) == 1
    if not games or (len(agents) < 2 and not alone):
        return []
    league(game.variant.game, list(agents), games, seed, folder, **game.settings)
    names = [agent.name for agent in agents] + ([BOSS] if alone else [])
    plan, played = Plan(games, seed), []
    for lineup in combinations(agents, min(len(agents), len(game.variant.sides))):
        match = Match(folder, game, lineup, plan)
        played.append(result_of(match, match.join(), names, None).comparisons)
    return [comparisons for comparisons in played if comparisons is not None]


def standing(
    game: Game, model: str, opponents: Sequence[str], results: Sequence[dict[str, Any]], panel: Sequence[Comparisons],
    seed: int,
) -> dict[str, Any]:  # fmt: skip
    """Return `opponents` (a row for each match), `agents` (the ladder) and `total` of a summary.

    Args:
        game: The variant.
        model: Name of the model.
        opponents: Names of the opponents; the first has 0 Elo.
        results: Results of the games.
        panel: Matches of the opponents among themselves.
        seed: Seed of the bootstrap.
    """
    rows, matches = [], list(panel)
    alone = len(game.variant.sides) == 1
    names = [*opponents, BOSS, model] if alone else [*opponents, model]
    for number, opponent in enumerate([BOSS] if alone else opponents):
        own = [result for result in results if result["opponent"] == opponent]
        points = sum(result["points"] for result in own)
        rows.append(
            {"agent": opponent, "games": len(own), "points": points, **win_rate(points, len(own)), **_sums(own)}
        )
        if own:
            members = [len(names) - 1, len(names) - 2 if alone else number]
            matches.append(_comparisons(game, own, members))
    table = rate(matches, len(names), seed=seed)
    bounds = zip(names, table.ratings, *table.rating_intervals(), strict=True)
    ladder = [
        {"agent": name, "rating": _number(rating), "low": _number(low), "high": _number(high)}
        for name, rating, low, high in bounds
    ]
    return {"opponents": rows, "agents": ladder, "total": {"games": len(results), **_sums(results)}}


def _comparisons(game: Game, results: Sequence[dict[str, Any]], members: Sequence[int]) -> Comparisons:
    """Return the comparisons of a match. members: numbers of the model and the opponent."""
    results = sorted(results, key=lambda result: result["number"])
    places = np.array([result["places"] for result in results], np.int64)
    sides = len(game.variant.sides)
    order = np.ones_like(places)
    order[np.arange(len(results)), [result["side"] for result in results]] = 0
    whole = len(results) - len(results) % sides  # an unfinished block would pair games of different deals
    kept = slice(0, whole or len(results))
    return compare(members, places[kept], order[kept], sides)


def _sums(results: Sequence[dict[str, Any]]) -> dict[str, Any]:
    return {name: round(sum(result[name] for result in results), 3) for name in SUMMED}


def _number(value: float) -> float | None:
    return float(value) if np.isfinite(value) else None
