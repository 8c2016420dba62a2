"""Measuring: the arena, first-player advantage, leagues, speed, rules conformance, and the command line.

`advantage.advantage` and `league.league` are what to begin with; they need the extra `stardeck[measure]`.
"""
