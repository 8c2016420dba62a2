"""Compiled loops over many games at once, shared by every game."""
