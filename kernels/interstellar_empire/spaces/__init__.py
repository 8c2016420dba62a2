"""What agents meet: variants, actions, observations, and drawing again what is hidden."""
