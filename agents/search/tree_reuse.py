"""Tree reuse: the next decision of the same turn begins with the tree below the chosen action.

The next decision tries its actions again, to compare them on the same deals; below them the tree continues.
The returns found there say nothing about the actions themselves: each action was tried on different deals, and the
deals of the chosen action were the lucky ones.
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

ROOM, MOST_ROOM = 8, 16_384  # nodes that a decision may leave: per simulation, which fills three, and in all
NONE = np.empty(0, NODE)
REMEMBERED = 64  # positions that a thread keeps besides its last batch, for callers that play several games in turn


class Subtrees(NamedTuple):
    """Trees left by n decisions: the nodes of row i are `nodes[starts[i] : ends[i]]`, the chosen action's first."""

    nodes: NDArray[np.void]  # NODE[k]; children and siblings are counted from the first node of their row
    starts: NDArray[np.int64]  # [n]
    ends: NDArray[np.int64]  # [n]

    def of(self, row: int) -> NDArray[np.void]:
        """Return the nodes of a row."""
        return self.nodes[self.starts[row] : self.ends[row]]


def nothing(rows: int, room: int = 0) -> Subtrees:
    """Return no nodes for that many rows, with equal room for each."""
    starts = room * np.arange(rows)
    return Subtrees(np.empty(rows * room, NODE), starts, starts.copy())


class Reuse:
    """Trees left by the last decisions of each thread, by the position that followed them.

    Copies and pickles leave them out.
    """

    def __init__(self) -> None:
        self._here = threading.local()

    def __reduce__(self) -> tuple[type, tuple[()]]:
        return Reuse, ()

    def room(self, simulations: int | None) -> int:
        """Return the number of nodes that a decision may leave. simulations: per decision; None: limited by time."""
        return min(ROOM * simulations, MOST_ROOM) if simulations else MOST_ROOM

    def before(self, game: Game, states: States) -> Subtrees:
        """Return the trees left for these positions."""
        remembered = self._remembered()
        found = [remembered.get((game.id, state.tobytes()), NONE) for state in states]
        sizes = np.array([len(nodes) for nodes in found], np.int64)
        return Subtrees(np.concatenate([NONE, *found], dtype=NODE), np.cumsum(sizes) - sizes, np.cumsum(sizes))

    def leave(
        self, game: Game, states: States, chosen: Actions, forced: NDArray[np.bool_], before: Subtrees, left: Subtrees
    ) -> None:
        """Store the trees of these decisions where the same seat continues its turn.

        A forced decision, bool[n], passes on the tree of the previous one.
        """
        after = game.copy(states)
        batch.apply_all(game.rules, after, chosen)
        goes_on = (after["to_act"] == states["to_act"]) & (after["turn"] == states["turn"])
        remembered = self._remembered()
        rows = np.flatnonzero(goes_on).tolist()
        for row in rows:
            key, nodes = (game.id, after[row].tobytes()), (before if forced[row] else left).of(row)
            remembered.pop(key, None)  # insertion order: the newest come last
            remembered[key] = nodes.copy()
        while len(remembered) > len(rows) + REMEMBERED:
            del remembered[next(iter(remembered))]

    def _remembered(self):
        if not hasattr(self._here, "nodes"):
            self._here.nodes = {}
        return self._here.nodes


@kernel
def leave_below(tree, child, left):
    """Copy a child of the root and the nodes below it to `left`, as far as there is room; return their number.

    left: NODE[n]. Nearer nodes come first, and children of one node lie next to each other.
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
    """Copy a tree that was left into a tree with nothing but a root; `graft` attaches it."""
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
    """Let each action of the root continue with the tree that was left."""
    if search.left == 0:
        return
    child = np.int64(tree[0].child)
    while child != 0:
        before = child_of(tree, np.int64(search.left), tree[child].action, tree[child].actor)
        if before != 0:
            tree[child].child = tree[before].child
        child = np.int64(tree[child].sibling)
