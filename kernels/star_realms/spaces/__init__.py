"""The interface for agents: variants, actions, observations, events, and redealing of hidden information."""
