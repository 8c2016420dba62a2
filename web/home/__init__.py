"""The home page: tiles of the games and their formats."""
