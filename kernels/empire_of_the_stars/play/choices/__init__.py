"""Effects with choices: their offers, their legal answers and the results (rulings by operation)."""
