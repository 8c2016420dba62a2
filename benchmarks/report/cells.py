"""Columns that a table of a report can have, by kind of measurement: each is (heading, function that gives the words).

A cell puts one figure of a measurement's summary into words.
"""

from collections.abc import Callable
from typing import Any

Summary = dict[str, Any]
Words = Callable[[Summary], str]


def _interval(low, high, form=".2f"):
    return f"[{low:{form}}, {high:{form}}]"


def _fair_share(summary):
    return 100 / len(summary["teams"])


def _first(summary, key):
    return summary["first_advantage"][key]


def wins(summary: Summary) -> str:
    """Return the win rate of the side that moves first; where all players are one side, their win rate."""
    if _first(summary, "points") is None:
        (team,) = summary["teams"]
        return f"{100 * team['win_rate']:.2f} % {_interval(100 * team['low'], 100 * team['high'])}"
    share = _fair_share(summary)
    low, high = (share + _first(summary, key) for key in ("low", "high"))
    return f"{share + _first(summary, 'points'):.2f} % {_interval(low, high)}"


def who(summary: Summary) -> str:
    """Return the name of the side that moves first: a seat, a team, or the Boss of a Raid."""
    if summary["settings"].get("format") == "raid":
        return "the Boss"
    return "first team" if any(len(team["seats"]) > 1 for team in summary["teams"]) else "first seat"


def points(summary: Summary) -> str:
    """Return the first-player advantage in points: the win rate of the side that moves first, less its fair share."""
    return "" if _first(summary, "points") is None else f"{_first(summary, 'points'):+.2f}"


def worth_of_first(summary: Summary) -> str:
    """Return the first-player advantage in points and, for two sides, in Elo."""
    elo = _first(summary, "elo")
    return f"{points(summary)} points" + ("" if elo is None else f", {elo:+.0f} Elo")


def points_known(summary: Summary) -> str:
    """Return the first-player advantage in points, with its interval."""
    return f"{points(summary)} {_interval(_first(summary, 'low'), _first(summary, 'high'), '+.2f')}"


def wins_and_points(summary: Summary) -> str:
    """Return the win rate and the advantage of the side that moves first."""
    return f"{wins(summary)}, {points(summary)}"


def turns(summary: Summary) -> str:
    """Return the mean length of games in turns."""
    return f"{summary['turns']['mean']:.1f}"


def games(summary: Summary) -> str:
    """Return the number of games."""
    return f"{summary['games']:,}"


def by_seat(summary: Summary) -> str:
    """Return the win rate of each seat."""
    return ", ".join(f"{100 * seat['win_rate']:.2f}" for seat in summary["seats"]) + " %"


def fair_at(summary: Summary) -> str:
    """Return the values of the parameters at the fair point."""
    if not summary["found"]:
        return f"not found: {summary['why']}"
    values = (f"{row['value']:.2f} {_interval(row['low'], row['high'])}" for row in summary["answer"])
    return "; ".join(values)


def parameters(summary: Summary) -> str:
    """Return the parameters of a search."""
    return ", ".join(f"`{name}`" for name in summary["knobs"])


def mixture(summary: Summary) -> str:
    """Return the settings of the mixture, each with its percentage of the games."""
    parts = []
    for part in summary["mixture"]:
        values = " and ".join(str(value).lower() for value in part["knobs"].values())
        parts.append(f"{values} in {100 * part['part']:.0f} %")
    return ", ".join(parts)


def ratings(summary: Summary) -> str:
    """Return the Elo ratings of the agents of a league, the best first."""
    ranked = sorted(summary["agents"], key=lambda agent: -agent["rating"])
    return ", ".join(f"{agent['agent']} {agent['rating']:+.0f}" for agent in ranked)


def best_options(summary: Summary) -> str:
    """Return the ten most valuable options in the first stage."""
    stage = summary["stages"][0]
    rows = [row for row in summary["cards"] if row["stage"] == stage]
    ranked = sorted(rows, key=lambda row: -row["points"]["value"])[:10]
    return ", ".join(f"{row['card']} {_about(row['points'])}" for row in ranked) or "too few games"


def _about(measured):
    return f"{measured['value']:+.1f} ± {measured['high'] - measured['value']:.1f}"


CELLS: dict[str, dict[str, tuple[str, Words]]] = {
    "advantage": {
        "wins": ("first player wins", wins),
        "who": ("first player", who),
        "points": ("points", points),
        "turns": ("turns, mean", turns),
        "first": ("moving first is worth", worth_of_first),
        "interval": ("points above the fair share", points_known),
        "wins_and_points": ("first player wins, points", wins_and_points),
        "games": ("games", games),
        "seats": ("wins, seat by seat", by_seat),
    },
    "fair": {
        "knobs": ("parameter", parameters),
        "fair_at": ("fair at", fair_at),
        "mixture": ("mixture", mixture),
        "games": ("games", games),
    },
    "league": {"ratings": ("Elo", ratings), "games": ("games", games)},
    "worth": {"best": ("worth most, in win points", best_options), "games": ("games", games)},
}
