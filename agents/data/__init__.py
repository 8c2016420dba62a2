"""Generated games and positions from which networks learn."""
