"""What people read and write: moves in words, positions, the table drawn."""
