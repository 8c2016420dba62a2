"""The games as Python objects: `Game`, the catalogue of games, and the protocol of agents."""
