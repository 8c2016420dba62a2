"""The last layer that computes legal actions only: torch's own product of whole matrices, except for rounding."""

import subprocess
import sys

import numpy as np
import pytest
import torch
from torch import nn
from torch.nn.functional import log_softmax

from helpers import deep_states, game_of
from stardeck.training.layers.legal_actions import ILLEGAL, NOTHING, legal_choices, legal_choices_of, list_legal

UNITS = 24


def masks_of(name, steps=6):
    """Return the legal actions of random play: bool[n, num_actions]."""
    game = game_of(name)
    return game.legal_actions(deep_states(game, 64, steps)).astype(bool)


def drawn(rows, actions, share):
    random = np.random.default_rng(rows)
    masks = random.random((rows, actions)) < share
    masks[np.arange(rows), random.integers(actions, size=rows)] = True  # each row has a legal action
    return masks


CASES = {
    "core": lambda: masks_of("star_realms/core/standard/2"),
    "empire": lambda: masks_of("interstellar_empire/3"),
    "one row": lambda: drawn(1, 30, 0.2),
    "one action each": lambda: drawn(40, 200, 0),
    "all actions": lambda: np.ones((20, 50), bool),
    "numbers": lambda: drawn(64, 90, 0.1).astype(np.float32),
}


def whole(features, layer, masks):
    """Return the log probabilities of all actions by torch's own operators: [n, num_actions]."""
    return log_softmax(layer(features).masked_fill(~torch.as_tensor(masks, dtype=torch.bool), ILLEGAL), dim=1)


def of_all(actions, likely, count):
    """Return the log probabilities of listed actions in the places of all actions, and 0 for others."""
    empty = torch.zeros(len(actions), count + 1)
    return empty.scatter(1, torch.where(actions == NOTHING, count, actions), likely)[:, :count]


@pytest.mark.parametrize("case", CASES)
def test_probabilities_and_gradients_are_those_of_whole_matrices(case):
    masks = CASES[case]()
    torch.manual_seed(1)
    layer, weights = nn.Linear(UNITS, masks.shape[1]), torch.rand(masks.shape)
    results = []
    for sampled in (True, False):
        features = torch.linspace(-1, 1, len(masks) * UNITS).view(-1, UNITS).requires_grad_()
        layer.zero_grad()
        if sampled:
            found = of_all(*legal_choices_of(features, layer, list_legal(masks)), masks.shape[1])
        else:
            found = whole(features, layer, masks) * torch.as_tensor(masks)
        (found.exp() * weights * torch.as_tensor(masks)).sum().backward()
        results.append((found.detach(), features.grad, layer.weight.grad.clone(), layer.bias.grad.clone()))
    for one, other in zip(*results, strict=True):
        assert one.dtype == other.dtype
        torch.testing.assert_close(one, other, rtol=1e-4, atol=1e-5)


@pytest.mark.parametrize("case", CASES)
def test_each_row_lists_its_legal_actions(case):
    masks = CASES[case]()
    actions, likely = legal_choices(torch.zeros(masks.shape), masks)
    for row, mask, probabilities in zip(actions.tolist(), masks, likely.exp().tolist(), strict=True):
        legal = np.flatnonzero(mask).tolist()
        assert row == legal + [NOTHING] * (len(row) - len(legal))
        assert probabilities[: len(legal)] == pytest.approx([1 / len(legal)] * len(legal))
        assert not any(probabilities[len(legal) :])


def test_the_processor_computes_legal_actions_only(monkeypatch):
    monkeypatch.setattr(nn.Linear, "forward", lambda *given: pytest.fail("all actions were computed"))
    masks, layer = drawn(50, 300, 0.03), nn.Linear(UNITS, 300)
    with torch.no_grad():
        actions, likely = legal_choices_of(torch.rand(50, UNITS), layer, list_legal(masks))
    assert actions.shape == likely.shape == (50, masks.sum(axis=1).max()) and likely.grad_fn is None


def test_torch_gives_no_warning():
    """Torch warns once in a process, so the question needs a process of its own."""
    code = """
import torch
from stardeck.training.layers.legal_actions import legal_choices_of, list_legal
legal_choices_of(torch.rand(2, 4), torch.nn.Linear(4, 3), list_legal([[1, 0, 1], [0, 1, 0]]))
"""
    ran = subprocess.run([sys.executable, "-W", "always", "-c", code], capture_output=True, text=True, check=True)
    assert "Sparse" not in ran.stderr
