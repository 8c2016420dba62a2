"""Figure of a league: ratings with their intervals, and the cross table."""

from collections.abc import Iterable, Mapping, Sequence
from typing import TYPE_CHECKING, Any

import numpy as np

from stardeck.benchmarks.plots.source import summary_of
from stardeck.benchmarks.plots.style import BLUE, COLUMN, INK, ROW, Look, draw_interval, name_rows, shortened
from stardeck.benchmarks.results.words import number_of, variant_in_words

if TYPE_CHECKING:
    from matplotlib.figure import Figure

EQUAL = 6  # decimals of a score; further ones are errors of rounding
MOST_NUMBERS = 12  # agents in a cross table with a number in each cell


def league(source: Any, *, width: float = COLUMN, style: Any = None) -> "Figure":
    """Draw a ladder of ratings with their intervals above a heat map of the cross table.

    If Elo does not explain the results, scores against the Nash mixture lie between the two.

    Args:
        source: Folder of `stardeck league`, or its summary.
        width: Width in inches.
        style: Matplotlib style laid over that of the package.

    Raises:
        ValueError: The results are of another kind, or cannot be read.
    """
    summary = summary_of(source, "league")
    agents = by_rating(summary)
    rows = len(agents)
    look = Look(width, style)
    with look.applied():
        title = f"{variant_in_words(summary['variant'])}. League of {number_of(summary['games'], 'game')}"
        ladders = [_draw_ladder] if is_explained(summary) else [_draw_ladder, _draw_scores]
        heights = [0.2 + 1.3 * ROW * max(2, rows)] * len(ladders) + [0.2 + ROW * max(3, rows)]
        figure, axes = look.panels(heights, title)
        for draw, panel in zip(ladders, axes[:, 0], strict=False):
            draw(panel, agents)
        _draw_cross_table(axes[-1, 0], agents, summary["cross_table"], figure)
    return figure


def by_rating(summary: Mapping[str, Any], rating: str = "elo") -> list[dict]:
    """Return the agents of a league's summary, the strongest first; agents without a rating come last.

    Args:
        summary: The summary.
        rating: "elo", "nash" or "alpha-rank"; the summary must have it.
    """
    keys = {
        "elo": lambda agent: (agent["rating"] is None, -(agent["rating"] or 0)),
        "nash": lambda agent: (-round(agent["nash"]["score"], EQUAL), -agent["nash"]["weight"]),
        "alpha-rank": lambda agent: -agent["alpha_rank"]["mass"],
    }
    return sorted(summary["agents"], key=keys[rating])


def is_explained(summary: Mapping[str, Any]) -> bool:
    """Return False if Elo does not explain the results of a league."""
    found = summary.get("transitivity")  # a summary of version 0.1 has none
    return not found or found["elo_explains"]


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


def _named(agents):
    return [f"{shortened(agent['agent'])}  {rank}" for rank, agent in enumerate(agents, 1)]


def _draw_ladder(axes, agents):
    for place, agent in enumerate(agents):
        if agent["rating"] is not None:
            _draw_rating(axes, place, agent)
    name_rows(axes, _named(agents))
    axes.margins(x=0.14)
    axes.set_xlabel("rating, Elo (95 % interval)")


def _draw_scores(axes, agents):
    """Draw the scores against the Nash mixture, with the weights of the agents in it."""
    for place, agent in enumerate(agents):
        score, low, high, weight = (100 * agent["nash"][key] for key in ("score", "low", "high", "weight"))
        draw_interval(axes, place, score, low, high)
        text = f"{score:.1f}, weight {weight:.0f} %" if weight >= 0.5 else f"{score:.1f}"
        axes.annotate(text, (score, place), (0, 3), textcoords="offset points", ha="center", va="bottom", fontsize=6)
    name_rows(axes, _named(agents))
    axes.margins(x=0.25)
    axes.set_xlabel("score against the Nash mixture, %")


def _draw_rating(axes, place, agent):
    """Draw a rating with its interval; an arrow replaces the mark if the games give only one bound."""
    rating, low, high = (agent[key] for key in ("rating", "low", "high"))
    bound = high if low is None else low
    if bound is None or None not in (low, high):
        draw_interval(axes, place, rating, *((rating, rating) if bound is None else (low, high)))
        text, at = _signed(rating), rating
    else:
        far = {"xuplims": True} if low is None else {"xlolims": True}
        length = abs(bound - rating) or 1.0
        axes.errorbar(bound, place, xerr=length, fmt="none", ecolor=INK, capsize=2, **far)
        axes.plot(bound, place, "|", color=BLUE, markersize=7)
        text, at = f"{'at most' if low is None else 'at least'} {_signed(bound)}", bound
    axes.annotate(text, (at, place), (0, 3), textcoords="offset points", ha="center", va="bottom", fontsize=6)


def _signed(elo):
    return f"{elo:+.0f}" if round(elo) else "0"


def _draw_cross_table(axes, agents, cross_table, figure):
    percent = 100 * scores(agents, cross_table)
    axes.set_facecolor("#e6e6e6")  # where two did not meet
    drawn = axes.imshow(percent, cmap="RdBu", vmin=0, vmax=100, aspect="auto")
    if len(agents) > MOST_NUMBERS:
        figure.colorbar(drawn, ax=axes, label="%")
    else:
        for (row, column), score in np.ndenumerate(percent):
            if not np.isnan(score):
                ink = "white" if abs(score - 50) > 30 else INK
                axes.annotate(f"{score:.1f}", (column, row), ha="center", va="center", color=ink, fontsize=6)
    axes.set_xticks(range(len(agents)), range(1, len(agents) + 1))
    axes.set_yticks(range(len(agents)), _named(agents))
    axes.tick_params(length=0)
    axes.set_xlabel("score of row against column, %")
