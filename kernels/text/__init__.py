"""Words that all games have in common: moves, positions and tables."""
