"""Card tables, one row per printed card, and the words they are written in."""
