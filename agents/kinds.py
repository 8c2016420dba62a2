"""Numbers of the compiled agents; every game has all of them."""

from enum import IntEnum


class AgentKind(IntEnum):
    """What `agent.kind` means to `choose`."""

    RANDOM = 0
    SIMPLE = 1
    RULES = 2
