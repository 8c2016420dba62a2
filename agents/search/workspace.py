"""The memory of a search: `Buffers` as Python makes them for a batch, `Workspace` as kernels pass it on."""

from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from stardeck.agents.search.tree_reuse import Subtrees
from stardeck.kernels.primitives.network import Networks


class Buffers(NamedTuple):
    """Arrays that every decision of a batch overwrites."""

    scratch: NDArray[np.void]  # one state
    tree: NDArray[np.void]  # NODE[n]
    sights: NDArray[np.void]  # SIGHT[a power of two], as `no_sights` gives them
    searches: NDArray[np.void]  # SEARCH[1]
    agents: NDArray[np.void]  # AGENT[1], scratch
    memory: NDArray[np.void]  # ANSWER[a power of two]


class Workspace(NamedTuple):
    """Arrays and records that the kernels of one search pass to each other."""

    scratch: NDArray[np.void]  # the state of a simulation, one row
    tree: NDArray[np.void]
    sights: NDArray[np.void]
    search: Any  # a record of SEARCH
    agent: Any  # a record of AGENT
    networks: Networks  # of the agents
    memory: NDArray[np.void]  # cached evaluations of the networks


class Results(NamedTuple):
    """Results of the decisions of a batch."""

    offsets: NDArray[np.int64]  # [rows + 1], the start of each row's actions
    found: NDArray[np.void]  # FOUND[legal actions of all rows]
    values: NDArray[np.float32]  # [rows]
    chosen: NDArray[np.int64]  # [rows]


class ReusedTrees(NamedTuple):
    """Trees that continue from decision to decision."""

    before: Subtrees  # the tree that the previous decision of each row has left
    left: Subtrees  # the tree that each row leaves, with equal room for each
