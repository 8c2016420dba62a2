"""A judge for a trained network: another network, taught what positions are worth that a search asks about.

The value of a network was learned beside its policy, from the games that it played on its way; a judge learns from
games of the network as it is, by the million, of which some turns go astray (agents/data/perturbed_games.py), and
learns nothing else. The network plays as before; a search that it guides asks the judge.
"""

from collections.abc import Mapping
from pathlib import Path
from typing import Any

import numpy as np
from torch.nn.functional import mse_loss

from stardeck.agents.data.perturbed_games import Looks, play_astray
from stardeck.agents.networks.agent import JUDGE, Network
from stardeck.benchmarks.progress import Wanted
from stardeck.game.registry import make
from stardeck.kernels.deprecation import attribute
from stardeck.kernels.loops import playouts
from stardeck.training.auxiliary.network import Played, Seen, Teaching, teach
from stardeck.training.recipe import ValueRecipe, changed

SEEN = 16  # observations of a game for which there is room: twice as many as there are in the core set


class Astray(Played):
    """Positions at starts of turns, as a seat sees them, and what that seat got in the end."""

    def _piece(self, states, seeds):
        room = SEEN * len(states) + 2
        observations = np.empty((room, self._game.observation_size), np.uint8)
        games, seats = np.empty((2, room), np.int64)
        looks = Looks(observations, games, seats)
        count = play_astray(self._game.rules, states, self._cast.networks, seeds, self._astray, looks)
        return Seen(observations[:count], self._game.returns(states)[games[:count], seats[:count]])


def _error_of(told, results):
    return mse_loss(told[:, 0], results)


class _Judging(Teaching):
    what, games, loss_of = JUDGE, Astray, _error_of

    def figures(self, network, held_out):
        before = explained(self.agent.judge, held_out)
        return {"explained": explained(network, held_out), "explained_before": before}


def train_value(
    game: str, agent: str, out: str | Path | None = None, seed: int = 0, recipe: Mapping[str, Any] | None = None,
    progress: Wanted = None, **settings: Any,
) -> dict[str, Any]:  # fmt: skip
    """Train a value network for a trained agent; returns the summary that is also written to `summary.json`.

    game: name of a game; settings: its settings. agent: the network, by name or file. out: a folder, by default
    `results/value-<id>`; `agent.safetensors` in it plays as the agent does, and holds the value network. Searches that
    have it as prior policy ask the value network. recipe: what to change of the numbers of `ValueRecipe` in
    training/recipe.py, {name: value}. The same call goes on where it was stopped, to the same end. progress: as for
    `train`, of games.

    The summary: `explained`, how much of the variance of results at starts of turns, in games that it did not learn
    from, the value network explains: 1 all, 0 no more than their mean does; `explained_before`, the same of the value
    network before.

    Raises ValueError for impossible settings or numbers, an agent that is no network, or a folder of another one.
    """
    played = make(game, **settings)
    numbers = changed(ValueRecipe(), recipe or {}, "train-value")
    return teach(_Judging, played, agent, out, seed, numbers, progress)


def __getattr__(name):
    return attribute(__name__, name, {"teach_judge": "train_value"})


def explained(judge: Network, seen: Seen) -> float | None:
    """How much of the variance of the results a judge explains; None where there is none."""
    if not len(seen.results) or np.ptp(seen.results) == 0:
        return None
    values = np.empty(len(seen.results), np.float32)
    playouts.value_all(judge.weights, judge.shape, seen.observations, values)
    return float(1 - np.mean((seen.results - values) ** 2) / seen.results.var())
