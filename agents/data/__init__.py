"""Games and positions from which networks learn."""
