"""Training of an auxiliary network for the searches of a trained one, from games of that network.

Its data and its loss are defined by a subclass: a value network (value.py) or an opponent-hand model (belief.py). The
trained network itself plays as before.
"""

import json
import threading
import time
from abc import ABC, abstractmethod
from collections.abc import Callable
from pathlib import Path
from typing import Any, ClassVar, NamedTuple

import numpy as np
import torch
from gymnasium.spaces import Box
from numpy.typing import NDArray
from torch import nn

from stardeck import agents
from stardeck.agents.identity import identity_of
from stardeck.agents.networks.agent import SUFFIX, Network, NetworkAgent, single_head_network, write_network
from stardeck.agents.networks.input_layout import layout_of
from stardeck.benchmarks.progress import Report, Wanted, progress_of_call
from stardeck.benchmarks.results.atomic_files import write_whole
from stardeck.benchmarks.results.filesystems import folder_here
from stardeck.benchmarks.results.folder_lock import only_writer
from stardeck.benchmarks.results.provenance import origin
from stardeck.game.agent_table import AgentTable
from stardeck.game.cores import available_cores
from stardeck.game.game import Game
from stardeck.game.thread_pool import ThreadPool
from stardeck.kernels.primitives.network import Shape
from stardeck.training.auxiliary import WORDS, folder_for
from stardeck.training.checkpoints import CheckpointFolder
from stardeck.training.expert.targets import average_of
from stardeck.training.policy import LOWEST_RATE, Trunk, layers_of
from stardeck.training.recipe import AuxiliaryRecipe, check_seed
from stardeck.training.time_limit import NO_LIMIT, TimeLimit

PIECE = 1_000  # games that share one buffer of observations, whatever the number of cores
HELD_OUT = 20_000  # games for evaluation, which are not learned from
PLAYING, LEARNING, TESTING = range(3)  # streams of chance, the first two of a round
SEEDS = 2**63  # of deals


class Positions(NamedTuple):
    """Positions as a seat sees them, with a target for each."""

    observations: NDArray[np.uint8]  # [n, observation_size]
    results: NDArray[Any]  # [n, …]


class TrainingGames(ABC):
    """Games of a network in which a share of the turns is perturbed."""

    def __init__(self, game: Game, agent: NetworkAgent, astray: float) -> None:
        agent.check(game)
        self._game, self._cast, self._astray = game, AgentTable([agent]), astray

    def play(self, games: int, seed: list[int]) -> Positions:
        """Play that many games on all cores, and return their positions; they depend on the seed alone."""
        game = self._game
        random = np.random.default_rng(seed)
        states = game.deal(random.integers(SEEDS, size=games, dtype=np.uint64))
        seeds = random.integers(2**64, size=games, dtype=np.uint64)
        parts: dict[int, Positions] = {}
        broken_off = threading.Event()  # set by Ctrl-C, which only this thread receives: the others then stop early

        def work(number, rows):
            try:
                for start in range(rows.start * PIECE, rows.stop * PIECE, PIECE):
                    if broken_off.is_set():
                        return
                    here = slice(start, start + PIECE)
                    parts[start] = self._piece(states[here], seeds[here])
            except BaseException:
                broken_off.set()
                raise

        pieces = -(-games // PIECE)
        ThreadPool(pieces, min(available_cores(), pieces)).run(work)
        return Positions(*map(np.concatenate, zip(*(parts[start] for start in sorted(parts)), strict=True)))

    @abstractmethod
    def _piece(self, states, seeds) -> Positions:
        """Play some of the games."""


class Learner(nn.Module):
    """A network with that many outputs, and its optimizer."""

    def __init__(self, game: Game, numbers: int, recipe: AuxiliaryRecipe, seed: int) -> None:
        super().__init__()
        torch.manual_seed(seed)
        self.trunk = Trunk(Box(0, 255, (game.observation_size,), np.uint8), recipe.units, game.observation_scale())
        self.value = nn.Linear(recipe.units[-1], numbers)
        self.optimizer = torch.optim.Adam(self.parameters(), lr=recipe.learning_rate)

    def forward(self, observations: NDArray[np.uint8]) -> torch.Tensor:
        """Return the outputs: float32[n, numbers]."""
        return self.value(self.trunk(torch.as_tensor(observations)))

    def learn(
        self, seen: Positions, loss_of: Callable[..., torch.Tensor], averaged: Any, rate: float,
        recipe: AuxiliaryRecipe, seed: list[int],
    ) -> None:  # fmt: skip
        """Learn from the positions in some passes, each in its own order. averaged: the average of the weights."""
        random = np.random.default_rng(seed)
        for group in self.optimizer.param_groups:
            group["lr"] = rate
        for _ in range(recipe.passes):
            order = random.permutation(len(seen.results))
            for start in range(0, len(order), recipe.batch):
                rows = order[start : start + recipe.batch]
                loss = loss_of(self(seen.observations[rows]), torch.as_tensor(seen.results[rows]))
                self.optimizer.zero_grad()
                loss.backward()
                self.optimizer.step()
                averaged.update_parameters(self)

    def unseen(self) -> NDArray[np.bool_]:
        """Return the inputs that were 0 in all training data, so their weights never moved: bool[inputs]."""
        weights = self.trunk.layers[0].get_parameter("weight")
        moments = self.optimizer.state.get(weights)
        squares = moments["exp_avg_sq"] if moments else torch.zeros_like(weights)  # of gradients
        return (squares == 0).all(dim=0).numpy()

    def export(self, what: str, spaces: str, unseen: NDArray[np.bool_]) -> Network:
        """Return the network as a file of an agent holds it. unseen: inputs to clear, whose weights are random."""
        [(matrix, bias), *others], end = layers_of(self.trunk, self.value)
        return single_head_network(what, [(np.where(unseen[:, None], 0, matrix), bias), *others], end, spaces)


class AuxiliaryTraining(ABC):
    """One training of an auxiliary network. Everything in a round depends only on its number and the seed."""

    what: ClassVar[str]  # `judge` or `belief`: its name in a file, a folder and a summary
    games: ClassVar[type[TrainingGames]]  # its training data
    loss_of: ClassVar[Callable[..., torch.Tensor]]  # of outputs and targets

    def __init__(
        self, game: Game, agent: NetworkAgent, recipe: AuxiliaryRecipe, seed: int, out: Path, tell: Report
    ) -> None:
        self.game, self.agent = game, agent
        self._recipe, self._seed, self._out, self._tell = recipe, seed, out, tell
        self._played = self.games(game, agent, recipe.astray)
        self._identity = {
            "variant": game.id, "settings": game.settings, "tables": game.variant.tables, "spaces": game.spaces,
            "method": self.what, "seed": seed, "agents": [identity_of(agent)], "recipe": recipe.as_dict(),
        }  # fmt: skip

    @property
    def numbers(self) -> int:
        """Number of outputs."""
        return 1

    @abstractmethod
    def figures(self, network: Network, held_out: Positions) -> dict[str, Any]:
        """Return the figures of merit for the summary; the first one also goes into the file of the agent."""

    def run(self, limit: TimeLimit = NO_LIMIT) -> dict[str, Any] | None:
        """Continue to the end, and return the summary; or None if the time limit has stopped it."""
        course = CheckpointFolder(self._out, self._identity)
        learner = Learner(self.game, self.numbers, self._recipe, self._seed)
        averaged = average_of(learner, self._recipe.averaging)
        notes: dict[str, Any] = {"rounds": 0, "copies": 0, "decisions": 0, "seconds": {}, "evaluations": []}
        if checkpoint := course.newest():
            notes = course.load_policy(checkpoint, learner, averaged.module)
        while notes["rounds"] < self._recipe.rounds:
            if limit.is_up():
                return None
            began = time.perf_counter()
            notes["decisions"] += self._round(notes["rounds"], learner, averaged)
            notes["rounds"] += 1
            notes["seconds"]["all"] = notes["seconds"].get("all", 0.0) + time.perf_counter() - began
            course.save_policy(learner, averaged.module, notes["rounds"], notes)
        return self._finish(averaged.module, learner.unseen(), notes)

    def _round(self, number, learner, averaged):
        recipe = self._recipe
        done = number / recipe.rounds
        self._tell(number * recipe.games, recipe.rounds * recipe.games, f"round {number + 1}")
        seen = self._played.play(recipe.games, [self._seed, number, PLAYING])
        rate = recipe.learning_rate * (1 + (LOWEST_RATE - 1) * done)
        learner.learn(seen, type(self).loss_of, averaged, rate, recipe, [self._seed, number, LEARNING])
        return len(seen.results)

    def _finish(self, learner, unseen, notes):
        """Write the agent with its new auxiliary network, and the summary."""
        games = self._recipe.rounds * self._recipe.games
        self._tell(games, games, "evaluating on held-out games")
        taught = learner.export(self.what, self.game.spaces, unseen)
        held_out = self._played.play(min(HELD_OUT, self._recipe.games), [self._seed, self._recipe.rounds, TESTING])
        figures = self.figures(taught, held_out)
        summary = {
            **{name: self._identity[name] for name in ("variant", "settings", "tables", "seed", "recipe")},
            "agent": self.agent.name,
            "identities": self._identity["agents"],
            "games": games,
            "positions": notes["decisions"],
            "seconds": round(notes["seconds"]["all"]),
            **figures,
            "origin": origin(),
        }
        network = self.agent.network
        kept = ("recipe", "seed", "games", "seconds", next(iter(figures)))
        about = network.about | {self.what: {name: summary[name] for name in kept}}
        ends = network.policy, network.value, network.spaces
        sampled, tanh = (bool(network.shape[place]) for place in (Shape.SAMPLED, Shape.TANH))
        beside = network.beside | {self.what: taught}
        whole = Network(network.layers, *ends, about, sampled, tanh, layout=layout_of(self.game), **beside)
        write_network(self._out / f"agent{SUFFIX}", whole)
        write_whole(self._out / "summary.json", json.dumps(summary, indent=2) + "\n")
        return summary


def teach(
    teaching: type[AuxiliaryTraining], game: Game, agent: str, out: str | Path | None, seed: int,
    recipe: AuxiliaryRecipe, progress: Wanted,
) -> dict[str, Any]:  # fmt: skip
    """Train one auxiliary network, for `train_value` and `train_belief`. Raises ValueError as they do."""
    check_seed(seed)
    taught = agents.get(agent, game)
    if not isinstance(taught, NetworkAgent):
        raise ValueError(
            f"agent {taught.name!r}: must be a network, by name or file; others have no {WORDS[teaching.what]}"
        )
    out = folder_here(out) if out else folder_for(teaching.what, game.id)
    with only_writer(out), progress_of_call(progress, "games") as report:
        summary = teaching(game, taught, recipe, seed, out, report).run()
        assert summary is not None, "it has no time limit"
        return summary
