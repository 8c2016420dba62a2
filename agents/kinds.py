"""Numbers of the compiled agents. Every game has the first three; Star Realms has all."""

from enum import IntEnum


class AgentKind(IntEnum):
    """What `agent.kind` means to `choose`."""

    RANDOM = 0
    SIMPLE = 1
    RULES = 2
    VELOCITY = 3
    HARE = 4
    WORTH = 5  # as kernels/loops/playouts.py calls those with a table
