"""Card tables, one row per printed card, and the vocabulary of their rows."""
