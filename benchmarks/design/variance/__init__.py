"""Shares of the variance of results, from replays of deals, and the depth of a game in steps of skill."""
