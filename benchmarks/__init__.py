"""Measuring: the arena, first-player advantage, speed, rules conformance, and the command line."""
