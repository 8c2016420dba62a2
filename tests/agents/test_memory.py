"""The evaluation cache of a search, which changes nothing but the running time."""

import numpy as np
import pytest

from helpers import VARIANTS, a_network, deep_states, game_of, scaled
from stardeck.agents.networks.agent import NetworkAgent
from stardeck.agents.search import batch, evaluation_cache
from stardeck.agents.search.agent import SearchAgent
from stardeck.kernels.compile.jit import entry

CORE = VARIANTS[0]


@pytest.mark.once
@pytest.mark.parametrize("variant", scaled([CORE, "interstellar_empire/2"], [CORE]))
def test_a_search_that_forgets_finds_the_same(monkeypatch, variant):
    game = game_of(variant)
    network = NetworkAgent(a_network(game), "net")
    states = deep_states(game, games=scaled(6, 1), steps=scaled(80, 6), every=scaled(20, 3))
    seeds = np.arange(len(states), dtype=np.uint64)
    agent = SearchAgent(scaled(50, 5), prior=network)
    recalled = agent.think(game, states, seeds)
    monkeypatch.setattr(batch, "room_for", lambda simulations: 1)
    forgotten = agent.think(game, states, seeds)
    assert recalled.found.tobytes() == forgotten.found.tobytes()
    assert recalled.values.tobytes() == forgotten.values.tobytes()
    assert (recalled.chosen == forgotten.chosen).all()


@entry
def numbers_of(observations, size, numbers):
    for i in range(len(numbers)):
        numbers[i] = evaluation_cache.digest_of_sight(observations[i], size, 3)


@pytest.mark.parametrize("size", [1, 8, 29, 71])
def test_every_byte_counts_and_what_lies_behind_does_not(size):
    """Regression: highest bits that differed in two words cancelled each other."""
    places = np.arange(size)
    one, two = np.zeros((size, 72), np.uint8), np.zeros((size * size, 72), np.uint8)
    one[places, places] = 1
    two[np.arange(size * size), np.repeat(places, size)] = 128
    two[np.arange(size * size), np.tile(places, size)] ^= 192
    observations = np.concatenate([one, two])
    observations[:, size:] = np.arange(len(observations))[:, None] % 256
    numbers = np.empty(len(observations), np.uint64)
    numbers_of(observations, size, numbers)
    different = {row[:size].tobytes() for row in observations}
    assert len(set(numbers.tolist())) == len(different) and 0 not in numbers


@pytest.mark.parametrize(("simulations", "room"), [(1, 256), (32, 256), (33, 512), (400, 4096), (10**6, 65_536)])
def test_there_is_room_for_every_simulation(simulations, room):
    assert evaluation_cache.room_for(simulations) == room
