"""Playing many games between agents on all cores, and where they are played."""

from stardeck.benchmarks.arena.series import Chunk, Series, run

__all__ = ["Chunk", "Series", "run"]
