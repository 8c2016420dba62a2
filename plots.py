"""Figures of results as Matplotlib figures: `stardeck.plots.league("results/ladder").savefig("ladder.pdf")`.

Each function takes a folder of results or its summary. The default width is a column of a paper.
"""

from stardeck.benchmarks.plots import (
    advantage,
    agreement,
    draw,
    exploit,
    fair,
    league,
    learning,
    save,
    skill,
    training,
    worth,
)

__all__ = [
    "advantage",
    "agreement",
    "draw",
    "exploit",
    "fair",
    "league",
    "learning",
    "save",
    "skill",
    "training",
    "worth",
]
