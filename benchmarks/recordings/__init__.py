"""Single games: played, recorded and replayed."""
