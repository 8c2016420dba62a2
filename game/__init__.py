"""The games as Python objects: `Game`, the catalogue of games, and what an agent is."""
