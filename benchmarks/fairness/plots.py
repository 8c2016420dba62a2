"""Plots of fairness searches: first-player advantage against each parameter, with the answer."""

from pathlib import Path

import numpy as np

from stardeck.benchmarks.plots import BAR, FAIR, INK, grid, panels, save, shortened


def draw_fair(summary: dict, path: Path) -> None:
    """Plot how far the side that moves first is from its fair share, against each parameter, as a PNG.

    With several parameters, one more panel shows how far every side is at the answer.
    """
    answers = summary["answer"]
    several = len(answers) > 1
    figure, drawn = panels([4.2 if several else 6.4] * len(answers) + [3.0] * several, 3.9, left=0.75, between=0.7)
    for axes, answer in zip(drawn, answers, strict=False):
        _draw_parameter(axes, summary, answer)
    drawn[0].set_ylabel("first player above the fair share, points")
    if several:
        _draw_shares(drawn[-1], summary["shares"])
    agents = ", ".join(shortened(agent["agent"], 30) for agent in summary["agents"])
    save(figure, f"{shortened(summary['variant'], 50)}: {summary['games']:,} games of {agents}", path)


def draw_curves(title: str, found: list[tuple[str, dict]], path: Path) -> None:
    """Plot several searches, one small panel for each parameter, as a PNG.

    Args:
        title: Title of the figure.
        found: The name and the summary of each search.
        path: File to write.
    """
    drawn = [(name, summary, answer) for name, summary in found for answer in summary["answer"]]
    figure, places = grid(len(drawn), columns=3, width=3.3, height=2.1)
    for axes, (name, summary, answer) in zip(places, drawn, strict=True):
        _draw_parameter(axes, summary, answer)
        axes.set_title(shortened(name, 40), fontsize=9)
    figure.supylabel("first player above the fair share, points", fontsize=10, x=0.01)
    save(figure, title, path)


def _draw_parameter(axes, summary, answer):
    """Draw the points near the answer; points with more games are darker."""
    rows = [row for row in summary["seen"] if "curve" in row] or summary["seen"]
    places = {row["knobs"][answer["knob"]]: None for row in summary["seen"]}
    words = [place for place in places if isinstance(place, str | bool)]
    at = [words.index(value) if words else value for value in (row["knobs"][answer["knob"]] for row in rows)]
    most = max(row["games"] for row in rows)
    for place, row in zip(at, rows, strict=True):
        ends = [[row["points"] - row["low"]], [row["high"] - row["points"]]]
        strength = 0.25 + 0.75 * (row["games"] / most) ** 0.5
        axes.errorbar(
            place, row["points"], ends, fmt="o", color=BAR, ecolor=INK, capsize=3, markersize=5, alpha=strength
        )
    if len(summary["answer"]) == 1:
        _draw_curve(axes, at, rows)
    axes.axhline(0, color=FAIR, linestyle="--", linewidth=1.2, label="fair")
    axes.axvspan(answer["low"], answer["high"], color=FAIR, alpha=0.15, linewidth=0)
    axes.axvline(answer["value"], color=FAIR, linewidth=1.4, label=_label(answer))
    axes.xaxis.get_major_locator().set_params(integer=True)  # values are whole numbers
    if words:
        axes.set_xticks(range(len(words)), [str(word).lower() for word in words])
    axes.legend(loc="best", frameon=False, fontsize=8)
    axes.grid(alpha=0.2)
    axes.set_xlabel(answer["knob"])


def _draw_curve(axes, at, rows):
    order = np.argsort(at)
    curve = np.array([row.get("curve", np.nan) for row in rows])
    axes.plot(np.array(at)[order], curve[order], color=INK, linewidth=1.2, alpha=0.7)


def _label(answer):
    return f"{answer['value']:.2f}  [{answer['low']:.2f}, {answer['high']:.2f}]"


def _draw_shares(axes, shares):
    """Draw how far every side is from its fair share at the answer."""
    for place, share in enumerate(shares):
        ends = [[share["points"] - share["low"]], [share["high"] - share["points"]]]
        axes.errorbar(place, share["points"], ends, fmt="o", color=BAR, ecolor=INK, capsize=4)
    axes.axhline(0, color=FAIR, linestyle="--", linewidth=1.2)
    axes.set_xticks(range(len(shares)), [share["of"] for share in shares])
    axes.margins(x=0.3)
    axes.grid(axis="y", alpha=0.2)
    axes.set_title("points above the fair share at the answer", fontsize=10)
