"""The home page: tiles of the games, their formats and settings in words."""
