"""A belief for a trained network: another network, taught which cards others hold that play as it does, for search.

A search deals again what it cannot know. By the rules every hand is as likely; by how the network plays some are
likelier by far, for it does not pay with every card as gladly. The belief learns from games of the network how much
likelier each kind of card is in each other hand, from what a seat sees. A search that knows that others play so deals
hands by these weights (agents/search/belief.py).
"""

from collections.abc import Mapping
from pathlib import Path
from typing import Any

import numpy as np
import torch
from numpy.typing import NDArray
from torch.nn.functional import log_softmax

from stardeck.agents.data.hidden_hands import play_and_count
from stardeck.agents.networks.agent import BELIEF, Network
from stardeck.benchmarks.progress import Wanted
from stardeck.game.registry import make
from stardeck.kernels.deprecation import attribute
from stardeck.training.auxiliary.network import Played, Seen, Teaching, teach
from stardeck.training.recipe import BeliefRecipe, changed

SEEN = 48  # decisions of a game for which there is room
_NONE = -1e9  # the logarithm of no card at all


class Counted(Played):
    """Decisions, and what others held: their hands and the cards that these were dealt from, [n, players, kinds]."""

    def _piece(self, states, seeds):
        game, room = self._game, SEEN * len(states)
        observations = np.empty((room, game.observation_size), np.uint8)
        counts = np.empty((room, game.players, game.variant.kinds_held), np.uint8)
        count = play_and_count(game.rules, states, self._cast.networks, seeds, self._astray, observations, counts)
        return Seen(observations[:count], counts[:count])


def surprise(told: torch.Tensor, counts: torch.Tensor) -> torch.Tensor:
    """How surprising the cards in the other hands are, each on its own, to whom it is told how much likelier each is.

    told: float32[n, others * kinds], logarithms; counts: uint8[n, others + 1, kinds]. The mean negative logarithm of
    how likely a card was that is held.
    """
    held, pool = counts[:, :-1].float(), counts[:, -1:]
    by_chance = torch.where(pool > 0, pool.float().log(), _NONE)
    likely = log_softmax(told.view(held.shape) + by_chance, dim=-1)
    return -(held * likely).sum() / held.sum().clamp(min=1)


class _Believing(Teaching):
    what, games, loss_of = BELIEF, Counted, surprise

    @property
    def numbers(self):
        return self.game.belief_size

    def figures(self, network, held_out):
        return {"choice": choice(network, held_out), "choice_before": choice(None, held_out)}


def train_belief(
    game: str, agent: str, out: str | Path | None = None, seed: int = 0, recipe: Mapping[str, Any] | None = None,
    progress: Wanted = None, **settings: Any,
) -> dict[str, Any]:  # fmt: skip
    """Train an opponent-hand model for a trained agent; returns the summary that is also written to `summary.json`.

    game: name of a game; settings: its settings. agent: the network, by name or file. out: a folder, by default
    `results/belief-<id>`; `agent.safetensors` in it plays as the agent does, and holds the model. Searches that have it
    as `opponents` deal hands by the model. recipe: what to change of the numbers of `BeliefRecipe` in
    training/recipe.py, {name: value}. The same call goes on where it was stopped, to the same end. progress: as for
    `train`, of games.

    The summary: `choice`, among how many kinds of cards, were all as likely, one in another hand would be as hard to
    guess as it is to the model, in games that it did not learn from (its perplexity); `choice_before`, the same by
    chance alone.

    Raises ValueError for impossible settings or numbers, an agent that is no network, a game in which how others play
    tells nothing of their hands, or a folder of another one.
    """
    played = make(game, **settings)
    if not played.belief_size:
        raise ValueError(f"{played.id}: play tells nothing about hands, so there is no opponent-hand model to train")
    numbers = changed(BeliefRecipe(), recipe or {}, "train-belief")
    return teach(_Believing, played, agent, out, seed, numbers, progress)


def __getattr__(name):
    return attribute(__name__, name, {"teach_belief": "train_belief"})


def weights_told(belief: Network, observations: NDArray[np.uint8]) -> NDArray[np.float32]:
    """What a belief says: float32[n, others * kinds], logarithms."""
    seen = observations.astype(np.float32)
    for matrix, bias in belief.layers:
        seen = np.maximum(seen @ matrix + bias, 0)
    return seen @ belief.policy[0] + belief.policy[1]


def choice(belief: Network | None, seen: Seen) -> float | None:
    """Among how many kinds of cards one in another hand is as hard to guess, to a belief or by chance."""
    if not len(seen.results):
        return None
    size = (seen.results.shape[1] - 1) * seen.results.shape[2]
    by_chance = np.zeros((len(seen.results), size), np.float32)
    told = by_chance if belief is None else weights_told(belief, seen.observations)
    return float(surprise(torch.as_tensor(told), torch.as_tensor(seen.results)).exp())
