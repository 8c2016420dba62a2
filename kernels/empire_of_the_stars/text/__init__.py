"""The interface for people: moves in words, positions, the table as text."""
