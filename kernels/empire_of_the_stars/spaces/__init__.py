"""The interface for agents: variants, actions, observations and resampling of hidden information."""
