"""A judge for a trained network: another network, taught what positions are worth that a search asks about.

The value of a network was learned beside its policy, from the games that it played on its way; a judge learns from
games of the network as it is, by the million, of which some turns go astray (agents/astray.py), and learns nothing
else. The network plays as before; a search that it guides asks the judge.
"""

import json
import threading
import time
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
import torch
from gymnasium.spaces import Box
from numpy.typing import NDArray
from torch import nn
from torch.nn.functional import mse_loss

from stardeck import agents
from stardeck.agents.astray import play_astray
from stardeck.agents.cast import Cast
from stardeck.agents.identity import identity_of
from stardeck.agents.layout import layout_of
from stardeck.agents.network import SUFFIX, Network, NetworkAgent, judge_of, write_network
from stardeck.benchmarks.disk import write_whole
from stardeck.benchmarks.origin import origin
from stardeck.benchmarks.threads import available_cores
from stardeck.benchmarks.writing import only_writer
from stardeck.envs.crew import Crew
from stardeck.envs.game import Game
from stardeck.envs.registry import make
from stardeck.kernels import playing
from stardeck.kernels.network import Shape
from stardeck.training.course import Course
from stardeck.training.learning import average_of
from stardeck.training.methods import check_seed
from stardeck.training.policy import LOWEST_RATE, Trunk, layers_of
from stardeck.training.recipe import JudgeRecipe, changed

PIECE = 1_000  # games that share room for what is seen in them, however many cores there are
SEEN = 16  # observations of a game for which there is room: twice as many as there are in the core set
HELD_OUT = 20_000  # games that are not learned from, and tell how good it has become
PLAYING, LEARNING, TESTING = range(3)  # streams of chance, the first two of a round
SEEDS = 2**63  # of deals


class Seen(NamedTuple):
    """Positions at starts of turns, as a seat sees them, and what that seat got in the end."""

    observations: NDArray[np.uint8]  # [n, observation_size]
    results: NDArray[np.float32]  # [n]


class Played:
    """Games of a network in which a share of the turns goes astray."""

    def __init__(self, game: Game, agent: NetworkAgent, astray: float) -> None:
        agent.check(game)
        self._game, self._cast, self._astray = game, Cast([agent]), astray

    def play(self, games: int, seed: list[int]) -> Seen:
        """So many games, on all cores; they depend on the seed alone."""
        game = self._game
        random = np.random.default_rng(seed)
        states = game.deal(random.integers(SEEDS, size=games, dtype=np.uint64))
        seeds = random.integers(2**64, size=games, dtype=np.uint64)
        parts: dict[int, Seen] = {}
        broken_off = threading.Event()  # by Ctrl-C, which this thread hears: the others need not play to their end

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
        Crew(pieces, min(available_cores(), pieces)).run(work)
        return Seen(*map(np.concatenate, zip(*(parts[start] for start in sorted(parts)), strict=True)))

    def _piece(self, states, seeds):
        room = SEEN * len(states) + 2
        observations = np.empty((room, self._game.observation_size), np.uint8)
        games, seats = np.empty((2, room), np.int64)
        count = play_astray(
            self._game.rules, states, self._cast.weights, self._cast.shapes, seeds, self._astray, observations, games,
            seats,
        )  # fmt: skip
        return Seen(observations[:count], self._game.returns(states)[games[:count], seats[:count]])


class Learner(nn.Module):
    """A judge that learns, with its optimizer."""

    def __init__(self, game: Game, recipe: JudgeRecipe, seed: int) -> None:
        super().__init__()
        torch.manual_seed(seed)
        self.trunk = Trunk(Box(0, 255, (game.observation_size,), np.uint8), recipe.units, game.observation_scale())
        self.value = nn.Linear(recipe.units[-1], 1)
        self.optimizer = torch.optim.Adam(self.parameters(), lr=recipe.learning_rate)

    def forward(self, observations: NDArray[np.uint8]) -> torch.Tensor:
        """What it expects: float32[n]."""
        return self.value(self.trunk(torch.as_tensor(observations)))[:, 0]

    def learn(self, seen: Seen, averaged: Any, rate: float, recipe: JudgeRecipe, seed: list[int]) -> None:
        """Some passes over the positions, each in an order of its own. averaged: the average of the weights."""
        random = np.random.default_rng(seed)
        for group in self.optimizer.param_groups:
            group["lr"] = rate
        for _ in range(recipe.passes):
            order = random.permutation(len(seen.results))
            for start in range(0, len(order), recipe.batch):
                rows = order[start : start + recipe.batch]
                loss = mse_loss(self(seen.observations[rows]), torch.as_tensor(seen.results[rows]))
                self.optimizer.zero_grad()
                loss.backward()
                self.optimizer.step()
                averaged.update_parameters(self)

    def unseen(self) -> NDArray[np.bool_]:
        """Which inputs were 0 in all that it has learned from, so that no weight of theirs ever moved: bool[inputs]."""
        weights = self.trunk.layers[0].weight
        moments = self.optimizer.state.get(weights)
        squares = moments["exp_avg_sq"] if moments else torch.zeros_like(weights)  # of gradients
        return (squares == 0).all(dim=0).numpy()

    def export(self, spaces: str, unseen: NDArray[np.bool_]) -> Network:
        """The judge as a file of an agent holds it. unseen: inputs that count nothing: their weights are chance."""
        [(matrix, bias), *others], value = layers_of(self.trunk, self.value)
        return judge_of([(np.where(unseen[:, None], 0, matrix), bias), *others], value, spaces)


def teach_judge(
    game: str, agent: str, out: str | Path | None = None, seed: int = 0, recipe: Mapping[str, Any] | None = None,
    progress: Callable[[int, int, str], None] | None = None, **settings: Any,
) -> dict[str, Any]:  # fmt: skip
    """Teach a judge for a trained network; returns the summary that is also written to `summary.json`.

    game: name of a game; settings: its settings. agent: the network, by name or file. out: a folder, by default
    `results/judge-<id>`; `agent.safetensors` in it plays as the agent does, and holds the judge, which searches that it
    guides ask from then on. recipe: what to change of the numbers of `JudgeRecipe` in training/recipe.py, {name:
    value}. The same call goes on where it was stopped, to the same end. progress: called as progress(games, all, note).

    The summary: `explained`, how much of the variance of results at starts of turns, in games that it did not learn
    from, the judge explains: 1 all, 0 no more than their mean does; `explained_before`, how much what judged before it.

    Raises ValueError for impossible settings or numbers, an agent that is no network, or a folder of another one.
    """
    played = make(game, **settings)
    numbers = changed(JudgeRecipe(), recipe or {}, "judge")
    check_seed(seed)
    taught = agents.get(agent, played)
    if not isinstance(taught, NetworkAgent):
        raise ValueError(f"agent {taught.name!r}: must be a network, by name or file; others have no judge")
    out = Path(out) if out else Path("results") / f"judge-{played.id.replace('/', '-')}"
    with only_writer(out):
        return _Teaching(played, taught, numbers, seed, out, progress or (lambda done, total, note: None)).run()


class _Teaching:
    """One judge on its way. Everything that a round does depends on its number and the seed alone."""

    def __init__(self, game, agent, recipe, seed, out, tell):
        self._game, self._agent, self._recipe, self._seed, self._out, self._tell = game, agent, recipe, seed, out, tell
        self._played = Played(game, agent, recipe.astray)
        self._identity = {
            "variant": game.id, "settings": game.settings, "tables": game.variant.tables, "spaces": game.spaces,
            "method": "judge", "seed": seed, "agents": [identity_of(agent)], "recipe": recipe.as_dict(),
        }  # fmt: skip

    def run(self):
        course = Course(self._out, self._identity)
        learner = Learner(self._game, self._recipe, self._seed)
        averaged = average_of(learner, self._recipe.averaging)
        notes = {"rounds": 0, "copies": 0, "decisions": 0, "seconds": {}, "evaluations": []}
        if checkpoint := course.newest():
            notes = course.load_policy(checkpoint, learner, averaged.module)
        while notes["rounds"] < self._recipe.rounds:
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
        learner.learn(seen, averaged, rate, recipe, [self._seed, number, LEARNING])
        return len(seen.results)

    def _finish(self, learner, unseen, notes):
        """Write the agent with its judge, and the summary."""
        games = self._recipe.rounds * self._recipe.games
        self._tell(games, games, "looking at games that it has not learned from")
        judge = learner.export(self._game.spaces, unseen)
        held_out = self._played.play(min(HELD_OUT, self._recipe.games), [self._seed, self._recipe.rounds, TESTING])
        summary = {
            **{name: self._identity[name] for name in ("variant", "settings", "tables", "seed", "recipe")},
            "agent": self._agent.name,
            "identities": self._identity["agents"],
            "games": games,
            "positions": notes["decisions"],
            "seconds": round(notes["seconds"]["all"]),
            "explained": explained(judge, held_out),
            "explained_before": explained(self._agent.judge, held_out),
            "origin": origin(),
        }
        network = self._agent.network
        kept = ("recipe", "seed", "games", "seconds", "explained")
        about = network.about | {"judge": {name: summary[name] for name in kept}}
        ends = network.policy, network.value, network.spaces
        sampled, tanh = (bool(network.shape[place]) for place in (Shape.SAMPLED, Shape.TANH))
        whole = Network(network.layers, *ends, about, sampled, tanh, layout_of(self._game), judge)
        write_network(self._out / f"agent{SUFFIX}", whole)
        write_whole(self._out / "summary.json", json.dumps(summary, indent=2) + "\n")
        return summary


def explained(judge: Network, seen: Seen) -> float | None:
    """How much of the variance of the results a judge explains; None where there is none."""
    if not len(seen.results) or np.ptp(seen.results) == 0:
        return None
    values = np.empty(len(seen.results), np.float32)
    playing.value_all(judge.weights, judge.shape, seen.observations, values)
    return float(1 - np.mean((seen.results - values) ** 2) / seen.results.var())
