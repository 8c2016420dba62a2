"""The compiled agents of Interstellar Empire."""

from stardeck.agents.interstellar_empire.rules import choose

__all__ = ["choose"]
