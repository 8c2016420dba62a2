"""Probabilities of legal actions, from the last layer of a policy.

Some five of 492 actions are legal in the core set. On the processor the last layer computes the logits of these alone:
the product of whole matrices and its gradients took a third of an update. On a GPU the list of the legal actions takes
longer, because the host waits for its length; `all_choices` does without.
"""

import warnings
from typing import Any, NamedTuple

import numpy as np
import torch
from scipy.sparse import csr_array
from torch import nn
from torch.nn.functional import log_softmax

ILLEGAL = -1e8  # logit
NOTHING = -1  # padding in place of an action


def _sparse(starts: torch.Tensor, columns: torch.Tensor, values: torch.Tensor, shape: tuple[int, int]) -> torch.Tensor:
    return torch.sparse_csr_tensor(starts, columns, values, shape, check_invariants=False)


# Torch warns once in a process. To ignore that in each call would change the filters of other threads.
with warnings.catch_warnings():
    warnings.filterwarnings("ignore", "Sparse CSR tensor support is in beta")
    _sparse(torch.zeros(2, dtype=torch.int64), torch.zeros(0, dtype=torch.int64), torch.zeros(0), (1, 1))


class LegalActions(NamedTuple):
    """The legal actions of n rows, k in all, row after row and in ascending order.

    Attributes:
        shape: Rows and actions of the masks.
        rows: The row of each, int64[k].
        actions: int64[k].
        starts: Number of legal actions before each row; the last entry is k: int64[n + 1].
        places: Number of legal actions before it in its row, int64[k].
        most: Most legal actions of any row.
    """

    shape: tuple[int, int]
    rows: torch.Tensor
    actions: torch.Tensor
    starts: torch.Tensor
    places: torch.Tensor
    most: int

    def padded(self, values: torch.Tensor, padding: float) -> torch.Tensor:
        """Return a value of each legal action with a row for each row: [n, most]."""
        empty = values.new_full((self.shape[0], self.most), padding)
        return empty.index_put((self.rows, self.places), values)


def list_legal(masks: Any) -> LegalActions:
    """Return the legal actions of masks: [n, num_actions]."""
    masks = torch.as_tensor(masks, dtype=torch.bool)
    rows, actions = masks.nonzero(as_tuple=True)
    counts = rows.bincount(minlength=len(masks))  # a sum over the masks takes ten times as long
    starts = torch.cat([counts.new_zeros(1), counts.cumsum(0)])
    places = torch.arange(len(rows), device=masks.device) - starts[rows]
    return LegalActions((len(masks), masks.shape[1]), rows, actions, starts, places, int(counts.max()))


def all_choices(logits: torch.Tensor, masks: Any) -> tuple[torch.Tensor, torch.Tensor]:
    """Return all actions for each row, and their log probabilities: [n, num_actions]. Illegal ones have almost 0."""
    legal = torch.as_tensor(masks, dtype=torch.bool, device=logits.device).view_as(logits)
    actions = torch.arange(logits.shape[1], device=logits.device).expand_as(logits)
    return actions, log_softmax(logits.masked_fill(~legal, ILLEGAL), dim=1)


def legal_choices(logits: torch.Tensor, masks: Any) -> tuple[torch.Tensor, torch.Tensor]:
    """Return each row's legal actions, padded with NOTHING, and their log probabilities: [n, most].

    Args:
        logits: Logits of all actions, float32[n, num_actions].
        masks: The legal actions, [n, num_actions].
    """
    legal = list_legal(masks)
    return _choices(legal, logits[legal.rows, legal.actions])


def legal_choices_of(
    features: torch.Tensor, layer: nn.Linear, legal: LegalActions
) -> tuple[torch.Tensor, torch.Tensor]:
    """Return what `legal_choices` does, for the logits that a layer gives to features.

    Args:
        features: float32[n, units].
        layer: The last layer.
        legal: The legal actions.
    """
    if features.device.type == "cpu" and features.dtype == layer.weight.dtype == torch.float32:
        logits = _SampledProduct.apply(features, layer.weight, layer.bias, legal)
    else:
        logits = layer(features)[legal.rows, legal.actions]
    return _choices(legal, logits)


def _choices(legal, logits):
    return legal.padded(legal.actions, NOTHING), log_softmax(legal.padded(logits, ILLEGAL), dim=1)


class _SampledProduct(torch.autograd.Function):
    """Logits of legal actions: float32[k]."""

    @staticmethod
    def forward(ctx: Any, features: torch.Tensor, weight: torch.Tensor, bias: torch.Tensor, legal: LegalActions):
        ctx.save_for_backward(features, weight)
        ctx.legal = legal
        logits = _sparse(legal.starts, legal.actions, bias[legal.actions], legal.shape)
        return torch.sparse.sampled_addmm(logits, features, weight.t()).values()

    @staticmethod
    def backward(ctx: Any, gradient: torch.Tensor):
        features, weight = ctx.saved_tensors
        legal, numbers = ctx.legal, gradient.numpy()
        rows = csr_array((numbers, legal.actions.numpy(), legal.starts.numpy()), shape=legal.shape)
        of_bias = np.bincount(legal.actions.numpy(), numbers, legal.shape[1]).astype(np.float32)
        parts = rows @ weight.numpy(), rows.T @ features.numpy(), of_bias
        return *map(torch.from_numpy, parts), None
