"""First layer of a network on the processor: it multiplies only the numbers of an observation that are not zero.

An observation is mostly zeros: 36 of 1,029 numbers of the core set differ from zero on average. The product of whole
matrices took most of a training's time. Torch has a fast sum over listed rows of a matrix, but no fast gradient of it;
SciPy's product of sparse rows has one.
"""

from typing import Any

import numpy as np
import torch
from scipy.sparse import csr_array
from torch import nn
from torch.nn.functional import embedding_bag

DENSE = 4  # whole matrices are as fast if one number in 4 is not zero; more threads speed up only whole matrices


def first_layer(observations: torch.Tensor, scale: torch.Tensor, layer: nn.Linear) -> torch.Tensor:
    """Return what a layer makes of scaled observations: float32[n, units].

    Args:
        observations: Observations, [n, inputs].
        scale: Factor of each input, float32[inputs].
        layer: The layer.
    """
    if observations.device.type == "cpu" and layer.weight.dtype == torch.float32:
        places = _nonzero(observations)
        if len(places) * DENSE * torch.get_num_threads() < observations.numel():
            return _SparseProduct.apply(layer.weight, *_rows(observations, places, scale)).add_(layer.bias)
    return layer(observations * scale)


def _nonzero(observations):
    """Return the places of all numbers that are not zero, in rows one after the other: int64[k]."""
    numbers = observations.numpy()
    return np.flatnonzero(numbers.view(bool) if numbers.dtype == np.uint8 else numbers != 0)


def _rows(observations, places, scale):
    """Return the inputs and scaled numbers at these places, and the start of each row and the last one's end.

    All three are tensors: int32[k], float32[k] and int32[n + 1].
    """
    count, inputs = observations.shape
    firsts = np.arange(count + 1) * inputs
    starts = np.searchsorted(places, firsts)
    columns = (places - np.repeat(firsts[:-1], np.diff(starts))).astype(np.int32)
    numbers = observations.numpy().reshape(-1)[places] * scale.numpy()[columns]
    return torch.from_numpy(columns), torch.from_numpy(numbers), torch.from_numpy(starts.astype(np.int32))


class _SparseProduct(torch.autograd.Function):
    """Product of sparse rows with the transpose of a layer's weights."""

    @staticmethod
    def forward(ctx: Any, weight: torch.Tensor, columns: torch.Tensor, numbers: torch.Tensor, starts: torch.Tensor):
        shape = len(starts) - 1, weight.shape[1]
        ctx.rows = csr_array((numbers.numpy(), columns.numpy(), starts.numpy()), shape=shape)
        return embedding_bag(columns, weight.t().contiguous(), starts[:-1], mode="sum", per_sample_weights=numbers)

    @staticmethod
    def backward(ctx: Any, gradient: torch.Tensor):
        return torch.from_numpy(ctx.rows.T @ gradient.numpy()).t().contiguous(), None, None, None
