"""The network that learns: the policy of MaskablePPO (sb3-contrib) over a trunk that policy and value share."""

import copy
from collections.abc import Sequence
from typing import Any, cast

import numpy as np
import torch
from gymnasium.spaces import Box, Discrete
from numpy.typing import NDArray
from sb3_contrib.common.maskable.policies import MaskableActorCriticPolicy
from stable_baselines3.common.torch_layers import BaseFeaturesExtractor
from torch import nn

from stardeck.agents.networks.agent import Network
from stardeck.agents.networks.input_layout import layout_of
from stardeck.game.game import Game
from stardeck.kernels.errors import cut, shown
from stardeck.kernels.primitives.network import Shape
from stardeck.training.layers.first_layer import first_layer
from stardeck.training.layers.legal_actions import all_choices, legal_choices, legal_choices_of, list_legal
from stardeck.training.recipe import ALL, Recipe

LOWEST_RATE = 0.1  # final share of the learning rate


class Trunk(BaseFeaturesExtractor):
    """Layers of rectified units over scaled observations. scale: float32[observation_size]."""

    scale: torch.Tensor
    layers: nn.Sequential

    def __init__(self, observation_space: Box, units: Sequence[int], scale: NDArray[np.float32]) -> None:
        super().__init__(observation_space, units[-1])
        self.register_buffer("scale", torch.as_tensor(scale))
        widths = [observation_space.shape[0], *units]
        pairs = zip(widths[:-1], widths[1:], strict=True)
        self.layers = nn.Sequential(*(part for pair in pairs for part in (nn.Linear(*pair), nn.ReLU(inplace=True))))

    def forward(self, observations: torch.Tensor) -> torch.Tensor:
        """Return features of a batch: float32[n, units[-1]]."""
        first = cast(nn.Linear, self.layers[0])
        return self.layers[1:](first_layer(observations, self.scale, first))


class MaskedPolicy(MaskableActorCriticPolicy):
    """The policy of MaskablePPO that computes probabilities of legal actions only, and only once.

    The general distribution computes the probabilities of all actions for each query. On a GPU set `dense`, see
    layers/legal_actions.py.

    Attributes:
        dense: True computes all actions, and masks the illegal ones; the host then never waits for the device.
        critic: Network that values positions in training, in place of the policy's own value head; or None.
        magnet: Average of the policy's past; or None.
    """

    dense = False
    features_extractor: Trunk
    action_net: nn.Linear
    value_net: nn.Linear

    def __init__(self, *given: Any, **named: Any) -> None:
        super().__init__(*given, **named)
        self.critic: Critic | None = None
        self.magnet: Magnet | None = None

    def extract_features(self, obs: torch.Tensor, features_extractor: Any = None) -> torch.Tensor:  # type: ignore[override]
        """Return features of a batch: float32[n, units[-1]]; the trunk takes bytes, which the library would convert."""
        return (features_extractor or self.features_extractor)(obs)

    def forward(
        self, obs: Any, deterministic: bool = False, action_masks: Any = None
    ) -> tuple[torch.Tensor, torch.Tensor, torch.Tensor]:
        """Return actions, values and log probabilities of a batch."""
        features = self.extract_features(obs)
        legal, log_probabilities = self._choices(features, self._listed(obs, action_masks), self.action_net)
        noise = torch.zeros(()) if deterministic else -torch.empty_like(log_probabilities).exponential_().log()
        places = (log_probabilities + noise).argmax(dim=1, keepdim=True)  # with Gumbel noise: a draw from the policy
        return legal.gather(1, places)[:, 0], self.value_net(features), log_probabilities.gather(1, places)[:, 0]

    def evaluate_actions(
        self, obs: Any, actions: torch.Tensor, action_masks: Any = None
    ) -> tuple[torch.Tensor, torch.Tensor, torch.Tensor]:
        """Return values, log probabilities of the actions, which must be legal, and entropies of a batch."""
        values, chosen, entropies, _ = self.evaluate(obs, actions, action_masks)
        return values, chosen, entropies

    def evaluate(self, obs: Any, actions: torch.Tensor, action_masks: Any = None) -> tuple[torch.Tensor, ...]:
        """Return what `evaluate_actions` does, and the Kullback-Leibler divergences from the magnet, 0 without one."""
        features = self.extract_features(obs)
        listed = self._listed(obs, action_masks)
        legal, log_probabilities = self._choices(features, listed, self.action_net)
        probabilities = log_probabilities.exp()
        entropies = -(probabilities * log_probabilities).sum(dim=1)
        if self.dense:
            chosen = log_probabilities.gather(1, actions[:, None])[:, 0]
        else:
            chosen = (log_probabilities * (legal == actions[:, None])).sum(dim=1)
        if self.magnet is None:
            return self.value_net(features), chosen, entropies, torch.zeros_like(entropies)
        _, attracting = self._choices(self.magnet.trunk(obs), listed, self.magnet.action_net)
        divergences = (probabilities * (log_probabilities - attracting)).sum(dim=1)
        return self.value_net(features), chosen, entropies, divergences

    def add_helpers(self, game: Game, recipe: Recipe) -> None:
        """Add the critic and the magnet of a recipe, which are not part of the agent."""
        device = device_of(self)
        if recipe.critic == ALL:
            self.critic = Critic(game, recipe.units).to(device)
            self.optimizer.add_param_group({"params": list(self.critic.parameters())})
        if recipe.magnet:
            self.magnet = Magnet(self, recipe.magnet_averaging).to(device)

    def begin_helpers(self) -> None:
        """Let critic and magnet begin as the policy is now."""
        if self.critic is not None:
            self.critic.begin_as(self)
        if self.magnet is not None:
            self.magnet.begin_as(self)

    def choices(self, features: torch.Tensor, masks: Any) -> tuple[torch.Tensor, torch.Tensor]:
        """Return actions of each row and their log probabilities, as `all_choices` or `legal_choices` does."""
        return self._choices(features, self._listed(features, masks), self.action_net)

    def choices_from_logits(self, logits: torch.Tensor, masks: Any) -> tuple[torch.Tensor, torch.Tensor]:
        """Return what `choices` does, from logits of all actions: float32[n, num_actions]."""
        return all_choices(logits, masks) if self.dense else legal_choices(logits, masks)

    def _listed(self, observations, masks):
        """Return the legal actions as `_choices` takes them. masks: [n, num_actions], or None for all actions."""
        shape = len(observations), self.action_net.out_features
        if masks is None:
            masks = torch.ones(shape, dtype=torch.bool, device=observations.device)
        masks = torch.as_tensor(masks).view(shape)
        return masks if self.dense else list_legal(masks)

    def _choices(self, features, listed, head):
        return all_choices(head(features), listed) if self.dense else legal_choices_of(features, head, listed)


class Critic(nn.Module):
    """Network that values a position by what its seat sees and what is hidden from it, in training only.

    Args:
        game: The game.
        units: Units of its layers.
    """

    def __init__(self, game: Game, units: Sequence[int]) -> None:
        super().__init__()
        scale = np.concatenate([game.observation_scale(), game.variant.hidden_scale()])
        self.trunk = Trunk(Box(0, 255, (len(scale),), np.uint8), units, scale)
        self.value_net = nn.Linear(units[-1], 1)

    @torch.no_grad()
    def begin_as(self, policy: MaskedPolicy) -> None:
        """Value positions as a policy does: without what is hidden, until it has learned to use it."""
        seen = policy.observation_space.shape[0]  # type: ignore[index]
        for own, other in zip(self.trunk.parameters(), policy.features_extractor.parameters(), strict=True):
            own.zero_()
            own[..., : other.shape[-1]].copy_(other) if own.dim() > 1 else own.copy_(other)
        assert self.trunk.scale[:seen].equal(policy.features_extractor.scale)
        self.value_net.load_state_dict(policy.value_net.state_dict())

    def forward(self, observations: torch.Tensor, hidden: torch.Tensor) -> torch.Tensor:
        """Return values: float32[n]. observations: uint8[n, observation_size]; hidden: uint8[n, hidden_size]."""
        return self.value_net(self.trunk(torch.cat([observations, hidden], dim=1)))[:, 0]


class Magnet(nn.Module):
    """Slow copy of a policy: the average of its past weights, from which it should not move away fast.

    (Sokota et al.: A unified approach to reinforcement learning, quantal response equilibria, and two-player zero-sum
    games, 2023)

    Args:
        policy: The policy.
        averaging: Decay of the average, for each call of `follow`.
    """

    def __init__(self, policy: MaskedPolicy, averaging: float) -> None:
        super().__init__()
        self._averaging = averaging
        self.trunk, self.action_net = copy.deepcopy(policy.features_extractor), copy.deepcopy(policy.action_net)
        self.requires_grad_(False)

    @torch.no_grad()
    def begin_as(self, policy: MaskedPolicy) -> None:
        """Become the policy as it is now."""
        for own, other in self._pairs(policy):
            own.copy_(other)

    @torch.no_grad()
    def follow(self, policy: MaskedPolicy) -> None:
        """Move towards the policy."""
        for own, other in self._pairs(policy):
            own.lerp_(other, 1 - self._averaging)

    def _pairs(self, policy):
        others = (*policy.features_extractor.parameters(), *policy.action_net.parameters())
        return zip(self.parameters(), others, strict=True)


def make_policy(game: Game, units: Sequence[int], seed: int, device: str = "cpu") -> MaskedPolicy:
    """Return a network for a game with its own optimizer. units: of the layers; device: of the network."""
    torch.manual_seed(seed)
    observations = Box(0, 255, (game.observation_size,), np.uint8)
    trunk = {"units": units, "scale": game.observation_scale()}
    policy = MaskedPolicy(
        observations, Discrete(game.num_actions), lambda _: 0.0, net_arch=[], features_extractor_class=Trunk,
        features_extractor_kwargs=trunk,
    )  # fmt: skip
    return policy.to(device)


def device_of(policy: nn.Module) -> torch.device:
    """Return the device of a network."""
    return next(policy.parameters()).device


def check_device(device: str) -> None:
    """Raise ValueError for a device that torch does not know or does not have here."""
    try:
        torch.empty(0, device=device)
    except (AssertionError, RuntimeError) as error:
        raise ValueError(f"device={shown(device)}: cannot be used here ({cut(str(error))})") from error


def check_layers(network: Network, units: Sequence[int]) -> None:
    """Raise ValueError unless a network has rectified layers of these units, which a policy can take over."""
    given = [len(bias) for _, bias in network.layers]
    if given != list(units) or network.shape[Shape.TANH]:
        raise ValueError(f"start: has layers of {given} units; must have rectified ones of {list(units)}")


def take_over(policy: MaskedPolicy, network: Network, game: Game) -> None:
    """Copy the layers of a network into a policy of the same units. Raises ValueError for other units."""
    scale = game.observation_scale()[:, None]
    linear = [layer for layer in policy.features_extractor.layers if isinstance(layer, nn.Linear)]
    check_layers(network, [layer.out_features for layer in linear])
    layers = [(network.layers[0][0] / scale, network.layers[0][1]), *network.layers[1:], network.policy, network.value]
    for layer, (matrix, bias) in zip([*linear, policy.action_net, policy.value_net], layers, strict=True):
        layer.weight.data.copy_(torch.as_tensor(matrix.T.copy()))
        layer.bias.data.copy_(torch.as_tensor(bias))


def logits_of(network: Network, observations: Any) -> torch.Tensor:
    """Return the network's logits of all actions for a batch of observations, float32[n, num_actions]."""
    answer = torch.tanh if network.shape[Shape.TANH] else torch.relu
    hidden = torch.as_tensor(observations, dtype=torch.float32)
    layers = [[torch.as_tensor(part, device=hidden.device) for part in pair] for pair in network.layers]
    for matrix, bias in layers:
        hidden = answer(hidden @ matrix + bias)
    matrix, bias = (torch.as_tensor(part, device=hidden.device) for part in network.policy)
    return hidden @ matrix + bias


def export(policy: MaskedPolicy, game: Game, about: dict[str, Any] | None = None) -> Network:
    """Return the policy as a `Network` that agents play (agents/networks/agent.py)."""
    layers, actions, value = layers_of(policy.features_extractor, policy.action_net, policy.value_net)
    return Network(layers, actions, value, game.spaces, about, layout=layout_of(game))


def layers_of(trunk: Any, *ends: nn.Linear) -> list[Any]:
    """Return the layers of a trunk and each of the heads above it, as matrices and biases."""
    layers = [_arrays(layer) for layer in trunk.layers if isinstance(layer, nn.Linear)]
    scale = trunk.scale.cpu().numpy()[:, None]
    layers[0] = layers[0][0] * scale, layers[0][1]  # a network takes observations as the kernel writes them
    return [layers, *map(_arrays, ends)]


def _arrays(layer):
    return layer.weight.detach().cpu().numpy().T.copy(), layer.bias.detach().cpu().numpy().copy()
