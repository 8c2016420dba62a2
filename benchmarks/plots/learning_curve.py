"""Figure of a training: win rates by decisions."""

from itertools import cycle
from typing import TYPE_CHECKING, Any

import numpy as np

from stardeck.benchmarks.plots.source import summary_of
from stardeck.benchmarks.plots.style import (
    BLUE,
    COLUMN,
    DASHES,
    OTHERS,
    Look,
    draw_reference,
    put_legend,
    shortened,
)
from stardeck.benchmarks.results.words import number_of, variant_in_words

if TYPE_CHECKING:
    from matplotlib.figure import Figure

BOSS = "the Boss"  # an opponent that leaves no fair share


def training(source: Any, *, width: float = COLUMN, style: Any = None) -> "Figure":
    """Draw win rates against the panel by decisions, the first with its intervals.

    Of several seeds, rates are interquartile means, and the band is the interval over the seeds.

    Args:
        source: Folder of `stardeck train`, or its summary.
        width: Width in inches.
        style: Matplotlib style laid over that of the package.

    Raises:
        ValueError: The results are of another kind, or cannot be read.
    """
    summary = summary_of(source, "training")
    points = summary["evaluations"]
    if not points:
        raise ValueError("evaluations: there are none to draw")
    minutes = sum(summary["seconds"].values()) / 60
    count = (
        f"{points[-1]['decisions'] / 1e6:.1f} million"
        if points[-1]["decisions"] >= 1e6
        else f"{summary['decisions']:,}"
    )
    number = len(summary.get("seeds", ()))
    seeds = f"{number_of(number, 'seed')} of " if number else ""
    learned = f"{seeds}{count} decisions in {minutes:.0f} minutes" if summary["decisions"] else "Imitation alone"
    title = f"{variant_in_words(summary['variant'])}. {learned}"
    look = Look(width, style)
    with look.applied():
        figure, axes = look.panels([1.9], title)
        _draw(axes[0, 0], summary, points)
        put_legend(figure, axes[:, 0])
    return figure


def _draw(axes, summary, points):
    decisions = [point["decisions"] / 1e6 for point in points]
    rates, low, high = (100 * np.array([point[key] for point in points]) for key in ("win_rate", "low", "high"))
    axes.fill_between(decisions, low, high, color=BLUE, alpha=0.25, linewidth=0)
    alone = {"marker": "o"} if len(points) == 1 else {}  # a line through one point cannot be seen
    label = f"against {summary['opponent']} (95 % interval)"
    axes.plot(decisions, rates, color=BLUE, linewidth=1.5, label=label, **alone)
    if alone:
        axes.vlines(decisions, low, high, color=BLUE)
        axes.set_xticks(decisions)
    others = list(points[0].get("panel", {}))[1:]  # the first is the opponent
    for name, color, dash in zip(others, cycle(OTHERS), cycle(DASHES), strict=False):
        won = [100 * point["panel"][name]["win_rate"] for point in points]
        label = f"against {shortened(name, 24)}"
        axes.plot(decisions, won, color=color, linestyle=dash, linewidth=1, label=label, **alone)
    if summary["opponent"] != BOSS:
        draw_reference(axes, summary["fair_share"], f"fair share, {summary['fair_share']:.4g} %", upright=False)
    # Beside the end of the curve: above it, the label would cover the curve.
    axes.annotate(
        f"{rates[-1]:.1f} %", (decisions[-1], rates[-1]), (5, 0), textcoords="offset points", va="center", fontsize=7,
        annotation_clip=False,
    )  # fmt: skip
    axes.set_xlabel(f"decisions {'searched' if summary['method'] == 'expert' else 'of self-play'}, millions")
    axes.set_ylabel("games won, %" + ("\n(interquartile mean)" if "seeds" in summary else ""))
    axes.grid()
