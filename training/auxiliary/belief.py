"""An opponent-hand model for a trained network: a second network that estimates hands from how opponents play.

A search redraws hidden cards. By the rules all hands are equally likely. Given the play of the network some are much
more likely, since it prefers some cards as payment. The model learns from games of the network. For each kind of card
and each other hand it estimates how much more likely the card is than at random, from a seat's observation. A search
against opponents that play like the network deals hands by these weights (agents/search/belief.py).
"""

from collections.abc import Mapping
from pathlib import Path
from typing import Any

import numpy as np
import torch
from numpy.typing import NDArray
from torch.nn.functional import log_softmax

from stardeck.agents.data.perturbed_games import HiddenHands, play_perturbed
from stardeck.agents.networks.agent import BELIEF, Network
from stardeck.benchmarks.progress import Wanted
from stardeck.game.registry import make
from stardeck.kernels.deprecation import attribute
from stardeck.training.auxiliary.network import AuxiliaryTraining, Positions, TrainingGames, teach
from stardeck.training.recipe import BeliefRecipe, with_changes

SEEN = 48  # decisions of a game that there is room for
_NONE = -1e9  # log weight of a card that does not exist


class HiddenHandGames(TrainingGames):
    """Decisions with hidden cards: the other hands and the pool that they were dealt from, [n, players, kinds]."""

    def _piece(self, states, seeds):
        game, room = self._game, SEEN * len(states)
        observations = np.empty((room, game.observation_size), np.uint8)
        counts = np.empty((room, game.players, game.variant.kinds_held), np.uint8)
        hands = HiddenHands(observations, counts)
        count = play_perturbed(game.rules, states, self._cast.networks, seeds, self._astray, None, hands)
        return Positions(observations[:count], counts[:count])


def hand_loss(told: torch.Tensor, counts: torch.Tensor) -> torch.Tensor:
    """Return the mean negative log probability of the cards held in other hands, given log weights.

    Args:
        told: Log weights of a model, float32[n, others * kinds].
        counts: Cards of each hand and of the pool, uint8[n, others + 1, kinds].
    """
    held, pool = counts[:, :-1].float(), counts[:, -1:]
    by_chance = torch.where(pool > 0, pool.float().log(), _NONE)
    likely = log_softmax(told.view(held.shape) + by_chance, dim=-1)
    return -(held * likely).sum() / held.sum().clamp(min=1)


class _BeliefTraining(AuxiliaryTraining):
    what, games, loss_of = BELIEF, HiddenHandGames, hand_loss

    @property
    def numbers(self):
        return self.game.belief_size

    def figures(self, network, held_out):
        return {"choice": perplexity(network, held_out), "choice_before": perplexity(None, held_out)}


def train_belief(
    game: str, agent: str, out: str | Path | None = None, seed: int = 0, recipe: Mapping[str, Any] | None = None,
    progress: Wanted = None, **settings: Any,
) -> dict[str, Any]:  # fmt: skip
    """Train an opponent-hand model for a trained network.

    The summary holds `choice`, the perplexity of a card in another hand under the model, in games that it did not learn
    from. It is the number of equally likely kinds of cards that would be as hard to guess. `choice_before` is the
    perplexity at random. The same call continues an interrupted run, to the same end.

    Args:
        game: Name of the game.
        agent: The network, by name or file.
        out: Folder, by default `results/belief-<id>`. Its `agent.safetensors` plays as the agent does and holds the
            model, by which searches with this agent as opponent model (`opponents`) deal hands.
        seed: Seed of all chance.
        recipe: Changes of the numbers of `BeliefRecipe` in training/recipe.py, {name: value}.
        progress: As for `train`, in games.
        **settings: Settings of the game.

    Returns:
        The summary, which is also written to `summary.json`.

    Raises:
        ValueError: A setting or a number is impossible, the agent is not a network, or the folder holds another
            training. Or the play of others says nothing about their hands in this game.
    """
    played = make(game, **settings)
    if not played.belief_size:
        raise ValueError(f"{played.id}: the play of others says nothing about their hands")
    numbers = with_changes(BeliefRecipe(), recipe or {}, "train-belief")
    return teach(_BeliefTraining, played, agent, out, seed, numbers, progress)


def __getattr__(name):
    return attribute(__name__, name, {"teach_belief": "train_belief"})


def log_weights(belief: Network, observations: NDArray[np.uint8]) -> NDArray[np.float32]:
    """Return the log weights of a model for observations: float32[n, others * kinds]."""
    seen = observations.astype(np.float32)
    for matrix, bias in belief.layers:
        seen = np.maximum(seen @ matrix + bias, 0)
    return seen @ belief.policy[0] + belief.policy[1]


def perplexity(belief: Network | None, seen: Positions) -> float | None:
    """Return the perplexity of a card in another hand under a model, or at random for None."""
    if not len(seen.results):
        return None
    size = (seen.results.shape[1] - 1) * seen.results.shape[2]
    by_chance = np.zeros((len(seen.results), size), np.float32)
    told = by_chance if belief is None else log_weights(belief, seen.observations)
    return float(hand_loss(torch.as_tensor(told), torch.as_tensor(seen.results)).exp())
