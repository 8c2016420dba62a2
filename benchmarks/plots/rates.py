"""Figures of win rates: first-player advantage and exploitability."""

from typing import TYPE_CHECKING, Any

import numpy as np

from stardeck.benchmarks.plots.source import summary_of
from stardeck.benchmarks.plots.style import (
    BLUE,
    COLUMN,
    ROW,
    Look,
    draw_intervals,
    draw_reference,
    put_legend,
)
from stardeck.benchmarks.results.arrow import pa, pq
from stardeck.benchmarks.results.filesystems import open_file, place
from stardeck.benchmarks.results.store import ResultsError
from stardeck.benchmarks.results.words import agents_in_words, number_of, seat_in_words, variant_in_words

if TYPE_CHECKING:
    from matplotlib.figure import Figure

BARS = 60  # most bars of a histogram: more are thinner than a line
WON = "games won, % (95 % interval)"


def advantage(source: Any, turns: np.ndarray | None = None, *, width: float = COLUMN, style: Any = None) -> "Figure":
    """Draw win rates by agent and by seat with their intervals, and the lengths of games if they are known.

    Args:
        source: Folder of `stardeck advantage`, or its summary.
        turns: int64[longest + 1], the number of games with each number of turns; by default counted in the folder.
        width: Width in inches.
        style: Matplotlib style laid over that of the package.

    Raises:
        ValueError: The results are of another kind, or cannot be read.
    """
    summary = summary_of(source, "first-player advantage")
    if not summary["games"]:
        raise ValueError("games=0: there is nothing to draw")
    if turns is None and source is not summary:
        turns = count_turns(source)
    title = f"{variant_in_words(summary['variant'])}. {number_of(summary['games'], 'game')} of"
    look, groups = Look(width, style), _rates(summary)
    heights = [0.25 + ROW * max(2, len(rows)) for rows in groups] + [1.1] * (turns is not None)
    with look.applied():
        figure, axes = look.panels(heights, f"{title} {agents_in_words(summary['agents'])}")
        sides = len(summary["teams"])
        for panel, rows in zip(axes[:, 0], groups, strict=False):
            draw_intervals(panel, rows, 100 / sides if sides > 1 else None)
            panel.set_xlabel(WON)
        if turns is not None:
            _draw_lengths(axes[-1, 0], turns, summary["turns"]["median"])
        put_legend(figure, axes[:, 0])
    return figure


def _rates(summary):
    """Return the rows of each panel: agents, if there are several, then seats and the side that moves first.

    Agents have an axis of their own: their distance would hide the smaller one of the seats.
    """
    agents = [(row["agent"], _percent(row)) for row in summary["agents"]]
    groups = [agents] if len(agents) > 1 else []
    seats = [(seat_in_words(row["seat"]), _percent(row)) for row in summary["seats"]]
    first = summary["first_advantage"]
    if first["points"] is None:
        return [*groups, seats]
    fair = 100 / len(summary["teams"])
    moving = tuple(fair + first[key] for key in ("points", "low", "high"))
    same = np.allclose(moving, seats[0][1], atol=1e-9)
    if same:
        seats[0] = (f"{seats[0][0]}, moves first", seats[0][1])
    return [*groups, [*seats, *([] if same else [("the player who moves first", moving)])]]


def _percent(row):
    return tuple(100 * row[key] for key in ("win_rate", "low", "high"))


def count_turns(folder: Any) -> np.ndarray | None:
    """Return the number of games with each number of turns in a folder: int64[longest + 1]; None without games."""
    path = place(folder) / "games.parquet"
    if not path.exists():
        return None
    counts = np.zeros(1, np.int64)
    try:
        with open_file(path) as opened, pq.ParquetFile(opened) as file:
            for batch in file.iter_batches(columns=["turns"]):
                more = np.bincount(batch["turns"].to_numpy(), minlength=len(counts))
                more[: len(counts)] += counts
                counts = more
    except (pa.ArrowException, OSError, ValueError, KeyError) as error:
        raise ResultsError(f"{path}: is not a whole file of results") from error
    return counts if counts.any() else None


def _draw_lengths(axes, turns, median):
    """Draw a histogram of the lengths of games."""
    shortest = int(np.flatnonzero(turns)[0])
    longest = max(1, int(np.searchsorted(np.cumsum(turns), 0.995 * (turns.sum() - 1), side="right")))
    width = 1 + (longest - shortest) // BARS
    starts = np.arange(shortest, longest + 1, width)
    counts = np.add.reduceat(turns, starts)  # the last bar includes the few longer games
    axes.stairs(100 * counts / turns.sum(), [*starts - 0.5, starts[-1] + width - 0.5], fill=True, color=BLUE)
    draw_reference(axes, median, f"median, {median:.4g} turns")
    axes.get_lines()[-1].set(color="#000000", linestyle=":", zorder=3)
    axes.set_xlabel("turns of all players together")
    axes.set_ylabel("games, %" if width == 1 else f"games, %\n({width} turns a bar)")


def exploit(source: Any, *, width: float = COLUMN, style: Any = None) -> "Figure":
    """Draw the win rates of all responses to an agent, and that of the best one on new deals.

    Args:
        source: Folder of `stardeck exploit`, or its summary.
        width: Width in inches.
        style: Matplotlib style laid over that of the package.

    Raises:
        ValueError: The results are of another kind, or cannot be read.
    """
    summary = summary_of(source, "exploitability")
    rows = [(row["response"], _percent(row)) for row in summary["responses"]]
    rows.append((f"{summary['best']}, new deals", _percent(summary)))
    responses = f"Responses to {summary['agent']}, {number_of(summary['games'], 'game')}"
    title = f"{variant_in_words(summary['variant'])}. {responses}"
    look = Look(width, style)
    with look.applied():
        figure, axes = look.panels([0.25 + ROW * max(2, len(rows))], title)
        draw_intervals(axes[0, 0], rows, summary["fair_share"])
        axes[0, 0].set_xlabel(WON)
        put_legend(figure, axes[:, 0])
    return figure
