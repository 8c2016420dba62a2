"""Measuring: the arena, first-player advantage, leagues, speed, rules conformance, and the command line."""

from stardeck.benchmarks.advantage import advantage
from stardeck.benchmarks.league import league

__all__ = ["advantage", "league"]
