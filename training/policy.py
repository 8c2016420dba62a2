"""The network that learns: MaskablePPO of sb3-contrib over a trunk that policy and value share."""

import torch
from sb3_contrib import MaskablePPO
from sb3_contrib.common.maskable.policies import MaskableActorCriticPolicy
from stable_baselines3.common.torch_layers import BaseFeaturesExtractor
from stable_baselines3.common.utils import LinearSchedule
from torch import nn
from torch.nn.functional import log_softmax

from stardeck.agents.network import Network

LOWEST_RATE = 0.1  # of the learning rate, at the end
ILLEGAL = -1e8  # logit


class Trunk(BaseFeaturesExtractor):
    """Layers of rectified units over scaled observations. scale: float32[observation_size]."""

    def __init__(self, observation_space, units, scale):
        super().__init__(observation_space, units[-1])
        self.register_buffer("scale", torch.as_tensor(scale))
        widths = [observation_space.shape[0], *units]
        pairs = zip(widths[:-1], widths[1:], strict=True)
        self.layers = nn.Sequential(*(part for pair in pairs for part in (nn.Linear(*pair), nn.ReLU())))

    def forward(self, observations):
        """Features of a batch: float32[n, units[-1]]."""
        return self.layers(observations * self.scale)


class MaskedPolicy(MaskableActorCriticPolicy):
    """The policy of MaskablePPO with its probabilities worked out once, and not anew for each question about them.

    On a processor the general distribution takes a third of a training's time.
    """

    def forward(self, obs, deterministic=False, action_masks=None):
        """Actions, values and log probabilities of a batch."""
        features = self.extract_features(obs)
        log_probabilities = self._log_probabilities(features, action_masks)
        noise = torch.zeros(()) if deterministic else -torch.empty_like(log_probabilities).exponential_().log()
        actions = (log_probabilities + noise).argmax(dim=1)  # with Gumbel noise: drawn from the policy
        chosen = log_probabilities.gather(1, actions[:, None])[:, 0]
        return actions, self.value_net(features), chosen

    def evaluate_actions(self, obs, actions, action_masks=None):
        """Values, log probabilities of the actions, and entropies of a batch."""
        features = self.extract_features(obs)
        log_probabilities = self._log_probabilities(features, action_masks)
        entropies = -(log_probabilities.exp() * log_probabilities).sum(dim=1)
        return self.value_net(features), log_probabilities.gather(1, actions[:, None])[:, 0], entropies

    def _log_probabilities(self, features, action_masks):
        logits = self.action_net(features)
        if action_masks is not None:
            illegal = ~torch.as_tensor(action_masks, dtype=torch.bool).view_as(logits)
            logits = logits.masked_fill(illegal, ILLEGAL)
        return log_softmax(logits, dim=1)


def make_model(env, recipe, seed: int) -> MaskablePPO:
    """A learner for a `GameVecEnv`. Nothing is discounted: a game pays at its end."""
    trunk = {"units": recipe.units, "scale": env.game.observation_scale()}
    return MaskablePPO(
        MaskedPolicy,
        env,
        learning_rate=LinearSchedule(recipe.learning_rate, LOWEST_RATE * recipe.learning_rate, 1.0),
        n_steps=recipe.rollout,
        batch_size=min(recipe.batch, recipe.rollout * env.num_envs),
        n_epochs=recipe.epochs,
        gamma=1.0,
        gae_lambda=recipe.gae_lambda,
        ent_coef=recipe.entropy,
        policy_kwargs={"net_arch": [], "features_extractor_class": Trunk, "features_extractor_kwargs": trunk},
        seed=seed,
        device="cpu",
    )


def export(policy, game, about=None) -> Network:
    """The network that a policy has become, as agents play it (agents/network.py)."""
    trunk = policy.features_extractor
    layers = [_arrays(layer) for layer in trunk.layers if isinstance(layer, nn.Linear)]
    scale = trunk.scale.numpy()[:, None]
    layers[0] = layers[0][0] * scale, layers[0][1]  # a network takes observations as the kernel writes them
    return Network(layers, _arrays(policy.action_net), _arrays(policy.value_net), game.spaces, about)


def _arrays(layer):
    return layer.weight.detach().numpy().T.copy(), layer.bias.detach().numpy().copy()
