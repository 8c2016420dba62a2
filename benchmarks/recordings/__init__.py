"""Single games: played, written down and played back."""
