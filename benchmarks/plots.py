"""Plots of results."""

from collections.abc import Iterable, Mapping, Sequence
from itertools import cycle
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from stardeck.benchmarks.results.atomic_files import whole

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

    from stardeck.benchmarks.results.filesystems import Place

BARS = 80  # most bars of a histogram: more are thinner than a line
INK = "#1b2a41"
BAR = "#3d7ea6"
FAIR = "#c44536"
OTHERS = ("#7a6c5d", "#e09f3e", "#5f8a4e", "#8d6a9f", "#9aa5b1")  # lines other than the first


def draw_advantage(summary: dict, turns: np.ndarray, path: "Path | Place") -> None:
    """Plot win rates by agent and by seat, and the length of games, as a PNG.

    Args:
        summary: Summary of a measurement of first-player advantage.
        turns: int64[longest + 1], the number of games with each number of turns.
        path: File to write.
    """
    several = len(summary["agents"]) > 1
    figure, drawn = panels([3.6] * (3 if several else 2), 3.6, left=0.7, between=0.65)
    if several:
        names = [shortened(agent["agent"], 16) for agent in summary["agents"]]
        _draw_rates(drawn[0], names, summary["agents"], summary["teams"], "Win rate by agent")
    seats = [f"player_{seat['seat']}" for seat in summary["seats"]]
    _draw_rates(drawn[-2], seats, summary["seats"], summary["teams"], "Win rate by seat")
    drawn[0].set_ylabel("games won, % (95 % interval)")
    _draw_lengths(drawn[-1], turns, summary["turns"]["median"])
    agents = ", ".join(agent["agent"] for agent in summary["agents"])
    save(figure, f"{summary['variant']}: {summary['games']:,} games of {agents}", path)


def panels(
    widths: Sequence[float], height: float, left: float, between: float, bottom: float = 0.55
) -> "tuple[Figure, list[Axes]]":
    """Return a figure with panels side by side, and room for labels around them.

    Matplotlib's own layouts are slower: they draw everything twice to measure it.

    Args:
        widths: Width of each panel in inches.
        height: Height of the panels in inches.
        left: Room to the left of the first panel in inches.
        between: Room between two panels in inches.
        bottom: Room below the panels in inches.
    """
    from matplotlib.figure import Figure

    right, top = 0.15, 0.6
    width = left + sum(widths) + between * (len(widths) - 1) + right
    figure = Figure(figsize=(width, height))
    places = [left + sum(widths[:number]) + between * number for number in range(len(widths))]
    panels = [
        figure.add_axes((place / width, bottom / height, wide / width, 1 - (bottom + top) / height))
        for place, wide in zip(places, widths, strict=True)
    ]
    return figure, panels


def grid(count: int, columns: int, width: float, height: float) -> "tuple[Figure, list[Axes]]":
    """Return a figure with panels of one size, line by line, each with room for a title and a label.

    Args:
        count: Number of panels.
        columns: Most panels in a line.
        width: Width of a panel in inches.
        height: Height of a panel in inches.
    """
    from matplotlib.figure import Figure

    left, right, between, above, below, top = 0.75, 0.15, 0.45, 0.3, 0.5, 0.4
    columns = min(count, columns)
    lines = -(-count // columns)
    wide = left + columns * width + (columns - 1) * between + right
    high = top + lines * (above + height + below)
    figure = Figure(figsize=(wide, high))
    return figure, [
        figure.add_axes((
            (left + number % columns * (width + between)) / wide,
            1 - (top + (number // columns + 1) * (above + height + below) - below) / high,
            width / wide,
            height / high,
        ))
        for number in range(count)
    ]  # fmt: skip


def save(figure: "Figure", title: str, path: "Path | Place") -> None:
    """Write a figure with its title as a PNG; a failure leaves no partial file.

    Args:
        figure: The figure.
        title: Its title.
        path: File to write.
    """
    figure.suptitle(title, fontsize=11, color=INK, y=1 - 0.08 / figure.get_figheight())
    with whole(path) as unfinished:
        figure.savefig(unfinished, dpi=150, format="png")


def _draw_rates(axes, names, rows, teams, title):
    """Draw win rates with their intervals as bars, and the fair share as a line."""
    rates = np.array([100 * row["win_rate"] for row in rows])
    low, high = (100 * np.array([row[key] for row in rows]) for key in ("low", "high"))
    errors = np.maximum([rates - low, high - rates], 0)
    top = max(60.0, min(106.0, 1.12 * high.max()))
    axes.bar(names, rates, yerr=errors, capsize=5, color=BAR, ecolor=INK, width=0.6)
    narrow = len(rows) > 3
    axes.tick_params(axis="x", labelsize=8 if narrow else 10)
    for place, rate in enumerate(rates):
        text = f"{rate:.1f}" if narrow else f"{rate:.2f} %"
        inside = rate > 0.15 * top  # else above the interval
        at, ink = (0.06 * top, "white") if inside else (high[place] + 0.02 * top, INK)
        axes.annotate(text, (place, at), ha="center", va="bottom", color=ink, weight="bold")
    if len(teams) > 1:
        fair = 100 / len(teams)
        axes.axhline(fair, color=FAIR, linestyle="--", linewidth=1.2, label=f"fair share, {fair:.1f} %")
        axes.legend(loc="upper right", framealpha=0.85, edgecolor="none", fontsize=8)
    axes.set_ylim(0, top)
    axes.set_title(title, fontsize=10)


def _draw_lengths(axes, turns, median):
    """Draw a histogram of the lengths of games."""
    shortest = int(np.flatnonzero(turns)[0])
    longest = max(1, int(np.searchsorted(np.cumsum(turns), 0.995 * (turns.sum() - 1), side="right")))
    width = 1 + (longest - shortest) // BARS
    starts = np.arange(shortest, longest + 1, width)
    counts = np.add.reduceat(turns, starts)  # the last bar includes the few longer games
    axes.stairs(counts, [*starts - 0.5, starts[-1] + width - 0.5], fill=True, color=BAR)  # one patch; `hist` has many
    axes.axvline(median, color=FAIR, linestyle="--", linewidth=1.2, label="median")
    axes.legend(frameon=False, fontsize=8)
    axes.set_xlabel("turns of a game, of all players together")
    axes.set_ylabel("games" if width == 1 else f"games, {width} turns a bar")
    axes.set_title("Length of games", fontsize=10)


def draw_league(summary: dict, path: "Path | Place") -> None:
    """Plot a ladder of ratings with their intervals next to a heat map of the cross table, as a PNG.

    Args:
        summary: Summary of a league.
        path: File to write.
    """
    agents = by_rating(summary)
    height = 1.6 + 0.45 * max(3, len(agents))
    width = max(2.6, 0.8 + 0.55 * len(agents))  # of the map
    longest = max(len(shortened(agent["agent"])) for agent in agents)
    figure, (ladder, table) = panels([4, width], height, left=0.55 + 0.085 * longest, between=0.5)
    _draw_ladder(ladder, agents)
    _draw_cross_table(table, agents, summary["cross_table"])
    save(figure, f"{summary['variant']}: {summary['games']:,} games", path)


def by_rating(summary: dict) -> list[dict]:
    """Return the agents of a league's summary, the strongest first; agents without a rating come last."""
    return sorted(summary["agents"], key=lambda agent: (agent["rating"] is None, -(agent["rating"] or 0)))


def shortened(name: str, width: int = 28) -> str:
    """Return a name cut to a number of characters; a long name keeps its beginning and its end.

    Args:
        name: The name.
        width: Most characters.
    """
    return name if len(name) <= width else f"{name[: width // 4]}…{name[width // 4 + 1 - width :]}"


def scores(agents: Sequence[Mapping[str, Any]], cross_table: Iterable[Mapping[str, Any]]) -> np.ndarray:
    """Return scores of the row against the column: float64[agents, agents], NaN for pairs that did not meet.

    Args:
        agents: Agents of a league's summary, in the order of rows and columns.
        cross_table: Cross table of the summary.
    """
    places = {agent["agent"]: place for place, agent in enumerate(agents)}
    result = np.full((len(agents), len(agents)), np.nan)
    for row in cross_table:
        one, other = (places[name] for name in row["agents"])
        result[one, other], result[other, one] = row["score"], 1 - row["score"]
    return result


def _draw_ladder(axes, agents):
    for place, agent in enumerate(agents):
        if agent["rating"] is not None:
            _draw_rating(axes, place, agent)
    labels = [f"{shortened(agent['agent'])}  {rank}" for rank, agent in enumerate(agents, 1)]
    axes.set_yticks(range(len(agents)), labels)
    axes.set_ylim(len(agents) - 0.5, -0.7)
    axes.margins(x=0.16)
    axes.locator_params(axis="x", nbins=6)
    axes.grid(axis="x", alpha=0.3)
    axes.set_xlabel("Elo (95 % interval)")
    axes.set_title("Ratings", fontsize=10)


def _draw_rating(axes, place, agent):
    """Draw a rating with its interval; an arrow replaces the mark if the games give only one bound."""
    rating, low, high = (agent[key] for key in ("rating", "low", "high"))
    bound = high if low is None else low
    if bound is None or None not in (low, high):
        reach = [[0], [0]] if bound is None else [[max(rating - low, 0)], [max(high - rating, 0)]]
        axes.errorbar(rating, place, xerr=reach, fmt="o", color=BAR, ecolor=INK, capsize=4)
        text, at = _signed(rating), rating
    else:
        far = {"xuplims": True} if low is None else {"xlolims": True}
        length = abs(bound - rating) or 1.0
        axes.errorbar(bound, place, xerr=length, fmt="none", ecolor=INK, capsize=4, **far)
        axes.plot(bound, place, "|", color=INK, markersize=10)
        text, at = f"{'at most' if low is None else 'at least'} {_signed(bound)}", bound
    axes.annotate(
        text, (at, place), (0, 6), textcoords="offset points", ha="center", va="bottom", fontsize=8, color=INK
    )


def _signed(elo):
    return f"{elo:+.0f}" if round(elo) else "0"


def _draw_cross_table(axes, agents, cross_table):
    percent = 100 * scores(agents, cross_table)
    axes.set_facecolor("#e6e6e6")  # where two did not meet
    axes.imshow(percent, cmap="RdBu", vmin=0, vmax=100, aspect="auto")
    for (row, column), score in np.ndenumerate(percent):
        if not np.isnan(score):
            ink = "white" if abs(score - 50) > 30 else INK
            axes.annotate(f"{score:.1f}", (column, row), ha="center", va="center", color=ink, fontsize=8)
    ranks = range(1, len(agents) + 1)
    axes.set_xticks(range(len(agents)), ranks)
    axes.set_yticks(range(len(agents)), ranks)
    axes.tick_params(length=0)
    axes.set_title("Score of row against column, %", fontsize=10)


def draw_learning_curve(summary: dict, path: Path) -> None:
    """Plot win rates against the panel by decisions, the first with its intervals, as a PNG.

    Args:
        summary: Summary of a training.
        path: File to write.
    """
    figure, (axes,) = panels([7.1], 4, left=0.75, between=0)
    points = summary["evaluations"]
    decisions = [point["decisions"] / 1e6 for point in points]
    rates, low, high = (100 * np.array([point[key] for point in points]) for key in ("win_rate", "low", "high"))
    axes.plot(decisions, rates, color=BAR, linewidth=1.8, label=f"against {summary['opponent']} (95 % interval)")
    axes.fill_between(decisions, low, high, color=BAR, alpha=0.25, linewidth=0)
    for name, color in zip(list(points[0]["panel"])[1:], cycle(OTHERS), strict=False):
        others = [100 * point["panel"][name]["win_rate"] for point in points]
        axes.plot(decisions, others, color=color, linewidth=1.1, label=f"against {shortened(name, 24)}")
    if summary["opponent"] != "the Boss":
        axes.axhline(summary["fair_share"], color=FAIR, linestyle="--", linewidth=1.2, label="fair share")
    axes.annotate(
        f"{rates[-1]:.1f} %", (decisions[-1], rates[-1]), (-4, 8), textcoords="offset points", ha="right", color=INK
    )
    axes.set_xlabel(f"decisions {'searched' if summary['method'] == 'expert' else 'of self-play'}, millions")
    axes.set_ylabel("games won, %")
    axes.legend(loc="best", frameon=False, fontsize=8)
    axes.grid(alpha=0.2)
    minutes = sum(summary["seconds"].values()) / 60
    count = f"{decisions[-1]:.1f} M" if decisions[-1] >= 1 else f"{summary['decisions']:,}"
    save(figure, f"{summary['variant']}: {count} decisions in {minutes:.0f} minutes", path)
