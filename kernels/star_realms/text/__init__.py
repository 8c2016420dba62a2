"""Text for people: moves in words, positions, the table in text and as data."""
