"""Agreement: how often an agent chooses as the players of a folder of games did."""

from stardeck.benchmarks.agreement.measure import agreement

__all__ = ["agreement"]
