"""Standings of a league: ratings, win rates and the cross table."""

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np

from stardeck.benchmarks.league.matches import Match
from stardeck.benchmarks.league.meta_game import evaluate
from stardeck.benchmarks.league.ratings import Comparisons, compare, rate
from stardeck.benchmarks.league.sprt import Sprt, llr
from stardeck.benchmarks.league.transitivity import transitivity
from stardeck.benchmarks.results.arrow import pa

FEWEST = 3  # agents whose results need not be transitive
NASH = ("weight", "weight_low", "weight_high", "score", "low", "high")


class Result(NamedTuple):
    """The result of a match of a league. Its players are numbered as in `Match.names`."""

    names: list[str]
    games: int
    comparisons: Comparisons | None
    played: np.ndarray  # int64[players]: sides played
    won: np.ndarray  # float64[players]: of these; a draw or truncation counts 1/n to each of n sides
    pairs: np.ndarray | None  # int64[5]: for the test of the first agent as listed


def result_of(match: Match, table: pa.Table, names: list[str], test: Sprt | None) -> Result:
    """Return the result of a match.

    Args:
        match: Match of the league.
        table: Its games.
        names: Names of all players of the league.
        test: Sequential test, or None.
    """
    if not len(table):
        nobody = np.zeros(len(match.names))
        return Result(match.names, 0, None, nobody.astype(int), nobody, None)
    places, order = match.sides(table)
    first = places == 1
    alone = (first.sum(axis=1) == 1)[:, None]
    shares = np.where(alone, first, 1 / places.shape[1])
    members = [names.index(name) for name in match.names]
    return Result(
        match.names,
        len(table),
        compare(members, places, order, match.series.block),
        np.bincount(order.ravel(), minlength=len(members)),
        np.bincount(order.ravel(), shares.ravel(), len(members)),
        match.pairs(table) if test else None,
    )


def standings(names: list[str], results: Sequence[Result], test: Sprt | None, seed: int) -> dict:
    """Return `agents`, `cross_table` and `transitivity` of the summary of a league.

    Args:
        names: Names of all players of the league.
        results: Results of its matches.
        test: Sequential test, or None.
        seed: Seed of the bootstrap.
    """
    played = [result.comparisons for result in results if result.comparisons is not None]
    table = rate(played, len(names), seed=seed)
    rows, cross_table = _agents(names, results, table), _cross_table(names, results, table, test)
    duels = all(len(result.names) == 2 for result in results)
    if not duels or len(names) < FEWEST or len(cross_table) < len(names) * (len(names) - 1) // 2:
        without = {"nash": None, "alpha_rank": None}
        return {"agents": [row | without for row in rows], "cross_table": cross_table, "transitivity": None}
    evaluated = _evaluated(table, seed)
    rows = [row | more for row, more in zip(rows, evaluated, strict=True)]
    return {"agents": rows, "cross_table": cross_table, "transitivity": _transitivity(names, table)}


def _evaluated(table, seed):
    """Return `nash` and `alpha_rank` of each agent."""
    weights, scores, masses = (values.T.tolist() for values in evaluate(table, seed))
    return [
        {
            "nash": dict(zip(NASH, (*weight, *score), strict=True)),
            "alpha_rank": dict(zip(("mass", "low", "high"), mass, strict=True)),
        }
        for weight, score, mass in zip(weights, scores, masses, strict=True)
    ]


def _transitivity(names, table):
    found = transitivity(table)
    one, other = np.unravel_index(found.residuals.argmax(), found.residuals.shape)
    score = float(table.scores()[0, one, other])
    return {
        "elo_explains": found.elo_explains,
        "p": found.p,
        "chi2": found.chi2,
        "freedom": found.freedom,
        "cyclic": dict(zip(("share", "low", "high"), found.cyclic, strict=True)),
        "worst": {
            "agents": [names[one], names[other]],
            "score": score,
            "score_by_elo": score - float(found.residuals[one, other]),
        },
    }


def _agents(names, results, table):
    rows = []
    for name, rating, low, high in zip(names, table.ratings, *table.rating_intervals(), strict=True):
        own = [(result, result.names.index(name)) for result in results if name in result.names]
        games = sum(int(result.played[number]) for result, number in own)
        won = sum(float(result.won[number]) for result, number in own)
        figures = {"rating": _number(rating), "low": _number(low), "high": _number(high)}
        rows.append({"agent": name, "games": games, **figures, "win_rate": won / games if games else None})
    return rows


def _cross_table(names, results, table, test):
    scores, lows, highs = table.scores()
    rows = []
    for one, other in zip(*np.triu_indices(len(names), 1), strict=True):
        met = table.points[one, other] + table.points[other, one]
        if not met:
            continue
        row = {"agents": [names[one], names[other]], "games": int(met), "points": float(table.points[one, other])}
        row |= {"score": float(scores[one, other]), "low": float(lows[one, other]), "high": float(highs[one, other])}
        rows.append(row | _tested(test, results, row["agents"]))
    return rows


def _tested(test, results, agents):
    if test is None:
        return {"llr": None, "sprt": None}
    (pairs,) = (result.pairs for result in results if set(result.names) == set(agents))
    return {"llr": llr(pairs, test.low, test.high), "sprt": test.verdict(pairs)}


def _number(value):
    return float(value) if np.isfinite(value) else None
