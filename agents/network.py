"""Trained networks as agents: small files that play without torch, inside the compiled loops.

A file (safetensors) holds the layers in 16-bit floats and says which spaces of actions and observations they were
trained on; `Game.spaces` names those, and a game with others refuses the file.
"""

import hashlib
import json
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray
from safetensors import SafetensorError, safe_open
from safetensors.numpy import save

from stardeck.envs.agent import Actions, Masks, Seeds, States
from stardeck.envs.game import Game
from stardeck.kernels import playing
from stardeck.kernels.errors import cut
from stardeck.kernels.network import (
    ACTION_LIMIT,
    LAYER_LIMIT,
    NETWORK,
    OBSERVATION_LIMIT,
    SHAPE_SIZE,
    UNIT_LIMIT,
    Shape,
)

SUFFIX = ".safetensors"
FORMAT = "stardeck network 1"
TANH_FORMAT = f"{FORMAT}, tanh"  # of another name, so that versions without it refuse the file
Layer = tuple[ArrayLike, ArrayLike]  # a matrix [inputs, units] and biases [units]


class NetworkError(ValueError):
    """A file or a set of layers is not a network that can play here; the message says why."""


class Network:
    """Layers made ready for kernels/network.py, and what is known of them.

    layers: [(matrix float32[inputs, units], biases float32[units]), …], then policy (float32[units, actions],
    float32[actions]) and value (float32[units, 1], float32[1]). Inputs are observations as the kernel writes them.
    spaces: `Game.spaces` of the games that it can play. about: what else its file says, texts by name. sampled: whether
    actions are drawn from the policy. tanh: whether units give the hyperbolic tangent of their sum; else they are
    rectified.
    """

    def __init__(
        self, layers: Sequence[Layer], policy: Layer, value: Layer, spaces: str, about: dict[str, Any] | None = None,
        sampled: bool = False, tanh: bool = False,
    ) -> None:  # fmt: skip
        self.layers = [_pair(*layer) for layer in layers]
        self.policy = _pair(*policy)
        self.value = _pair(*value)
        self.spaces = spaces
        self.about = dict(about or {})
        self._check()
        self.shape = np.zeros(SHAPE_SIZE, np.int64)
        self.shape[Shape.INPUTS] = len(self.layers[0][0])
        self.shape[Shape.ACTIONS] = len(self.policy[1])
        self.shape[Shape.LAYERS] = len(self.layers)
        self.shape[Shape.UNITS : Shape.UNITS + len(self.layers)] = [len(bias) for _, bias in self.layers]
        self.shape[Shape.SAMPLED] = sampled
        self.shape[Shape.TANH] = tanh
        parts = [part for layer in self.layers for part in layer]
        parts += [self.policy[0].T, self.policy[1], self.value[0], self.value[1]]
        self.weights = np.concatenate([np.ascontiguousarray(part).ravel() for part in parts])

    def _check(self):
        if not 1 <= len(self.layers) <= LAYER_LIMIT:
            raise NetworkError(f"{len(self.layers)} layers: must be from 1 to {LAYER_LIMIT}")
        for matrix, bias in [*self.layers, self.policy, self.value]:
            if matrix.ndim != 2 or bias.ndim != 1:
                raise NetworkError(f"a layer of shapes {matrix.shape} and {bias.shape}: must be a matrix and a row")
        width = len(self.layers[0][0])
        for matrix, bias in [*self.layers, self.policy, self.value]:
            if matrix.shape != (width, len(bias)):
                raise NetworkError(f"a layer of shape {matrix.shape}: must be {(width, len(bias))}")
            width = len(bias) if bias is not self.policy[1] else width
        if len(self.value[1]) != 1:
            raise NetworkError(f"a value of {len(self.value[1])} numbers: must be one")
        for _, bias in self.layers:
            if len(bias) % 8 or not 0 < len(bias) <= UNIT_LIMIT:
                raise NetworkError(f"a layer of {len(bias)} units: must be a multiple of 8 up to {UNIT_LIMIT}")
        if len(self.layers[0][0]) > OBSERVATION_LIMIT or len(self.policy[1]) > ACTION_LIMIT:
            raise NetworkError(f"must have at most {OBSERVATION_LIMIT} inputs and {ACTION_LIMIT} actions")
        for matrix, bias in [*self.layers, self.policy, self.value]:
            if not (np.isfinite(matrix).all() and np.isfinite(bias).all()):
                raise NetworkError("a layer holds numbers that are not finite")

    def to_bytes(self) -> bytes:
        """The network as the contents of a file."""
        tensors = {}
        named = [(f"layer.{number}", layer) for number, layer in enumerate(self.layers)]
        for name, (matrix, bias) in [*named, ("policy", self.policy), ("value", self.value)]:
            tensors[f"{name}.weight"] = matrix.astype(np.float16)
            tensors[f"{name}.bias"] = bias.astype(np.float16)
        about = {name: text if isinstance(text, str) else json.dumps(text) for name, text in self.about.items()}
        format = TANH_FORMAT if self.shape[Shape.TANH] else FORMAT
        return save(tensors, about | {"format": format, "spaces": self.spaces})


def _pair(matrix, bias):
    """A layer as a file holds it, so that a network plays the same before and after it was written.

    In C order, for safetensors writes arrays as they lie in memory.
    """
    return tuple(np.asarray(part).astype(np.float16, order="C").astype(np.float32) for part in (matrix, bias))


def read_network(path: str | Path, sampled: bool = False) -> Network:
    """The network of a file. Raises NetworkError for anything else than a whole file of one."""
    path = Path(path)
    named = cut(str(path))
    try:
        with safe_open(path, "numpy") as file:
            about = dict(file.metadata() or {})
            tensors = {name: file.get_tensor(name) for name in file.keys()}  # noqa: SIM118, it is not a dict
    except (SafetensorError, OSError, TypeError, ValueError) as error:
        raise NetworkError(f"{named}: is not a whole file of a network ({cut(str(error))})") from error
    format = about.pop("format", None)
    if format not in (FORMAT, TANH_FORMAT):
        raise NetworkError(f"{named}: is not a file of the format {FORMAT!r}")
    spaces = about.pop("spaces", "")
    names = [f"layer.{number}" for number in range(sum(name.startswith("layer.") for name in tensors) // 2)]
    expected = {f"{name}.{part}" for name in [*names, "policy", "value"] for part in ("weight", "bias")}
    if set(tensors) != expected:
        raise NetworkError(f"{named}: must hold {', '.join(sorted(expected))}, not {cut(', '.join(sorted(tensors)))}")
    try:
        *layers, policy, value = (
            (tensors[f"{name}.weight"], tensors[f"{name}.bias"]) for name in [*names, "policy", "value"]
        )
        return Network(layers, policy, value, spaces, about, sampled, format == TANH_FORMAT)
    except (TypeError, ValueError) as error:
        raise NetworkError(f"{named}: {cut(str(error))}") from error


def write_network(path: str | Path, network: Network) -> None:
    """Write a network to a file, whole or not at all. OSError names the file."""
    path = Path(path)
    unfinished = path.with_suffix(".tmp")
    try:
        unfinished.write_bytes(network.to_bytes())
        unfinished.replace(path)
    except OSError as error:
        raise OSError(error.errno, error.strerror, str(path)) from error


class NetworkAgent:
    """A player that takes the likeliest action of a network, or with `sampled` draws from its policy."""

    def __init__(self, network: Network, name: str) -> None:
        self.network = network
        self.name = name
        shape = network.shape if network.shape[Shape.TANH] else network.shape[: Shape.TANH]  # as before there was tanh
        digest = hashlib.sha256(network.weights.tobytes() + shape.tobytes()).hexdigest()[:16]
        self.identity = f"{name}:{digest}"

    def __repr__(self):
        return f"NetworkAgent({self.identity!r})"

    def check(self, game: Game) -> None:
        """Raises NetworkError if the network was made for other spaces than those of `game`."""
        inputs, actions = self.network.shape[Shape.INPUTS], self.network.shape[Shape.ACTIONS]
        if self.network.spaces == game.spaces and (inputs, actions) != (game.observation_size, game.num_actions):
            raise NetworkError(
                f"agent {self.name!r}: has {inputs} inputs and {actions} actions; {game.id} has "
                f"{game.observation_size} and {game.num_actions}"
            )
        if self.network.spaces != game.spaces:
            trained = self.network.about.get("variant", "another variant")
            raise NetworkError(
                f"agent {self.name!r}: was trained on {trained}, with actions and observations {self.network.spaces}; "
                f"{game.id} has {game.spaces}"
            )

    def act(self, game: Game, states: States, masks: Masks, seeds: Seeds) -> Actions:
        """An action for each game: int64[n]. Arguments as in `CompiledAgent.act`."""
        self.check(game)
        seeds = game.check_decisions(states, seeds)
        actions = np.empty(len(states), np.int64)
        scratch = np.zeros(1, playing.AGENT)
        layers = self.network.weights[None], self.network.shape[None]
        playing.choose_all(game.rules, states, scratch, NETWORK, *layers, seeds, actions)
        return actions

    def values(self, game: Game, states: States) -> NDArray[np.float32]:
        """The return that the network expects for the seat to act of each game: float32[n]."""
        self.check(game)
        values = np.empty(len(states), np.float32)
        observations = game.observe(states)
        playing.value_all(self.network.weights, self.network.shape, observations, values)
        return values
