"""First-player advantage: win rates by seat with their intervals."""

from stardeck.benchmarks.advantage.measure import advantage, wilson

__all__ = ["advantage", "wilson"]
