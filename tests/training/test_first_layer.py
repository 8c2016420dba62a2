"""The sparse product of the first layer: torch's own product of whole matrices, except for rounding."""

import pytest
import torch
from torch import nn

from helpers import deep_states, game_of
from stardeck.training.layers import first_layer as module
from stardeck.training.layers.first_layer import first_layer

UNITS = 24


def observations_of(name, steps=6):
    """Return observations of random play: uint8[n, observation_size]."""
    game = game_of(name)
    return torch.as_tensor(game.observe(deep_states(game, 64, steps)))


def sparse(rows, inputs, share):
    torch.manual_seed(rows)
    return (torch.rand(rows, inputs) < share) * torch.randint(1, 256, (rows, inputs), dtype=torch.uint8)


CASES = {
    "core": lambda: observations_of("star_realms/core/standard/2"),
    "empire": lambda: observations_of("interstellar_empire/3"),
    "one row": lambda: sparse(1, 300, 0.05),
    "all zero": lambda: torch.zeros(5, 100, dtype=torch.uint8),
    "empty rows": lambda: sparse(200, 100, 0.004),
    "floats": lambda: sparse(50, 300, 0.05).float(),
    "a view": lambda: sparse(50, 300, 0.05)[10:40],
}


@pytest.fixture
def products(monkeypatch):
    """Return the numbers of the sparse products so far."""
    made = []
    summed = module.embedding_bag
    monkeypatch.setattr(torch, "get_num_threads", lambda: 1)
    monkeypatch.setattr(module, "embedding_bag", lambda *given, **named: made.append(1) or summed(*given, **named))
    return made


def both(observations):
    """Return outputs and gradients of the sparse product, and those of `nn.Linear`."""
    torch.manual_seed(1)
    layer, scale = nn.Linear(observations.shape[1], UNITS), torch.rand(observations.shape[1]) / 255
    for found in (first_layer(observations, scale, layer), layer(observations * scale)):
        layer.zero_grad()
        found.sin().sum().backward()
        yield found.detach(), layer.weight.grad.clone(), layer.bias.grad.clone()


@pytest.mark.parametrize("case", CASES)
def test_the_sparse_product_is_the_dense_one(case, products):
    own, wanted = both(CASES[case]())
    assert products == [1]
    for one, other in zip(own, wanted, strict=True):
        assert one.dtype == other.dtype and one.is_contiguous()
        torch.testing.assert_close(one, other, rtol=1e-4, atol=1e-4)


def test_full_rows_take_the_dense_product(products):
    own, wanted = both(sparse(50, 300, 0.5))
    assert not products and all(one.equal(other) for one, other in zip(own, wanted, strict=True))


def test_many_threads_take_the_dense_product(products, monkeypatch):
    monkeypatch.setattr(torch, "get_num_threads", lambda: 16)
    own, wanted = both(observations_of("star_realms/core/standard/2"))
    assert not products and all(one.equal(other) for one, other in zip(own, wanted, strict=True))


def test_without_gradients_nothing_is_kept(products):
    with torch.no_grad():
        found = first_layer(sparse(8, 300, 0.05), torch.ones(300), nn.Linear(300, UNITS))
    assert products and found.grad_fn is None
