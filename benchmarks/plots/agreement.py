"""Figure of the agreement of agents with the players of a folder of games."""

from typing import TYPE_CHECKING, Any

import numpy as np

from stardeck.benchmarks.plots.source import summary_of
from stardeck.benchmarks.plots.style import COLUMN, RED, ROW, Look, draw_intervals, put_legend, shortened
from stardeck.benchmarks.results.words import number_of, variant_in_words

if TYPE_CHECKING:
    from matplotlib.figure import Figure


def agreement(source: Any, *, width: float = COLUMN, style: Any = None) -> "Figure":
    """Draw how often each agent chooses as the players did, by kind of decision, with intervals.

    Args:
        source: Folder of `stardeck agreement`, or its summary.
        width: Width in inches.
        style: Matplotlib style laid over that of the package.

    Raises:
        ValueError: The results are of another kind, or cannot be read.
    """
    summary = summary_of(source, "agreement with players")
    agents = summary["agents"]
    size = f"{number_of(summary['decisions'], 'decision')}, {number_of(summary['games'], 'game')}"
    title = f"{variant_in_words(summary['variant'])}. {size}"
    look = Look(width, style)
    with look.applied():
        figure, axes = look.panels([0.4 + 1.3 * ROW * max(2, len(agent["kinds"])) for agent in agents], title)
        for panel, agent in zip(axes[:, 0], agents, strict=True):
            kinds = agent["kinds"]
            draw_intervals(panel, [(_named(row), _percent(row)) for row in kinds], None)
            chance = [100 * row["by_chance"] for row in kinds]
            panel.plot(chance, range(len(kinds)), "|", color=RED, label="a uniform choice")
            panel.set_xlabel(f"choices that agree with {shortened(agent['agent'])}, %\n(95 % interval)")
        limits = np.array([panel.get_xlim() for panel in axes[:, 0]])
        for panel in axes[:, 0]:  # one scale, so that agents can be compared
            panel.set_xlim(limits[:, 0].min(), limits[:, 1].max())
        put_legend(figure, axes[:, 0])
    return figure


def _named(row):
    return f"{row['kind']} ({row['decisions']:,})"


def _percent(row):
    value = row["agreement"]
    return tuple(100 * (value if row[key] is None else row[key]) for key in ("agreement", "low", "high"))
