"""Numbers of the compiled agents. Every game has the first three; Star Realms has all."""

from enum import IntEnum


class AgentKind(IntEnum):
    """Values of `agent.kind` in `choose`."""

    RANDOM = 0
    SIMPLE = 1
    RULES = 2
    CHEAP_COMBAT = 3
    SAME_FACTION = 4
    WORTH = 5  # rules with a table of card values, as in kernels/loops/playouts.py
