"""Figure of card values: a forest plot with one panel for each stage of the game."""

from typing import TYPE_CHECKING, Any

import numpy as np

from stardeck.benchmarks.plots.source import summary_of
from stardeck.benchmarks.plots.style import (
    BLUE,
    COLUMN,
    Look,
    draw_interval,
    draw_reference,
    name_rows,
    put_legend,
    shortened,
)
from stardeck.benchmarks.results.words import agents_in_words, variant_in_words

if TYPE_CHECKING:
    from matplotlib.figure import Figure

ROW = 0.135  # inches of a card
SIGNIFICANT = 0.05  # of q


def worth(source: Any, *, width: float = COLUMN, style: Any = None) -> "Figure":
    """Draw the value of every card in win points with its interval, the best on top.

    Marks are hollow where the effect is not significant.

    Args:
        source: Folder of `stardeck worth`, or its summary.
        width: Width in inches.
        style: Matplotlib style laid over that of the package.

    Raises:
        ValueError: The results are of another kind, or cannot be read.
    """
    summary = summary_of(source, "worth of cards")
    stages, rows = summary["stages"], [row for row in summary["cards"] if row["points"]]
    cards = _in_order(rows)
    title = f"{variant_in_words(summary['variant'])}. Value of {summary['trials']['what']} to"
    look = Look(width, style)
    with look.applied():
        figure, axes = look.panels(
            [0.4 + ROW * max(6, len(cards))], f"{title} {agents_in_words(summary['agents'])}", [1] * len(stages)
        )
        for panel, stage in zip(axes[0], stages, strict=True):
            _draw_stage(panel, [row for row in rows if row["stage"] == stage], cards)
            panel.set_title(stage)
            panel.locator_params(axis="x", nbins=3)
        limits = np.array([panel.get_xlim() for panel in axes[0]])
        for panel in axes[0]:
            panel.set_xlim(limits[:, 0].min(), limits[:, 1].max())
        for panel in axes[0, 1:]:
            panel.set_yticklabels([])
        put_legend(figure, axes[0], 3, f"win points rather than {summary['rather_than']} (95 % interval)")
    return figure


def _in_order(rows):
    """Return the cards by their mean value, the best first."""
    known: dict[str, list[float]] = {}
    for row in rows:
        known.setdefault(row["card"], []).append(row["points"]["value"])
    return sorted(known, key=lambda card: -np.mean(known[card]))


def _draw_stage(axes, rows, cards):
    labels = {True: "significant", False: "not significant"}
    for row in rows:
        points, clear = row["points"], row["q"] < SIGNIFICANT
        place, label = cards.index(row["card"]), labels.pop(clear, None)
        face = {} if clear else {"mfc": "white"}
        draw_interval(
            axes, place, points["value"], points["low"], points["high"], markersize=2.6, color=BLUE, label=label, **face
        )
    draw_reference(axes, 0, "no difference")
    name_rows(axes, [shortened(card, 24) for card in cards])
    axes.tick_params(axis="y", labelsize=6)
