"""Games between agents on all cores: series of games, and the executors that play them."""

from stardeck.benchmarks.arena.series import Chunk, Series, run

__all__ = ["Chunk", "Series", "run"]
