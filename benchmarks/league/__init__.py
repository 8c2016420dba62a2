"""Leagues: every agent against every other, with ratings and sequential tests."""

from stardeck.benchmarks.league.tournament import league

__all__ = ["league"]
