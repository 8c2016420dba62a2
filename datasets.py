"""Data sets of games for offline learning: `stardeck.datasets.load("results/dataset")`."""

from stardeck.benchmarks.dataset import Dataset, Episode, dataset, load, to_minari

__all__ = ["Dataset", "Episode", "dataset", "load", "to_minari"]
