"""The part `drama` of the designer's report: suspense, runaway leaders, waiting and kingmaking."""

from stardeck.benchmarks.design.drama.measure import DRAMA

__all__ = ["DRAMA"]
