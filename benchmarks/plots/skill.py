"""Figure of the first-player advantage along skill: what moving first is worth, by the rating of the agents."""

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

import numpy as np

from stardeck.benchmarks.plots.source import summary_of
from stardeck.benchmarks.plots.style import BLUE, COLUMN, INK, Look, draw_reference, put_legend, shortened
from stardeck.benchmarks.results.words import variant_in_words

if TYPE_CHECKING:
    from matplotlib.figure import Figure

LOOK: dict[str, Any] = {"color": BLUE, "ecolor": INK, "elinewidth": 0.8, "capsize": 1.5}


def skill(ratings: Any, mirrors: Sequence[Any], *, width: float = COLUMN, style: Any = None) -> "Figure":
    """Draw what moving first is worth between equal agents, by their rating, with both intervals.

    Args:
        ratings: Folder of `stardeck league`, or its summary. Its agents give the x axis.
        mirrors: Folders of `stardeck advantage` with one agent in all seats, or their summaries.
        width: Width in inches.
        style: Matplotlib style laid over that of the package.

    Raises:
        ValueError: The results are of another kind or of several variants, a measurement has several agents, or the
            league did not rate its agent.
    """
    league = summary_of(ratings, "league")
    if isinstance(mirrors, str) or not isinstance(mirrors, Sequence) or not mirrors:
        raise ValueError(f"mirrors={mirrors!r}: must be a list of at least one folder of `stardeck advantage`")
    rungs = sorted((_rung(each, league) for each in mirrors), key=lambda rung: rung["at"])
    known = [rung for rung in rungs if not rung["mark"]]
    at, points = np.array([rung["at"] for rung in known], float), _with_ends(known, "points")
    look = Look(width, style)
    with look.applied():
        figure, axes = look.panels([2.3], f"{variant_in_words(league['variant'])}. First-player advantage along skill")
        panel = axes[0, 0]
        draw_reference(panel, 0, "fair", upright=False)
        panel.fill_between(at, points[1], points[2], color=BLUE, alpha=0.2, linewidth=0, label="95 % interval")
        panel.plot(at, points[0], color=BLUE)
        ends = {"xerr": _distances(_with_ends(known, "rating")), "yerr": _distances(points)}
        panel.errorbar(at, points[0], **ends, **LOOK, fmt="o")
        for rung in rungs:
            if rung["mark"]:  # the games give only a bound: a hollow arrow at it, apart from the line
                height, low, high = _with_ends([rung], "points")
                panel.errorbar(rung["at"], height, _distances((height, low, high)), **LOOK, fmt="none")
                label = {"<": "rating at most", ">": "rating at least"}[rung["mark"]]
                panel.plot(rung["at"], height, rung["mark"], color=BLUE, mfc="white", markersize=6, label=label)
        _name(panel, rungs)
        panel.set_xlabel("rating of the agent, Elo")
        panel.set_ylabel("moving first is worth, points")
        panel.grid(axis="y")
        put_legend(figure, [panel])
    return figure


def _rung(source: Any, league: Mapping[str, Any]) -> dict[str, Any]:
    """Return an agent's name, its rating and what moving first is worth to it, with their intervals.

    `at` is the place on the x axis. Where the games bound the rating on one side alone, it is that bound, and `mark`
    the direction in which the rating lies.
    """
    summary = summary_of(source, "first-player advantage")
    if summary["variant"] != league["variant"]:
        here, there = (variant_in_words(each["variant"]) for each in (summary, league))
        raise ValueError(f"the measurement is of {here}, the league of {there}: must be of one variant")
    names = [row["agent"] for row in summary["agents"]]
    if len(names) != 1:
        raise ValueError(f"the measurement has the agents {', '.join(names)}: must have one agent in all seats")
    rated = {row["agent"]: row for row in league["agents"] if row["rating"] is not None}
    if names[0] not in rated:
        raise ValueError(f"{names[0]}: has no rating in the league, which rated {', '.join(rated) or 'nobody'}")
    first = summary["first_advantage"]
    if first["points"] is None:
        raise ValueError(f"{names[0]}: the measurement has no side that moves first")
    row = rated[names[0]]
    rating = {"rating": row["rating"], "rating_low": row["low"], "rating_high": row["high"]}
    low, high = row["low"], row["high"]
    only = None if (low is None) == (high is None) else ("<", high) if low is None else (">", low)
    place = dict(zip(("mark", "at"), only or (None, row["rating"]), strict=True))
    points = {"points": first["points"], "points_low": first["low"], "points_high": first["high"]}
    return {"agent": names[0]} | place | rating | points


def _with_ends(rungs: Sequence[Mapping[str, Any]], of: str) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Return values and both ends of their intervals: float64[rungs] each; an open end is the value."""
    middle = np.array([rung[of] for rung in rungs], float)
    low, high = (np.array([rung[of] if rung[of + end] is None else rung[of + end] for rung in rungs], float)
                 for end in ("_low", "_high"))  # fmt: skip
    return middle, low, high


def _distances(interval: tuple[np.ndarray, np.ndarray, np.ndarray]) -> np.ndarray:
    middle, low, high = interval
    return np.maximum([middle - low, high - middle], 0)


def _name(panel: Any, rungs: Sequence[Mapping[str, Any]]) -> None:
    """Write the name of each agent above or below its interval, in turns, so that neighbours do not overlap."""
    for number, rung in enumerate(rungs):
        above = number % 2 == 0
        key = "points_high" if above else "points_low"
        at = rung["points"] if rung[key] is None else rung[key]
        panel.annotate(
            shortened(rung["agent"]).replace(":prior=", "\nprior="), (rung["at"], at), (0, 4 if above else -4),
            textcoords="offset points", ha="center", va="bottom" if above else "top", fontsize=6,
        )  # fmt: skip
    panel.margins(x=0.1, y=0.2)
