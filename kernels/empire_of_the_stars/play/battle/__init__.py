"""Battles: one module for each part, in order; each knows of those after it (rulebook: Warlord 2)."""
