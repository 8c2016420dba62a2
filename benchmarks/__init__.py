"""Measurements: the arena, first-player advantage, leagues, fairness, card values, speed, and rules conformance.

Begin with `advantage.advantage` and `league.league`; they need the extra `stardeck[measure]`.
"""
