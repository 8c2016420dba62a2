"""Export of a model to a file that plays without its library, inside the compiled loops.

Layers must be linear, with rectified units or hyperbolic tangents between them. Policy and value of a `Network` share
their layers (kernels/primitives/network.py). Two separate chains stand side by side in them, with zeros between.
"""

from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from stardeck.agents.networks.agent import SUFFIX, Network, NetworkAgent, NetworkError, write_network
from stardeck.agents.networks.external_models import ModelAgent
from stardeck.agents.networks.input_layout import layout_of
from stardeck.game.game import Game
from stardeck.kernels.errors import cut, shown

PASSED_BY = ("FlattenExtractor", "Flatten", "Identity", "Dropout")  # no effect on flat rows during play
CURVES = ("ReLU", "Tanh")
UNITS = 8  # the number of units of a layer is a multiple of it


class _Layer(NamedTuple):
    matrix: NDArray[np.float32]  # [inputs, units]
    bias: NDArray[np.float32]
    curve: str | None  # activation, one of CURVES; None: none follows


def export(agent: ModelAgent, game: Game, path: str | Path, about: dict[str, Any] | None = None) -> NetworkAgent:
    """Write an agent of `from_sb3` or `from_torch` to a file `*.safetensors`, and return the agent of that file.

    Weights are rounded to 16 bits, so the file may choose differently between two actions of equal score. A file takes
    the likeliest action, also where the agent was `sampled`.

    Args:
        agent: The agent.
        game: The variant that it plays.
        path: The file.
        about: Further texts for the file, by name.

    Raises:
        NetworkError: A file cannot hold these layers. It takes up to four Linear with ReLU or with Tanh.
    """
    path = Path(path)
    if path.suffix != SUFFIX:
        raise NetworkError(f"{cut(str(path))}: must end in {SUFFIX}")
    if not isinstance(agent, ModelAgent):
        raise NetworkError(f"agent {shown(agent)}: must be one of from_sb3 or from_torch")
    if not isinstance(game, Game):
        raise NetworkError(f"game {shown(game)}: must be a Game, as stardeck.make gives it")
    if agent.observe is not None:
        raise NetworkError(f"agent {agent.name!r}: has its own observe function; a file takes only observations")
    agent.check(game)
    try:
        policy, value = map(_layers, agent.chains())
        network = _network(policy, value, agent.scaled, game, about or {})
    except NetworkError as error:
        raise NetworkError(f"agent {agent.name!r}: {error}") from error
    write_network(path, network)
    return NetworkAgent(network, path.stem)


def _network(policy, value, scaled, game, about):
    *hidden, last = policy
    last_value = _Layer(np.zeros((_width(hidden, game), 1)), np.zeros(1), None)
    if value:
        *beside, last_value = value
        hidden, beside = _as_deep(hidden, beside, game), _as_deep(beside, hidden, game)
        hidden = [
            _side_by_side(*pair, first=number == 0) for number, pair in enumerate(zip(hidden, beside, strict=True))
        ]
        last, last_value = _below(last, len(last_value.matrix)), _above(last_value, len(last.matrix))
    curves = {layer.curve for layer in hidden}
    if len(curves) > 1:
        raise NetworkError("has layers with ReLU and with Tanh; a file takes one of them")
    if scaled and hidden:
        hidden[0] = hidden[0]._replace(matrix=hidden[0].matrix * game.observation_scale()[:, None])
    layers = _filled(hidden)
    width = len(layers[-1][1]) if layers else 0
    ends = [(_with_rows(layer.matrix, width), layer.bias) for layer in (last, last_value)]
    about = {"variant": game.id, **about}
    return Network(layers, *ends, game.spaces, about, tanh=curves == {"Tanh"}, layout=layout_of(game))


def _layers(chain):
    """Return the modules of a chain as layers; an activation belongs to the layer before it."""
    layers = []
    for module in _parts(chain):
        kind = type(module).__name__
        if kind == "Linear":
            if layers and layers[-1].curve is None:
                raise NetworkError("has two Linear without ReLU or Tanh between them")
            layers.append(_Layer(*_arrays(module), None))
        elif kind in CURVES and layers and layers[-1].curve is None:
            layers[-1] = layers[-1]._replace(curve=kind)
        elif kind not in PASSED_BY:
            raise NetworkError(f"has a {kind}; a file takes a Sequential of Linear, with ReLU or Tanh between them")
    if layers and layers[-1].curve is not None:
        raise NetworkError(f"ends in a {layers[-1].curve}; must end in a Linear")
    return layers


def _parts(chain):
    for module in chain:
        if type(module).__name__ == "Sequential":
            yield from _parts(module)
        else:
            yield module


def _arrays(linear):
    matrix = linear.weight.detach().cpu().numpy().T.astype(np.float32)
    bias = np.zeros(matrix.shape[1], np.float32) if linear.bias is None else linear.bias.detach().cpu().numpy()
    return matrix, bias.astype(np.float32)


def _width(hidden, game):
    return len(hidden[-1].bias) if hidden else game.observation_size


def _as_deep(chain, other, game):
    """Return a chain with as many layers as the other; rectified units pass on non-negative values unchanged."""
    missing = len(other) - len(chain)
    if missing > 0 and "Tanh" in {layer.curve for layer in [*chain, *other]}:
        raise NetworkError(f"has {len(chain)} and {len(other)} layers of Tanh; policy and value must have equally many")
    width = _width(chain, game)
    return [*chain, *[_Layer(np.eye(width), np.zeros(width), "ReLU")] * missing]


def _side_by_side(one, two, first):
    """Return two layers as one: first layers share their inputs, and later layers read only their own chain."""
    if one.curve != two.curve:
        raise NetworkError("has layers with ReLU and with Tanh; a file takes one of them")
    bias = np.concatenate([one.bias, two.bias])
    if first:
        return _Layer(np.hstack([one.matrix, two.matrix]), bias, one.curve)
    return _Layer(
        np.hstack([_below(one, len(two.matrix)).matrix, _above(two, len(one.matrix)).matrix]), bias, one.curve
    )


def _below(layer, rows):
    """Return the layer with rows of zeros below its own."""
    return layer._replace(matrix=_with_rows(layer.matrix, len(layer.matrix) + rows))


def _above(layer, rows):
    return layer._replace(matrix=np.vstack([np.zeros((rows, layer.matrix.shape[1])), layer.matrix]))


def _with_rows(matrix, rows):
    return np.vstack([matrix, np.zeros((max(rows - len(matrix), 0), matrix.shape[1]))])


def _filled(hidden):
    """Return the layers padded with constant zero units to a multiple of UNITS."""
    layers, before = [], None
    for layer in hidden:
        more = -len(layer.bias) % UNITS
        matrix = layer.matrix if before is None else _with_rows(layer.matrix, before)
        layers.append((np.pad(matrix, ((0, 0), (0, more))), np.pad(layer.bias, (0, more))))
        before = len(layers[-1][1])
    return layers
