"""The part `restricted` of the designer's report: win rates of an agent that may not do something (Jaffe et al.)."""

from stardeck.benchmarks.design.restricted.measure import RESTRICTED

__all__ = ["RESTRICTED"]
