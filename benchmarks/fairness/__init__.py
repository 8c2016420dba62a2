"""The settings at which a game is fair to the first player."""

from stardeck.benchmarks.fairness.search import fair

__all__ = ["fair"]
