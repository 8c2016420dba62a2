"""A separate value network for a trained network: a second network that estimates the positions a search evaluates.

The network's own value was learned alongside its policy, from the games of its training. A separate value network
learns from millions of games of the finished network, in which some turns are perturbed
(agents/data/perturbed_games.py), and learns nothing else. The network plays as before; searches with it as prior policy
evaluate positions with the value network.
"""

import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import numpy as np
from torch.nn.functional import mse_loss

from stardeck.agents.data.perturbed_games import TurnObservations, play_perturbed
from stardeck.agents.networks.agent import JUDGE, SUFFIX, Network, NetworkAgent, read_network, write_network
from stardeck.benchmarks.progress import Report, Wanted
from stardeck.benchmarks.results.atomic_files import write_whole
from stardeck.game.game import Game
from stardeck.game.registry import make
from stardeck.kernels.deprecation import attribute
from stardeck.kernels.loops import playouts
from stardeck.training.auxiliary.network import AuxiliaryTraining, Positions, TrainingGames, teach
from stardeck.training.recipe import ValueRecipe, with_changes
from stardeck.training.time_limit import TimeLimit

FIGURES = "games", "positions", "seconds", "explained", "explained_before"  # of a value network that `train` adds
SEEN = 16  # observations of a game that there is room for: twice as many as occur in the core set


class PerturbedGames(TrainingGames):
    """Positions at starts of turns, as a seat sees them, with the return of that seat."""

    def _piece(self, states, seeds):
        room = SEEN * len(states) + 2
        observations = np.empty((room, self._game.observation_size), np.uint8)
        games, seats = np.empty((2, room), np.int64)
        turns = TurnObservations(observations, games, seats)
        count = play_perturbed(self._game.rules, states, self._cast.networks, seeds, self._astray, turns, None)
        return Positions(observations[:count], self._game.returns(states)[games[:count], seats[:count]])


def _error_of(told, results):
    return mse_loss(told[:, 0], results)


class _ValueTraining(AuxiliaryTraining):
    what, games, loss_of = JUDGE, PerturbedGames, _error_of

    def figures(self, network, held_out):
        before = explained_variance(self.agent.judge, held_out)
        return {"explained": explained_variance(network, held_out), "explained_before": before}


def train_value(
    game: str, agent: str, out: str | Path | None = None, seed: int = 0, recipe: Mapping[str, Any] | None = None,
    progress: Wanted = None, **settings: Any,
) -> dict[str, Any]:  # fmt: skip
    """Train a separate value network for a trained network.

    The summary holds `explained`, the share of the variance of returns at starts of turns that the value network
    explains, in games that it did not learn from. 1 is all of it, and 0 no more than their mean explains.
    `explained_before` is the share of the previous value network. The same call continues an
    interrupted run, to the same end.

    Args:
        game: Name of the game.
        agent: The network, by name or file.
        out: Folder, by default `results/value-<id>`. Its `agent.safetensors` plays as the agent does and holds the
            value network, which searches with this agent as prior policy then use.
        seed: Seed of all chance.
        recipe: Changes of the numbers of `ValueRecipe` in training/recipe.py, {name: value}.
        progress: As for `train`, in games.
        **settings: Settings of the game.

    Returns:
        The summary, which is also written to `summary.json`.

    Raises:
        ValueError: A setting or a number is impossible, the agent is not a network, or the folder holds another
            training.
    """
    played = make(game, **settings)
    numbers = with_changes(ValueRecipe(), recipe or {}, "train-value")
    return teach(_ValueTraining, played, agent, out, seed, numbers, progress)


def add_value_network(
    game: Game, summary: dict[str, Any], out: Path, rounds: int, progress: Report, limit: TimeLimit
) -> None:
    """Train the value network of an agent that `train` has made, and write both into the agent's file.

    Args:
        game: The variant.
        summary: Summary of the agent's training; `value_network` is added, in `summary.json` too. If the time limit
            comes first, `finished` becomes False.
        out: Folder of that training; the value network's is `value` in it.
        rounds: Number of rounds of games.
        progress: As for `train`, in games.
        limit: Time after which the training stops.
    """
    path = out / f"agent{SUFFIX}"
    agent = NetworkAgent(read_network(path), path.stem)
    numbers = with_changes(ValueRecipe(), {"rounds": rounds}, "train-value")
    found = _ValueTraining(game, agent, numbers, summary["seed"], out / "value", progress).run(limit)
    if found is None:
        summary["finished"] = False
    else:
        write_network(path, read_network(out / "value" / path.name))
        summary["value_network"] = {name: found[name] for name in FIGURES}
    write_whole(out / "summary.json", json.dumps(summary, indent=2) + "\n")


def __getattr__(name):
    return attribute(__name__, name, {"teach_judge": "train_value"})


def explained_variance(judge: Network, seen: Positions) -> float | None:
    """Return the share of the results' variance that a value network explains; None without variance."""
    if not len(seen.results) or np.ptp(seen.results) == 0:
        return None
    values = np.empty(len(seen.results), np.float32)
    playouts.value_all(judge.weights, judge.shape, seen.observations, values)
    return float(1 - np.mean((seen.results - values) ** 2) / seen.results.var())
