"""Figures of searches for a fair setting: first-player advantage against each parameter, with the answer."""

from typing import TYPE_CHECKING, Any

import numpy as np

from stardeck.benchmarks.plots.source import summary_of
from stardeck.benchmarks.plots.style import (
    BLUE,
    COLUMN,
    INK,
    RED,
    ROW,
    Look,
    draw_interval,
    draw_reference,
    name_rows,
    put_legend,
    shortened,
)
from stardeck.benchmarks.results.words import (
    agents_in_words,
    number_of,
    parameter_in_words,
    side_in_words,
    variant_in_words,
)

if TYPE_CHECKING:
    from matplotlib.figure import Figure

ABOVE = "advantage of the\nfirst player, points"


def fair(source: Any, *, width: float = COLUMN, style: Any = None) -> "Figure":
    """Draw how far the side that moves first is from its fair share, against each parameter.

    With several parameters, one more panel shows how far every side is at the answer.

    Args:
        source: Folder of `stardeck fair`, or its summary.
        width: Width in inches.
        style: Matplotlib style laid over that of the package.

    Raises:
        ValueError: The results are of another kind, or cannot be read.
    """
    summary = summary_of(source, "fair settings")
    answers, shares = summary["answer"], summary["shares"]
    several = len(answers) > 1
    games = f"{number_of(summary['games'], 'game')} of {agents_in_words(summary['agents'])}"
    title = f"{variant_in_words(summary['variant'])}. {games}"
    look = Look(width, style)
    with look.applied():
        figure, axes = look.panels([1.5] * len(answers) + [0.2 + ROW * len(shares)] * several, title)
        for panel, answer in zip(axes[:, 0], answers, strict=False):
            _draw_parameter(panel, summary, answer)
            panel.set_ylabel(ABOVE)
        if several:
            _draw_shares(axes[-1, 0], shares)
        put_legend(figure, axes[:1, 0])
    return figure


def fair_curves(title: str, found: list[tuple[str, dict]], *, width: float = 2 * COLUMN, style: Any = None) -> "Figure":
    """Draw several searches, one small panel for each parameter.

    Args:
        title: Title of the figure.
        found: Name and summary of each search.
        width: Width in inches.
        style: Matplotlib style laid over that of the package.
    """
    drawn = [(name, summary, answer) for name, summary in found for answer in summary["answer"]]
    columns = min(3, len(drawn))
    look = Look(width, style)
    with look.applied():
        figure, axes = look.panels([1.4] * -(-len(drawn) // columns), title, [1] * columns)
        for panel, (name, summary, answer) in zip(axes.flat, drawn, strict=False):
            _draw_parameter(panel, summary, answer)
            panel.set_title(shortened(name, 40))
        for panel in axes.flat[len(drawn) :]:
            panel.set_visible(False)
        figure.supylabel(ABOVE, fontsize=8, ha="left", multialignment="center")
        put_legend(figure, axes.flat[:1], columns=4)
    return figure


def _draw_parameter(axes, summary, answer):
    """Draw the points near the answer; points with more games are darker."""
    rows = [row for row in summary["seen"] if "curve" in row] or summary["seen"]
    places = {row["knobs"][answer["knob"]]: None for row in summary["seen"]}
    words = [place for place in places if isinstance(place, str | bool)]
    at = [words.index(value) if words else value for value in (row["knobs"][answer["knob"]] for row in rows)]
    most = max(row["games"] for row in rows)
    label = "measured (95 % interval)"
    for place, row in zip(at, rows, strict=True):
        ends = [[max(row["points"] - row["low"], 0)], [max(row["high"] - row["points"], 0)]]
        strength = 0.25 + 0.75 * (row["games"] / most) ** 0.5
        full = row["games"] == most and label
        axes.errorbar(
            place, row["points"], ends, fmt="o", color=BLUE, ecolor=INK, capsize=2, alpha=strength, label=full or None
        )
        label = None if full else label
    if len(summary["answer"]) == 1:
        order = np.argsort(at)
        curve = np.array([row.get("curve", np.nan) for row in rows])
        axes.plot(np.array(at)[order], curve[order], color=INK, linewidth=1, alpha=0.7, label="fitted curve")
    draw_reference(axes, 0, "fair", upright=False)
    axes.axvspan(answer["low"], answer["high"], color=RED, alpha=0.15, linewidth=0)
    axes.axvline(answer["value"], color=RED, linewidth=1, label="answer (95 % interval)")
    axes.xaxis.get_major_locator().set_params(integer=True)  # values are whole numbers
    if words:
        axes.set_xticks(range(len(words)), [str(word).lower().replace("_", " ") for word in words])
    axes.grid()
    answered = f"{answer['value']:.2f} [{answer['low']:.2f}, {answer['high']:.2f}]"
    axes.set_xlabel(f"{parameter_in_words(answer['knob'], summary['variant'])}\nfair at {answered}")


def _draw_shares(axes, shares):
    """Draw how far every side is from its fair share at the answer."""
    for place, share in enumerate(shares):
        draw_interval(axes, place, share["points"], share["low"], share["high"])
    draw_reference(axes, 0, "fair")
    name_rows(axes, [side_in_words(share["of"]) for share in shares])
    axes.set_xlabel("points above the fair share at the answer")
