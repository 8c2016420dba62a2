"""Search for the settings at which the first player has no advantage."""

from stardeck.benchmarks.fairness.search import fair

__all__ = ["fair"]
