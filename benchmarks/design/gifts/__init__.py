"""Combinations of cards: an experiment that gives players random cards, and the estimates from it."""
