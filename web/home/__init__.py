"""The home page: tiles of the games, their formats, and opponents by strength."""
