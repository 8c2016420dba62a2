"""Data sets of games for offline learning: moves and events in Parquet, with a card, a datasheet and a loader."""

from stardeck.benchmarks.dataset.episodes import Dataset, Episode, load
from stardeck.benchmarks.dataset.make import dataset
from stardeck.benchmarks.dataset.minari_export import to_minari

__all__ = ["Dataset", "Episode", "dataset", "load", "to_minari"]
