"""Search of a batch of decisions: its memory, the clock, threads, and prior policies that Python evaluates.

Several trees may share a decision, each with its own seed and thread: root parallelism. The tries of their roots are
added up. (Chaslot, Winands, van den Herik: Parallel Monte-Carlo tree search, 2008)
"""

import time
from functools import partial
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from stardeck.agents.search.evaluation_cache import ANSWER, room_for
from stardeck.agents.search.information_sets import no_sights
from stardeck.agents.search.options import MOST
from stardeck.agents.search.root import FOUND, conclude, pool_roots
from stardeck.agents.search.simulation import search_all
from stardeck.agents.search.tree import NOBODY, NODE
from stardeck.agents.search.tree_reuse import Reuse, Subtrees, nothing
from stardeck.agents.search.workspace import Buffers, Results, ReusedTrees
from stardeck.game.agent import Actions, Agent, Seeds, States, decisions
from stardeck.game.agent_table import AgentTable
from stardeck.game.cores import CORES, available_cores
from stardeck.game.game import Game
from stardeck.kernels.loops import playouts
from stardeck.kernels.primitives.network import ACTION_LIMIT

CHUNK = 10_000  # simulations in one call of compiled code, which cannot be interrupted
SLICE = 16  # simulations between two looks at the clock
TREES = 2**32  # added to the number of a tree, so that its seed differs from every deal's
BRANCHES = 32  # nodes of memory for each simulation; once the memory is full, no nodes are added


class Budget(NamedTuple):
    """The budget of a decision, in simulations or in time."""

    simulations: int | None
    milliseconds: int | None
    threads: int | None  # trees that share it; None: 1, with a time limit and a batch of one row one per idle core

    def trees(self, rows: int) -> int:
        """Return the largest number of trees of a decision in a batch of that many rows."""
        if self.simulations is not None:
            return min(self.threads or 1, self.simulations)
        return self.threads or (available_cores() if rows == 1 else 1)

    def share(self, tree: int, trees: int) -> "Budget":
        """Return the budget of one of the trees: an equal part of the simulations, or the whole time."""
        if self.simulations is None:
            return self
        return self._replace(simulations=self.simulations // trees + (tree < self.simulations % trees))


class Settings(NamedTuple):
    """A search prepared for a game."""

    cast: AgentTable  # the compiled agents of the search
    search: NDArray[np.void]  # SEARCH[1], changed by the search
    outsider: Agent | None  # a prior policy that Python evaluates
    budget: Budget

    def share(self, tree: int, trees: int) -> "Settings":
        """Return the settings of one of the trees that share a decision, with a record of its own."""
        budget, search = self.budget.share(tree, trees), self.search.copy()
        search[0]["simulations"] = budget.simulations or MOST
        return self._replace(search=search, budget=budget)


class Thoughts(NamedTuple):
    """Results of a search for n decisions; `actions[offsets[i] : offsets[i + 1]]` are the legal actions of row i."""

    chosen: Actions  # int64[n]: the answer of `act`
    offsets: NDArray[np.int64]  # [n + 1]
    actions: NDArray[np.int64]  # [legal actions of all rows], ascending in each row
    policy: NDArray[np.float32]  # [legal actions of all rows]: recommended probabilities, which sum to 1 in each row
    values: NDArray[np.float32]  # [n]: expected return of the acting seat; NaN where the decision is forced
    forced: NDArray[np.bool_]  # [n]: only one action is legal, so nothing was searched
    found: NDArray[np.void]  # FOUND[legal actions of all rows]: policy, prior, mean return and number of tries

    def of(self, row: int) -> "Thoughts":
        """Return the results of one row; what is written there is written here."""
        start, stop = self.offsets[row : row + 2]
        one, found = slice(row, row + 1), self.found[start:stop]
        offsets = np.array([0, stop - start])
        actions = self.actions[start:stop]
        return Thoughts(self.chosen[one], offsets, actions, found["policy"], self.values[one], self.forced[one], found)

    def copy(self) -> "Thoughts":
        """Return results that can be written to without changing these."""
        found = self.found.copy()
        return self._replace(chosen=self.chosen.copy(), values=self.values.copy(), policy=found["policy"], found=found)


def think(
    game: Game, settings: Settings, states: States, seeds: Seeds, reuse: Reuse | None = None
) -> tuple[Thoughts, int]:
    """Search from each row.

    Args:
        game: The game of the states.
        settings: The search; its record is changed.
        states: The decisions, one row each.
        seeds: The chance of each, uint64[n].
        reuse: Trees of the previous decisions, to begin from.

    Returns:
        The results of the search, and the number of simulated decisions.
    """
    thoughts = _nothing_yet(game, states)
    with CORES.working():
        if settings.budget.trees(len(states)) > 1:
            return thoughts, _search_in_parallel(game, settings, states, seeds, thoughts)
        return thoughts, _search_alone(game, settings, states, seeds, thoughts, reuse)


def _search_alone(game, settings, states, seeds, thoughts, reuse):
    """Search with one tree for each row; return the number of simulated decisions."""
    before = reuse.before(game, states) if reuse else nothing(len(states))
    left = nothing(len(states), reuse.room(settings.budget.simulations) if reuse else 0)
    thinking = _BatchSearch(game, settings, before, left)
    thinking.search_all_rows(states, seeds, thoughts)
    if reuse:
        reuse.leave(game, states, thoughts.chosen, thoughts.forced, before, left)
    return thinking.decisions


def _search_in_parallel(game, settings, states, seeds, thoughts):
    """Search each row with several trees on as many threads; return the number of simulated decisions.

    A number of simulations has the same result on any number of cores.
    """
    trees = settings.budget.trees(len(states))
    with CORES.reserved(trees - 1) as helpers:
        if settings.budget.simulations is None:
            trees = 1 + helpers
        searches = [_BatchSearch(game, settings.share(tree, trees), nothing(1), nothing(1)) for tree in range(trees)]
        for row in range(len(states)):
            one, here = states[row : row + 1], thoughts.of(row)
            if thoughts.forced[row]:
                searches[0].search_all_rows(one, seeds[row : row + 1], here)
                continue
            jobs = [
                partial(search.search_all_rows, one, tree_seed(seeds[row], tree), here if tree == 0 else here.copy())
                for tree, search in enumerate(searches)
            ]
            CORES.run(jobs, helpers, partial(_stop_all, searches))
            searches[0].conclude(searches[1:], here)
    return sum(search.decisions for search in searches)


def _stop_all(searches):
    for search in searches:
        search.stop()


def tree_seed(seed: np.uint64, tree: int) -> NDArray[np.uint64]:
    """Return the seed of one of the trees that share a decision, uint64[1]; the first tree has the decision's own."""
    drawn = np.array([seed], np.uint64)
    if tree:
        playouts.seed_blocks(drawn[0], np.array([TREES + tree]), drawn)
    return drawn


def _nothing_yet(game, states):
    rows, actions = np.nonzero(game.legal_actions(states))
    n = len(states)
    counts = np.bincount(rows, minlength=n)
    offsets = np.concatenate([[0], np.cumsum(counts)])
    found, values = np.empty(len(actions), FOUND), np.empty(n, np.float32)
    return Thoughts(np.empty(n, np.int64), offsets, actions, found["policy"], values, counts == 1, found)


class _BatchSearch:
    """One running search with its memory. Memory that no node has reached is never touched."""

    def __init__(self, game: Game, settings: Settings, before: Subtrees, left: Subtrees) -> None:
        self._game, self._outsider, self._search = game, settings.outsider, settings.search
        self._milliseconds = settings.budget.milliseconds
        self._stopped = False
        self._networks = settings.cast.networks
        self._reused = ReusedTrees(before, left)
        simulations = settings.budget.simulations
        room = len(left.nodes) // max(len(left.ends), 1)  # also without a tree from before
        self._buffers = Buffers(
            scratch=np.empty(1, game.state_dtype),
            tree=np.empty((simulations or SLICE) * BRANCHES + ACTION_LIMIT + room, NODE),
            sights=no_sights((simulations or MOST) if self._search[0]["others"] != NOBODY else 1),
            searches=self._search,
            agents=np.zeros(1, playouts.AGENT),
            memory=np.zeros(room_for(simulations or MOST), ANSWER),
        )

    @property
    def decisions(self):
        """The number of simulated decisions so far."""
        return int(self._search[0]["decisions"])

    def stop(self):
        """Make a search on another thread end early, without results."""
        self._stopped = True

    def conclude(self, others, thoughts):
        """Add the roots of other trees of the same decision to the root of this one, and write the results."""
        for other in others:
            pool_roots(self._buffers.tree, self._search, other._buffers.tree, other._search)
        conclude(self._buffers.tree, self._search, thoughts.found, thoughts.values, thoughts.chosen)

    def search_all_rows(self, states, seeds, thoughts):
        """Search row after row, and write the results."""
        self._search[0]["row"] = 0
        self._buffers.sights["row"] = -1  # nodes of an earlier call, whose rows had the same numbers
        states = np.ascontiguousarray(states)
        if self._milliseconds is None:
            self._search_rows(states, seeds, thoughts)
        else:
            self._search_by_the_clock(states, seeds, thoughts, self._milliseconds / 1000)

    def _search_rows(self, states, seeds, thoughts):
        while self._search[0]["row"] < len(states) and not self._stopped:
            self._go_on(states, seeds, thoughts, CHUNK)

    def _search_by_the_clock(self, states, seeds, thoughts, seconds):
        """Search row after row within the time limit each; the row then counts the simulations that fitted."""
        search = self._search[0]
        for row in range(len(states)):
            search["simulations"] = MOST
            until = time.perf_counter() + seconds
            while search["row"] == row and (self._goes_on(until) or not search["simulated"]):
                self._go_on(states, seeds, thoughts, SLICE)
                self._make_room()
            search["simulations"] = search["simulated"]
            while search["row"] == row:
                self._go_on(states, seeds, thoughts, 0)

    def _goes_on(self, until):
        return time.perf_counter() < until and not self._stopped

    def _make_room(self):
        tree = self._buffers.tree
        if self._search[0]["nodes"] + SLICE * BRANCHES > len(tree):
            self._buffers = self._buffers._replace(tree=np.concatenate([tree, np.empty_like(tree)]))

    def _go_on(self, states, seeds, thoughts, simulations):
        """Run that many simulations, fewer if Python has to evaluate the prior policy in between."""
        results = Results(thoughts.offsets, thoughts.found, thoughts.values, thoughts.chosen)
        search_all(
            self._game.rules, states, seeds, self._buffers, self._networks, simulations, results, self._reused
        )  # fmt: skip
        if self._search[0]["waiting"]:
            self._ask_outsider()

    def _ask_outsider(self):
        """Store the action of a prior policy that is not compiled, in the current position of the simulation."""
        search, scratch = self._search[0], self._buffers.scratch
        deal, seat, decision = np.uint64(search["deal"]), int(scratch[0]["to_act"]), int(scratch[0]["decisions"])
        seed = np.array([playouts.seed_one(deal, deal, seat, decision)], np.uint64)
        (search["answer"],) = decisions(self._outsider, self._game, scratch, seed)
        search["waiting"] = 0
