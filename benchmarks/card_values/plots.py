"""Plot of card values: a forest plot with one panel for each stage of the game."""

from pathlib import Path

import numpy as np

from stardeck.benchmarks.plots import BAR, FAIR, INK, panels, save, shortened

ROW = 0.19  # inches for a card


def draw_worth(summary: dict, path: Path) -> None:
    """Plot the value of every card in win points with its interval, the best on top, as a PNG.

    Marks are hollow where the effect is not significant.
    """
    stages = summary["stages"]
    cards = _in_order(summary["cards"])
    figure, drawn = panels([3.0] * len(stages), 0.8 + ROW * max(8, len(cards)) + 1.15, left=1.7, between=0.25)
    for axes, stage in zip(drawn, stages, strict=True):
        _draw_stage(axes, [row for row in summary["cards"] if row["stage"] == stage], cards)
        axes.set_title(stage, fontsize=10)
    drawn[0].set_yticks(range(len(cards)), [shortened(card, 24) for card in cards], fontsize=8)
    drawn[len(drawn) // 2].set_xlabel(
        f"win points rather than {summary['rather_than']} (95 % interval); hollow: not clearly any"
    )
    save(figure, f"{summary['variant']}: worth to {summary['agents'][0]['agent']}, {summary['trials']['what']}", path)


def _in_order(rows):
    """Return the cards by their mean value, the best first."""
    known: dict[str, list[float]] = {}
    for row in rows:
        known.setdefault(row["card"], []).append(row["points"]["value"])
    return sorted(known, key=lambda card: -np.mean(known[card]))


def _draw_stage(axes, rows, cards):
    for row in rows:
        points, place = row["points"], cards.index(row["card"])
        ends = [[points["value"] - points["low"]], [points["high"] - points["value"]]]
        face = BAR if row["q"] < 0.05 else "white"
        axes.errorbar(
            points["value"], place, xerr=ends, fmt="o", color=BAR, mfc=face, ecolor=INK, capsize=2, markersize=4
        )
    axes.axvline(0, color=FAIR, linestyle="--", linewidth=1.2)
    axes.set_yticks(range(len(cards)), [""] * len(cards))
    axes.set_ylim(len(cards) - 0.4, -0.6)
    axes.grid(alpha=0.2)
