"""Primitives for the rules of every game: sets of actions, random numbers, small networks."""
