"""The part `changes` of the designer's report: the smallest printed change that makes the game fair."""

from stardeck.benchmarks.design.changes.measure import CHANGES

__all__ = ["CHANGES"]
