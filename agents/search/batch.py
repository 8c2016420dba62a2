"""Search of a batch of decisions: its memory, the clock, and prior policies that Python evaluates."""

import time
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from stardeck.agents.search.evaluation_cache import ANSWER, room_for
from stardeck.agents.search.information_sets import no_sights
from stardeck.agents.search.options import MOST
from stardeck.agents.search.root import FOUND
from stardeck.agents.search.simulation import search_all
from stardeck.agents.search.tree import NOBODY, NODE
from stardeck.agents.search.tree_reuse import Reuse, Subtrees, nothing
from stardeck.agents.search.workspace import Buffers, Results, ReusedTrees
from stardeck.game.agent import Actions, Agent, Seeds, States, decisions
from stardeck.game.agent_table import AgentTable
from stardeck.game.game import Game
from stardeck.kernels.loops import playouts
from stardeck.kernels.primitives.network import ACTION_LIMIT

CHUNK = 10_000  # simulations in one call of compiled code, which cannot be interrupted
SLICE = 16  # simulations between two looks at the clock
BRANCHES = 32  # nodes of memory for each simulation; once the memory is full, no nodes are added


class Settings(NamedTuple):
    """A search prepared for a game."""

    cast: AgentTable  # the compiled agents of the search
    search: NDArray[np.void]  # SEARCH[1], changed by the search
    outsider: Agent | None  # a prior policy that Python evaluates
    simulations: int | None  # budget of a decision in simulations,
    milliseconds: int | None  # or in milliseconds


class Thoughts(NamedTuple):
    """Results of a search for n decisions; `actions[offsets[i] : offsets[i + 1]]` are the legal actions of row i."""

    chosen: Actions  # int64[n]: the answer of `act`
    offsets: NDArray[np.int64]  # [n + 1]
    actions: NDArray[np.int64]  # [legal actions of all rows], ascending in each row
    policy: NDArray[np.float32]  # [legal actions of all rows]: recommended probabilities, which sum to 1 in each row
    values: NDArray[np.float32]  # [n]: expected return of the acting seat; NaN where the decision is forced
    forced: NDArray[np.bool_]  # [n]: only one action is legal, so nothing was searched
    found: NDArray[np.void]  # FOUND[legal actions of all rows]: policy, prior, mean return and number of tries


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
    before = reuse.before(game, states) if reuse else nothing(len(states))
    left = nothing(len(states), reuse.room(settings.simulations) if reuse else 0)
    thinking = _BatchSearch(game, settings, before, left)
    if settings.milliseconds is None:
        thinking.search_rows(states, seeds, thoughts)
    else:
        thinking.search_by_the_clock(states, seeds, thoughts, settings.milliseconds / 1000)
    if reuse:
        reuse.leave(game, states, thoughts.chosen, thoughts.forced, before, left)
    return thoughts, int(settings.search[0]["decisions"])


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
        self._networks = settings.cast.networks
        self._reused = ReusedTrees(before, left)
        simulations = settings.simulations
        room = len(left.nodes) // max(len(left.ends), 1)  # also without a tree from before
        self._buffers = Buffers(
            scratch=np.empty(1, game.state_dtype),
            tree=np.empty((simulations or SLICE) * BRANCHES + ACTION_LIMIT + room, NODE),
            sights=no_sights((simulations or MOST) if self._search[0]["others"] != NOBODY else 1),
            searches=self._search,
            agents=np.zeros(1, playouts.AGENT),
            memory=np.zeros(room_for(simulations or MOST), ANSWER),
        )

    def search_rows(self, states, seeds, thoughts):
        states = np.ascontiguousarray(states)
        while self._search[0]["row"] < len(states):
            self._go_on(states, seeds, thoughts, CHUNK)

    def search_by_the_clock(self, states, seeds, thoughts, seconds):
        """Search row after row within the time limit each; the row then counts the simulations that fitted."""
        search, states = self._search[0], np.ascontiguousarray(states)
        for row in range(len(states)):
            search["simulations"] = MOST
            until = time.perf_counter() + seconds
            while search["row"] == row and (time.perf_counter() < until or not search["simulated"]):
                self._go_on(states, seeds, thoughts, SLICE)
                self._make_room()
            search["simulations"] = search["simulated"]
            while search["row"] == row:
                self._go_on(states, seeds, thoughts, 0)

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
