"""Opponents of the learner: fixed agents, and a growing pool of frozen copies of itself.

Fixed agents teach what every opponent punishes. A learner that continues against them overfits to their habits, so they
become rare after an early stage. Frozen copies remain, and some of them use tree search.
"""

from pathlib import Path

import numpy as np

from stardeck import agents
from stardeck.agents.networks.agent import SUFFIX, Network, NetworkAgent, read_network, write_network
from stardeck.agents.search.agent import SearchAgent
from stardeck.benchmarks.results.atomic_files import to_disk
from stardeck.game.game import Game
from stardeck.kernels.files import in_order_of_numbers
from stardeck.training.recipe import Recipe

LINEUPS = 64  # drawn again when the pool grows; each game draws one of them


class Opponents:
    """Fixed agents and the frozen copies in a folder.

    Copies play as they are written, with 16-bit weights, and draw their actions from their policy: a deterministic copy
    could be beaten by a trick.
    """

    def __init__(self, folder: str | Path, game: Game, recipe: Recipe, seed: int) -> None:
        self.folder = Path(folder)
        self.game = game
        self._recipe = recipe
        self._seed = seed
        self._fixed = [agents.get(agent, game) for agent in recipe.opponents]
        self._copies = [self._read(path) for path in self.files()]

    def files(self) -> list[Path]:
        """Return the files of the frozen copies, the oldest first."""
        return in_order_of_numbers(self.folder.glob(f"*{SUFFIX}"))

    def keep_only(self, count: int) -> None:
        """Delete all copies except the oldest `count`: the others are newer than the loaded checkpoint."""
        if len(self.files()) < count:
            raise ValueError(f"{self.folder}: holds {len(self.files())} of {count} frozen copies; use another folder")
        for path in self.files()[count:]:
            path.unlink()
        self._copies = self._copies[:count]

    def __len__(self):
        return len(self._copies)

    def freeze(self, network: Network) -> None:
        """Add a copy of the learner to the pool."""
        self.folder.mkdir(parents=True, exist_ok=True)
        path = self.folder / f"{len(self._copies):04}{SUFFIX}"
        write_network(path, network)
        to_disk(path)  # a checkpoint relies on it
        self.read_new()

    def read_new(self) -> None:
        """Add the copies that are in the folder and not yet in the pool."""
        self._copies += [self._read(path) for path in self.files()[len(self._copies) :]]

    @staticmethod
    def _read(path):
        return NetworkAgent(read_network(path, sampled=True), path.stem)

    def lineups(self) -> list[list]:
        """Return line-ups for `Lanes.set_opponents`: agents by distance from the learner. A team is one agent."""
        random = np.random.default_rng([self._seed, len(self._copies)])
        others = self.game.players - 1
        teams = any(len(seats) > 1 for seats in self.game.variant.sides)
        if not others:
            return [[]]
        drawn = ([self._draw(random) for _ in range(others)] for _ in range(LINEUPS))
        return [[lineup[0]] * others if teams else lineup for lineup in drawn]

    def _draw(self, random):
        if self._fixed and (not self._copies or random.random() < self._fixed_share()):
            return self._fixed[random.integers(len(self._fixed))]
        newest = random.random() < self._recipe.newest_share
        copy = self._copies[-1 if newest else random.integers(len(self._copies))]
        if random.random() < self._recipe.search_share:
            return SearchAgent(self._recipe.search_simulations, prior=copy)
        return copy

    def _fixed_share(self):
        """Return the share of fixed agents among opponents, by the stage in which the newest copy was frozen."""
        recipe = self._recipe
        rollouts = (len(self._copies) - 1) * recipe.freeze_every
        done = rollouts * recipe.num_envs * recipe.rollout / recipe.steps
        return recipe.fixed_share if done < recipe.early else recipe.late_fixed_share
