"""Trained networks as agents: small files that play without torch, inside the compiled loops.

A file (safetensors) holds the layers in 16-bit floats. Besides the network that plays it may hold two networks for
searches: a value network (`judge`) and an opponent-hand model (`belief`). Of these it holds only the inputs that have
an effect. The file records the spaces of actions and observations of the training (`Game.spaces`), and names their
fields and actions (agents/networks/input_layout.py). A game that still has all of them can play with the file, arranged
in the order of the game; new inputs have no effect. Any other game refuses it.
"""

import hashlib
import json
from collections.abc import Sequence
from pathlib import Path
from typing import Any, TypedDict, Unpack

import numpy as np
from numpy.typing import ArrayLike, NDArray
from safetensors import SafetensorError, safe_open
from safetensors.numpy import save

from stardeck.agents.networks.input_layout import Layout, LayoutError, layout_of, places, trained_layout, version_of
from stardeck.game.agent import Actions, Masks, Seeds, States
from stardeck.game.game import Game
from stardeck.kernels.errors import check_keywords, cut
from stardeck.kernels.files import regular_file, unfinished_path
from stardeck.kernels.loops import playouts
from stardeck.kernels.primitives.network import (
    ACTION_LIMIT,
    LAYER_LIMIT,
    NETWORK,
    OBSERVATION_LIMIT,
    SHAPE_SIZE,
    UNIT_LIMIT,
    Networks,
    Shape,
)

SUFFIX = ".safetensors"
FORMAT = "stardeck network 1"
TANH_FORMAT = f"{FORMAT}, tanh"  # another name: versions without tanh refuse the file
JUDGE, BELIEF = "judge", "belief"  # auxiliary networks; with a dot, prefixes of the names of their tensors
END = {JUDGE: "value", BELIEF: "policy"}  # the one head of such a network
WITH = {JUDGE: ", with a judge", BELIEF: ", with a belief"}  # suffixes of the format, in this order
INPUTS = "inputs"  # indices of the inputs that the first matrix of such a network has rows for, if not all
FIRST = "layer.0.weight"
LAST_RESORT = -60_000.0  # logit of an action that the network does not know: near the lowest 16-bit float
Layer = tuple[ArrayLike, ArrayLike]  # a matrix [inputs, units] and biases [units]


class NetworkError(ValueError):
    """A file or a set of layers is not a network that can play here; the message gives the reason."""


class NetworkParts(TypedDict, total=False):
    """Keyword arguments of `Network` besides its layers."""

    layout: Layout | None
    """Meaning of inputs and outputs; None: that of `spaces` in a game that has had them."""
    judge: "Network | None"
    """A value network with the same inputs, more accurate than the network's own value."""
    belief: "Network | None"
    """An opponent-hand model with the same inputs."""


class Network:
    """Layers prepared for kernels/primitives/network.py, with their metadata.

    Inputs are observations as the kernel writes them.

    Args:
        layers: [(matrix float32[inputs, units], biases float32[units]), …].
        policy: Policy head, (float32[units, actions], float32[actions]).
        value: Value head, (float32[units, 1], float32[1]).
        spaces: `Game.spaces` of the games that it can play.
        about: Further texts of its file, by name.
        sampled: True if actions are drawn from the policy.
        tanh: True if units give the hyperbolic tangent of their sum; else they are rectified.
        parts: Those of `NetworkParts`. `judge` and `belief` are networks with the same inputs, for search. The value of
            `judge` is more accurate than the network's own. Instead of actions, `belief` has a number for each other
            seat and kind of card (`Game.belief_size`): the log ratio of that seat's probability of holding the card to
            its probability at random.
    """

    def __init__(
        self, layers: Sequence[Layer], policy: Layer, value: Layer, spaces: str, about: dict[str, Any] | None = None,
        sampled: bool = False, tanh: bool = False, **parts: Unpack["NetworkParts"],
    ) -> None:  # fmt: skip
        check_keywords("network", parts, NetworkParts.__annotations__)
        self.layers = [_pair(*layer) for layer in layers]
        self.policy = _pair(*policy)
        self.value = _pair(*value)
        self.spaces = spaces
        self.about = dict(about or {})
        self.layout = parts.get("layout")
        self.judge = parts.get("judge")
        self.belief = parts.get("belief")
        self._arranged: dict[tuple[str, bool], Network] = {}
        self._check()
        self.shape = np.zeros(SHAPE_SIZE, np.int64)
        self.shape[Shape.INPUTS] = len(self.layers[0][0])
        self.shape[Shape.ACTIONS] = len(self.policy[1])
        self.shape[Shape.LAYERS] = len(self.layers)
        self.shape[Shape.UNITS : Shape.UNITS + len(self.layers)] = [len(bias) for _, bias in self.layers]
        self.shape[Shape.SAMPLED] = sampled
        self.shape[Shape.TANH] = tanh
        arrays = [array for layer in self.layers for array in layer]
        arrays += [self.policy[0].T, self.policy[1], self.value[0], self.value[1]]
        self.weights = np.concatenate([np.ascontiguousarray(array).ravel() for array in arrays])
        shape = self.shape if tanh else self.shape[: Shape.TANH]  # keeps digests from before tanh existed
        beside = (self.judge.digest if self.judge else "") + (f"{BELIEF}:{self.belief.digest}" if self.belief else "")
        self.digest: str = hashlib.sha256(self.weights.tobytes() + shape.tobytes() + beside.encode()).hexdigest()[:16]

    @property
    def beside(self) -> "dict[str, Network]":
        """Auxiliary networks for searches, by name."""
        return {name: network for name in WITH if (network := getattr(self, name))}

    def end(self, name: str) -> Layer:
        """Return the one head of this auxiliary network by its name: the value, or card weights."""
        return getattr(self, END[name])

    def __getstate__(self) -> dict[str, Any]:
        return self.__dict__ | {"_arranged": {}}

    def arranged(self, game: Game, any_cards: bool = False) -> "Network":
        """Return the network with inputs and actions in the order of `game`, itself if they are already.

        An unknown input has no effect. An unknown action has the logit LAST_RESORT, so it is taken only where nothing
        else is legal. The digest stays the same.

        Args:
            game: The variant.
            any_cards: True if the names of the cards may differ.

        Raises:
            LayoutError: Something is gone or changed; the message names it.
            NetworkError: The sizes do not match its layout.
        """
        key = game.spaces, any_cards
        if key not in self._arranged:
            self._arranged[key] = self._arrange(game, any_cards)
        return self._arranged[key]

    def _arrange(self, game, any_cards):
        if self.spaces == game.spaces:
            self._check_sizes(game.observation_size, game.num_actions, game.id)
            self._check_belief(game)
            return self
        layout = self.layout or trained_layout(self.spaces, game)
        if layout is None:
            raise LayoutError("the file names no fields, and no version of the game has its spaces")
        inputs, actions = places(layout, version_of(self.spaces), game, any_cards)
        self._check_sizes(len(inputs), len(actions), "what it names")
        self._check_belief(game)
        columns = np.zeros((len(self.policy[0]), game.num_actions), np.float32)
        columns[:, actions] = self.policy[0]
        logits = np.full(game.num_actions, LAST_RESORT, np.float32)
        logits[actions] = self.policy[1]
        sampled, tanh = bool(self.shape[Shape.SAMPLED]), bool(self.shape[Shape.TANH])
        beside = {
            name: single_head_network(
                name, network._layers_at(inputs, game.observation_size), network.end(name), game.spaces
            )
            for name, network in self.beside.items()
        }
        found = Network(
            self._layers_at(inputs, game.observation_size), (columns, logits), self.value, game.spaces, self.about,
            sampled, tanh, layout=layout_of(game), **beside,
        )  # fmt: skip
        found.digest = self.digest
        return found

    def _layers_at(self, inputs, size):
        """Return the layers with each input at its place (int64[inputs]) among `size`."""
        (matrix, bias), *others = self.layers
        return [(_spread(matrix, inputs, size), bias), *others]

    def _check_sizes(self, inputs, actions, named):
        if tuple(self.shape[[Shape.INPUTS, Shape.ACTIONS]]) != (inputs, actions):
            raise NetworkError(
                f"has {self.shape[Shape.INPUTS]} inputs and {self.shape[Shape.ACTIONS]} actions; {named} has "
                f"{inputs} and {actions}"
            )

    def _check_belief(self, game):
        if self.belief and self.belief.shape[Shape.ACTIONS] != game.belief_size:
            size = self.belief.shape[Shape.ACTIONS]
            raise NetworkError(f"has an opponent-hand model of {size} weights; {game.id} has {game.belief_size}")

    def _check(self):
        """Check that the layers fit on each other, and have sizes and finite numbers that compiled code takes."""
        if not 1 <= len(self.layers) <= LAYER_LIMIT:
            raise NetworkError(f"{len(self.layers)} layers: must be from 1 to {LAYER_LIMIT}")
        pairs = [*self.layers, self.policy, self.value]
        for matrix, bias in pairs:
            if matrix.ndim != 2 or bias.ndim != 1:
                raise NetworkError(f"a layer of shapes {matrix.shape} and {bias.shape}: must be a matrix and a row")
        self._check_widths()
        self._check_limits()
        for pair in pairs:
            if not all(np.isfinite(numbers).all() for numbers in pair):
                raise NetworkError("a layer holds numbers that are not finite")

    def _check_widths(self):
        """Check that each layer has as many inputs as the one below it has units."""
        inputs = width = len(self.layers[0][0])
        for matrix, bias in self.layers:
            _check_shape(matrix, width, bias)
            width = len(bias)
        for matrix, bias in (self.policy, self.value):
            _check_shape(matrix, width, bias)
        for name, network in self.beside.items():
            if len(network.layers[0][0]) != inputs:
                raise NetworkError(f"a {name} of {len(network.layers[0][0])} inputs: must have as many as the network")
        if len(self.value[1]) != 1:
            raise NetworkError(f"a value of {len(self.value[1])} numbers: must be one")

    def _check_limits(self):
        """Check the sizes against the arrays of compiled code."""
        for _, bias in self.layers:
            if len(bias) % 8 or not 0 < len(bias) <= UNIT_LIMIT:
                raise NetworkError(f"a layer of {len(bias)} units: must be a multiple of 8 up to {UNIT_LIMIT}")
        if len(self.layers[0][0]) > OBSERVATION_LIMIT or len(self.policy[1]) > ACTION_LIMIT:
            raise NetworkError(f"must have at most {OBSERVATION_LIMIT} inputs and {ACTION_LIMIT} actions")

    def to_bytes(self) -> bytes:
        """Return the network as the contents of a file."""
        tensors = self._tensors("policy", "value")
        for prefix, network in self.beside.items():
            tensors |= {f"{prefix}.{name}": tensor for name, tensor in network._tensors(END[prefix]).items()}
            tensors |= _shortened(tensors[f"{prefix}.{FIRST}"], prefix)
        about = {name: text if isinstance(text, str) else json.dumps(text) for name, text in self.about.items()}
        format = (TANH_FORMAT if self.shape[Shape.TANH] else FORMAT) + "".join(map(WITH.__getitem__, self.beside))
        layout = {} if self.layout is None else {"layout": self.layout.to_text()}
        return save(tensors, about | layout | {"format": format, "spaces": self.spaces})

    def _tensors(self, *ends):
        """Return the layers and these heads by their names in a file, as 16-bit floats."""
        named = [(f"layer.{number}", layer) for number, layer in enumerate(self.layers)]
        named += [(end, getattr(self, end)) for end in ends]
        pairs = [(name, zip(("weight", "bias"), layer, strict=True)) for name, layer in named]
        return {f"{name}.{part}": array.astype(np.float16) for name, parts in pairs for part, array in parts}


def _check_shape(matrix, width, bias):
    if matrix.shape != (width, len(bias)):
        raise NetworkError(f"a layer of shape {matrix.shape}: must be {(width, len(bias))}")


def _pair(matrix, bias):
    """Return a layer as a file holds it: a network plays the same before and after it is written.

    It is in C order, since safetensors writes arrays as they lie in memory.
    """
    return tuple(np.asarray(part).astype(np.float16, order="C").astype(np.float32) for part in (matrix, bias))


def _shortened(matrix, prefix):
    """Return the first matrix as a file holds it, without the rows of zeros of inputs that never occur."""
    counting = np.flatnonzero(matrix.any(axis=1))
    if len(counting) == len(matrix):
        return {}
    return {f"{prefix}.{FIRST}": matrix[counting], f"{prefix}.{INPUTS}": counting.astype(np.uint16)}


def _lengthened(matrix, counting, size, prefix):
    """Return the matrix that `_shortened` was given, with that many inputs. Raises NetworkError."""
    whole = counting.dtype.kind in "iu" and counting.shape == (len(matrix),)
    numbers = counting.astype(np.int64) if whole else np.zeros(0, np.int64)
    if not whole or not (np.diff([-1, *numbers, size]) > 0).all():
        allowed = f"must be {len(matrix)} rising numbers below {size}"
        raise NetworkError(f"{prefix}.{INPUTS}: {cut(str(counting), 20)}: {allowed}")
    return _spread(matrix, numbers, size)


def _spread(matrix, places, size):
    """Return rows at these places among `size`, with zeros elsewhere."""
    found = np.zeros((size, matrix.shape[1]), np.float32)
    found[places] = matrix
    return found


def single_head_network(name: str, layers: Sequence[Layer], end: Layer, spaces: str) -> Network:
    """Return an auxiliary network of rectified units, by its name with a value head or card weights only."""
    units = len(np.asarray(layers[-1][1]))
    policy = end if END[name] == "policy" else (np.zeros((units, 0)), np.zeros(0))
    value = end if END[name] == "value" else (np.zeros((units, 1)), np.zeros(1))
    return Network(layers, policy, value, spaces)


def read_network(path: str | Path, sampled: bool = False) -> Network:
    """Return the network of a file. Raises NetworkError for anything but a whole file of a network."""
    named = cut(str(path))
    about, tensors = _contents(Path(path), named)
    format = about.pop("format", None) or ""
    beside = [name for name in WITH if WITH[name] in format]
    format = format.removesuffix("".join(map(WITH.__getitem__, beside)))
    if format not in (FORMAT, TANH_FORMAT):
        raise NetworkError(f"{named}: is not a file of the format {FORMAT!r}")
    counting = {name: tensors.pop(f"{name}.{INPUTS}", None) for name in beside}
    names = _names(tensors, "", "policy", "value")
    names_beside = {name: _names(tensors, f"{name}.", f"{name}.{END[name]}") for name in beside}
    _check_tensors(named, tensors, sum(names_beside.values(), start=names))
    spaces, text = about.pop("spaces", ""), about.pop("layout", None)
    try:
        *layers, policy, value = _layers(tensors, names)
        found = {}
        for name in beside:
            (matrix, bias), *others, end = _layers(tensors, names_beside[name])
            if counting[name] is not None:
                matrix = _lengthened(matrix, counting[name], len(layers[0][0]), name)
            found[name] = single_head_network(name, [(matrix, bias), *others], end, spaces)
        layout = None if text is None else Layout.from_text(text)
        return Network(layers, policy, value, spaces, about, sampled, format == TANH_FORMAT, layout=layout, **found)
    except (LookupError, TypeError, ValueError, ArithmeticError) as error:
        raise NetworkError(f"{named}: {cut(str(error))}") from error


def _contents(path, named):
    """Return a file's texts by name, and its arrays by name. Raises NetworkError."""
    try:
        with safe_open(regular_file(path), "numpy") as file:
            about = dict(file.metadata() or {})
            return about, {name: file.get_tensor(name) for name in file.keys()}  # noqa: SIM118, it is not a dict
    except FileNotFoundError:
        raise NetworkError(f"{named}: there is no such file") from None
    except (SafetensorError, OSError, TypeError, ValueError, AttributeError, LookupError, ImportError) as error:
        # NumPy lacks some types of numbers that such a file can hold
        raise NetworkError(f"{named}: is not a whole file of a network ({cut(str(error))})") from error


def _check_tensors(named, tensors, names):
    """Check that a file holds the weights and biases of these layers, in floats. Raises NetworkError."""
    expected = {f"{name}.{part}" for name in names for part in ("weight", "bias")}
    if set(tensors) != expected:
        raise NetworkError(f"{named}: must hold {', '.join(sorted(expected))}, not {cut(', '.join(sorted(tensors)))}")
    for name, tensor in tensors.items():
        if tensor.dtype.kind != "f":
            raise NetworkError(f"{named}: {name} has the dtype {tensor.dtype}: must be float16, float32 or float64")


def _names(tensors, prefix, *ends):
    """Return the names of a file's layers that begin with a prefix, and these heads."""
    count = sum(name.startswith(f"{prefix}layer.") for name in tensors) // 2
    return [*(f"{prefix}layer.{number}" for number in range(count)), *ends]


def _layers(tensors, names):
    return [(tensors[f"{name}.weight"], tensors[f"{name}.bias"]) for name in names]


def write_network(path: str | Path, network: Network) -> None:
    """Write a network to a file, whole or not at all. OSError names the file."""
    path = Path(path)
    unfinished = unfinished_path(path)
    try:
        unfinished.write_bytes(network.to_bytes())
        unfinished.replace(path)
    except OSError as error:
        raise OSError(error.errno, error.strerror, str(path)) from error


class NetworkAgent:
    """A player that takes the likeliest action of a network, or draws from its policy if `sampled`.

    `trained` is the network as it was trained. `network` has the inputs and actions of the last checked game.
    """

    def __init__(self, network: Network, name: str) -> None:
        self.trained = self.network = network
        self.name = name
        self.identity = f"{name}:{network.digest}"

    def __repr__(self):
        return f"NetworkAgent({self.identity!r})"

    def check(self, game: Game) -> None:
        """Prepare `network` for `game`; compiled loops then copy it.

        Raises:
            NetworkError: The game lacks something that the network knows, or has it in another form.
        """
        try:
            self.network = self.trained.arranged(game)
        except LayoutError as error:
            trained = self.trained.about.get("variant", "another variant")
            raise NetworkError(
                f"agent {self.name!r}: was trained on {trained}, with actions and observations {self.trained.spaces}; "
                f"{game.id} has {game.spaces}: {error}"
            ) from error
        except NetworkError as error:
            raise NetworkError(f"agent {self.name!r}: {error}") from error

    def act(self, game: Game, states: States, masks: Masks, seeds: Seeds) -> Actions:
        """Return an action for each game, int64[n]. Arguments as in `CompiledAgent.act`."""
        self.check(game)
        seeds = game.check_decisions(states, seeds)
        actions = np.empty(len(states), np.int64)
        scratch = np.zeros(1, playouts.AGENT)
        networks = Networks(self.network.weights[None], self.network.shape[None])
        playouts.choose_all(game.rules, states, scratch, NETWORK, networks, seeds, actions)
        return actions

    @property
    def judge(self) -> Network:
        """The value network: the separately trained one, or else the network itself."""
        return self.network.judge or self.network

    @property
    def belief(self) -> Network | None:
        """The opponent-hand model, if the network has one."""
        return self.network.belief

    def values(self, game: Game, states: States) -> NDArray[np.float32]:
        """Return the value network's estimate for the acting seat of each game: float32[n]."""
        self.check(game)
        values = np.empty(len(states), np.float32)
        observations = game.observe(states)
        playouts.value_all(self.judge.weights, self.judge.shape, observations, values)
        return values


class Beside:
    """A NetworkAgent for loops that evaluate an auxiliary network: `network` is its value network or hand model."""

    def __init__(self, agent: Any, what: str) -> None:
        self._agent, self._what = agent, what
        self.name = agent.name
        self.identity = agent.identity

    @property
    def network(self) -> Network:
        """The auxiliary network with the inputs of the last checked game."""
        return getattr(self._agent, self._what)

    def check(self, game: Game) -> None:
        """Check the agent as `NetworkAgent.check` does."""
        self._agent.check(game)
