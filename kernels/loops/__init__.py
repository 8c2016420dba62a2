"""Compiled loops over many games at once; they serve every game."""
