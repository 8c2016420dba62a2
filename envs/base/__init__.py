"""What the environments of all games have in common: one class for each kind of environment."""
