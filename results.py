"""Results of measurements as tidy pandas data frames: `stardeck.results.load("results/match").games`."""

from stardeck.benchmarks.frames import Results, load

__all__ = ["Results", "load"]
