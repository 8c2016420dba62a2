"""Battles: one module for each part, in order; each imports the parts after it (rulebook: Warlord 2)."""
