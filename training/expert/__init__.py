"""Expert iteration: a network learns from searches with its own prior policy."""
