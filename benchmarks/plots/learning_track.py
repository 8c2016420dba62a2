"""Figure of the learning track: points of ways to train, by decisions."""

from collections.abc import Sequence
from itertools import cycle
from typing import TYPE_CHECKING, Any

import numpy as np

from stardeck.benchmarks.plots.source import summary_of
from stardeck.benchmarks.plots.style import BLUE, COLUMN, DASHES, OTHERS, Look, put_legend, shortened
from stardeck.benchmarks.results.words import number_of

if TYPE_CHECKING:
    from matplotlib.figure import Figure


def learning(source: Any, *, width: float = COLUMN, style: Any = None) -> "Figure":
    """Draw the points of ways to train on a task by decisions, with their intervals as bands.

    Args:
        source: Folder of `stardeck benchmark --train-budget` for a task, or its result; or a list of them, to compare.
        width: Width in inches.
        style: Matplotlib style laid over that of the package.

    Raises:
        ValueError: The results are of another kind, of several tasks, or cannot be read.
    """
    sources = list(source) if isinstance(source, Sequence) and not isinstance(source, str) else [source]
    if not sources:
        raise ValueError("source=[]: must be the results of one way to train, or of several")
    results = [summary_of(each, "learning track") for each in sources]
    tasks = sorted({result["task"] for result in results})
    if len(tasks) > 1:
        raise ValueError(f"the results are of several tasks ({', '.join(tasks)}): must be of one")
    look = Look(width, style)
    with look.applied():
        figure, axes = look.panels([1.9], _title(tasks[0], results))
        for result, color, dash in zip(results, cycle((BLUE, *OTHERS)), cycle(("-", *DASHES)), strict=False):
            made = [point["decisions"] / 1e6 for point in result["curve"]]
            middle, low, high = (
                np.array([point[key] for point in result["curve"]]) for key in ("points", "low", "high")
            )
            axes[0, 0].fill_between(made, low, high, color=color, alpha=0.25, linewidth=0)
            label = shortened(result["trainer"], 40)
            drawn = {"color": color, "linestyle": dash, "linewidth": 1.5, "marker": "o", "markersize": 3}
            axes[0, 0].plot(made, middle, label=label, **drawn)
        axes[0, 0].set_xlabel("decisions to learn from, millions")
        axes[0, 0].set_ylabel("points, 0 to 100")
        axes[0, 0].grid()
        put_legend(figure, axes[:, 0], title="interquartile mean of the seeds, 95 % interval")
    return figure


def _title(task: str, results: Sequence[Any]) -> str:
    seeds = {len(result["seeds"]) for result in results}
    budgets = {result["decisions"] for result in results}
    if len(seeds) == len(budgets) == 1:
        return f"{task}: {number_of(min(seeds), 'seed')} of {number_of(min(budgets), 'decision')}"
    return task
