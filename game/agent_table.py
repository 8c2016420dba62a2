"""Tables of agents for the compiled loops: a number for each agent, and their networks in one array."""

from collections.abc import Iterable
from typing import Any

import numpy as np
from numpy.typing import NDArray

from stardeck.kernels.loops.playouts import TABLE
from stardeck.kernels.primitives.network import NETWORK, SHAPE_SIZE, Networks

_LINE = 16  # weights in a cache line


class AgentTable:
    """Kinds and weights of several agents, as the compiled loops read them.

    Attributes:
        kinds: int64[agents], the value of `agent.kind` while each of them decides.
        weights: float32[rows, size], networks as kernels/primitives/network.py lays them out, or the numbers of a value
            table. Zeros fill up the rows.
        shapes: int64[rows, SHAPE_SIZE], the shape of each network.
    """

    def __init__(self, agents: Iterable[Any]) -> None:
        """Lay out the agents; `is_compiled` must hold for each of them."""
        rows: dict[int, tuple[int, Any]] = {}
        kinds = []
        for agent in agents:
            if hasattr(agent, "network"):
                kinds.append(NETWORK + rows.setdefault(id(agent.network), (len(rows), agent.network))[0])
            elif hasattr(agent, "table"):
                kinds.append(TABLE - rows.setdefault(id(agent.table), (len(rows), agent.table))[0])
            else:
                kinds.append(agent.kind)
        self.kinds = np.array(kinds, np.int64)
        listed = [held for _, held in rows.values()]
        size = max((len(getattr(held, "weights", held)) for held in listed), default=0)
        self.weights = _aligned(len(listed), size)
        self.shapes = np.zeros((len(listed), SHAPE_SIZE), np.int64)
        for row, held in enumerate(listed):
            numbers = getattr(held, "weights", held)
            self.weights[row, : len(numbers)] = numbers
            self.shapes[row] = getattr(held, "shape", 0) if hasattr(held, "weights") else 0

    @property
    def networks(self) -> Networks:
        """Networks and value tables, as compiled loops take them."""
        return Networks(self.weights, self.shapes)


def _aligned(rows: int, size: int) -> NDArray[np.float32]:
    """Return zeros, float32[rows, size or a little more]. Rows begin with a cache line: others take 25 % longer."""
    size += -size % _LINE
    spare = np.zeros(rows * size + _LINE, np.float32)
    first = -(spare.ctypes.data // spare.itemsize) % _LINE
    return spare[first : first + rows * size].reshape(rows, size)


def is_compiled(agent: object) -> bool:
    """Return whether an agent plays inside compiled loops; `act` is called for all others.

    A user's agent may use the names `network` and `kind` for something else, so only agents of this package count.
    """
    of_package = type(agent).__module__.partition(".")[0] == "stardeck"
    return of_package and (hasattr(agent, "kind") or hasattr(agent, "network"))
