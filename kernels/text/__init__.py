"""Texts common to all games: moves, positions and tables."""
