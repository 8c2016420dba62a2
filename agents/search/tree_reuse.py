"""What a search leaves for the next decision of the same turn: the tree below the action that it took.

The next decision tries its actions anew, so that they are compared on the same deals; below them the tree goes on from
where it was. What was returned there says nothing of the actions themselves: each was tried on other deals, and those
of an action that was taken are the lucky ones.
"""

import threading
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from stardeck.agents.search.tree import NODE, child_of
from stardeck.game.agent import Actions, States
from stardeck.game.game import Game
from stardeck.kernels.compile.jit import kernel
from stardeck.kernels.loops import batch

ROOM, MOST_ROOM = 8, 16_384  # nodes that a decision may leave: for each simulation, of which it fills three; in all
NONE = np.empty(0, NODE)
REMEMBERED = 64  # positions that a thread remembers beside those of its last batch, for who plays several games in turn


class Left(NamedTuple):
    """What n decisions have left; the nodes of row i are `nodes[starts[i] : ends[i]]`, the action's own first."""

    nodes: NDArray[np.void]  # NODE[k]; children and siblings are counted from the first of their row
    starts: NDArray[np.int64]  # [n]
    ends: NDArray[np.int64]  # [n]

    def of(self, row: int) -> NDArray[np.void]:
        """The nodes of a row."""
        return self.nodes[self.starts[row] : self.ends[row]]


def nothing(rows: int, room: int = 0) -> Left:
    """No nodes of so many rows, but room for as many of each."""
    starts = room * np.arange(rows)
    return Left(np.empty(rows * room, NODE), starts, starts.copy())


class Reuse:
    """What the last decisions of each thread have left, by the position that came after them.

    Copied and pickled without it.
    """

    def __init__(self) -> None:
        self._here = threading.local()

    def __reduce__(self) -> tuple[type, tuple[()]]:
        return Reuse, ()

    def room(self, simulations: int | None) -> int:
        """How many nodes a decision may leave. simulations: of a decision, None: as many as there is time for."""
        return min(ROOM * simulations, MOST_ROOM) if simulations else MOST_ROOM

    def before(self, game: Game, states: States) -> Left:
        """What was left for these positions."""
        remembered = self._remembered()
        found = [remembered.get((game.id, state.tobytes()), NONE) for state in states]
        sizes = np.array([len(nodes) for nodes in found], np.int64)
        return Left(np.concatenate([NONE, *found], dtype=NODE), np.cumsum(sizes) - sizes, np.cumsum(sizes))

    def leave(
        self, game: Game, states: States, chosen: Actions, forced: NDArray[np.bool_], before: Left, left: Left
    ) -> None:
        """Remember what these decisions have left, where the same seat goes on with its turn.

        A forced one, bool[n], hands on what the one before it has left.
        """
        after = game.copy(states)
        batch.apply_all(game.rules, after, chosen)
        goes_on = (after["to_act"] == states["to_act"]) & (after["turn"] == states["turn"])
        remembered = self._remembered()
        rows = np.flatnonzero(goes_on).tolist()
        for row in rows:
            key, nodes = (game.id, after[row].tobytes()), (before if forced[row] else left).of(row)
            remembered.pop(key, None)  # the newest stand at the end
            remembered[key] = nodes.copy()
        while len(remembered) > len(rows) + REMEMBERED:
            del remembered[next(iter(remembered))]

    def _remembered(self):
        if not hasattr(self._here, "nodes"):
            self._here.nodes = {}
        return self._here.nodes


@kernel
def leave_below(tree, child, left):
    """Write a child of the root, and what lies below it, to `left`, as far as there is room; returns how much it is.

    left: NODE[n]. Nearest nodes come first, children of one node side by side.
    """
    if len(left) == 0:
        return 0
    left[0] = tree[child]
    left[0].sibling = 0
    count = 1
    at = 0
    while at < count:
        below = np.int64(left[at].child)
        left[at].child = count if below != 0 and count < len(left) else 0
        while below != 0 and count < len(left):
            left[count] = tree[below]
            below = np.int64(tree[below].sibling)
            left[count].sibling = count + 1 if below != 0 and count + 1 < len(left) else 0
            count += 1
        at += 1
    return count


@kernel
def take_up(tree, search, left):
    """Put what was left into a tree that has a root and nothing else; `graft` lets it grow on."""
    first = np.int64(search.nodes)
    for i in range(len(left)):
        node = tree[first + i]
        tree[first + i] = left[i]
        node.child += first if node.child != 0 else 0
        node.sibling += first if node.sibling != 0 else 0
    search.nodes += len(left)
    search.left = first if len(left) > 0 else 0


@kernel
def graft(tree, search):
    """Let each action of the root go on where it was left."""
    if search.left == 0:
        return
    child = np.int64(tree[0].child)
    while child != 0:
        before = child_of(tree, np.int64(search.left), tree[child].action, tree[child].actor)
        if before != 0:
            tree[child].child = tree[before].child
        child = np.int64(tree[child].sibling)
