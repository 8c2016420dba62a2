"""Expert iteration: a network learns from searches that it guides."""
