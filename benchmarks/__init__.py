"""Measuring: the arena, first-player advantage, speed, rules conformance, and the command line."""

from stardeck.benchmarks.advantage import advantage

__all__ = ["advantage"]
