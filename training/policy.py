"""The network that learns: MaskablePPO of sb3-contrib over a trunk that policy and value share."""

import torch
from sb3_contrib import MaskablePPO
from stable_baselines3.common.torch_layers import BaseFeaturesExtractor
from stable_baselines3.common.utils import LinearSchedule
from torch import nn

from stardeck.agents.network import Network

LOWEST_RATE = 0.1  # of the learning rate, at the end


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


def make_model(env, recipe, seed: int) -> MaskablePPO:
    """A learner for a `GameVecEnv`. Nothing is discounted: a game pays at its end."""
    trunk = {"units": recipe.units, "scale": env.game.observation_scale()}
    return MaskablePPO(
        "MlpPolicy",
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
