"""Trained networks: outputs equal plain matrix products in any batch; files that do not fit are refused."""

import json

import numpy as np
import pytest
from safetensors.numpy import load, save

from helpers import VARIANTS, Plain, a_network, deep_states, game_of, scaled
from stardeck import agents
from stardeck.agents.networks.agent import (
    END,
    FORMAT,
    Network,
    NetworkAgent,
    NetworkError,
    read_network,
    single_head_network,
    write_network,
)
from stardeck.agents.search.agent import SearchAgent
from stardeck.benchmarks.arena.series import Series

CORE = VARIANTS[0]
SOME = [CORE, "star_realms/box/free_for_all/3", "interstellar_empire/2"]


def outputs(network, observations):
    """Return logits and values, computed in NumPy."""
    hidden = observations.astype(np.float32)
    for matrix, bias in network.layers:
        hidden = np.maximum(hidden @ matrix + bias, 0)
    return hidden @ network.policy[0] + network.policy[1], (hidden @ network.value[0] + network.value[1])[:, 0]


@pytest.mark.parametrize("variant", SOME)
@pytest.mark.parametrize("units", [(8,), (16, 8), (24, 16, 8, 8)])
def test_a_network_takes_the_legal_action_with_the_highest_logit(variant, units):
    game = game_of(variant)
    agent = NetworkAgent(a_network(game, units), "net")
    states = deep_states(game, games=scaled(8, 1), steps=scaled(60, 8))
    masks = game.legal_actions(states)
    logits, values = outputs(agent.network, game.observe(states))
    legal_logits = np.where(masks, logits, -np.inf)
    actions = agent.act(game, states, masks, np.zeros(len(states), np.uint64))
    taken = legal_logits[np.arange(len(states)), actions]
    assert np.allclose(taken, legal_logits.max(axis=1), rtol=1e-4, atol=1e-4)
    assert np.allclose(agent.values(game, states), values, rtol=1e-4, atol=1e-4)


def test_a_sampled_network_draws_from_its_policy():
    game = game_of(CORE)
    agent = NetworkAgent(a_network(game, sampled=True), "net")
    states = game.deal(3)
    n = scaled(20_000, 200)
    many = game.copy(states.repeat(n))
    mask = game.legal_actions(states)[0]
    actions = agent.act(game, many, None, np.arange(n, dtype=np.uint64))
    logits = outputs(agent.network, game.observe(states))[0][0][mask == 1].astype(np.float64)
    expected = n * np.exp(logits - logits.max()) / np.exp(logits - logits.max()).sum()
    counts = np.array([(actions == action).sum() for action in np.flatnonzero(mask)])
    assert counts.sum() == n
    assert ((counts - expected) ** 2 / expected).sum() < 30  # at most 5 degrees of freedom


@pytest.mark.once
@pytest.mark.parametrize("variant", SOME)
def test_networks_play_the_same_inside_and_outside_the_loop(variant):
    game = game_of(variant)
    one = NetworkAgent(a_network(game, seed=1), "one")
    two = NetworkAgent(a_network(game, (8,), seed=2, sampled=True), "two")
    games = 24
    inside = Series(game, [one, two], seed=5).play(0, games)
    outside = Series(game, [Plain(one), Plain(two)], seed=5).play(0, games)
    mixed = Series(game, [one, Plain(two)], seed=5).play(0, games)
    for field in inside._fields:
        assert np.array_equal(getattr(inside, field), getattr(outside, field)), field
        assert np.array_equal(getattr(inside, field), getattr(mixed, field)), field


def test_the_answer_does_not_depend_on_the_batch():
    game = game_of(CORE)
    agent = NetworkAgent(a_network(game), "net")
    states = deep_states(game, games=3, steps=scaled(40, 5))
    seeds = np.arange(len(states), dtype=np.uint64)
    together = agent.act(game, states, None, seeds)
    alone = [agent.act(game, states[k : k + 1], None, seeds[k : k + 1])[0] for k in range(len(states))]
    assert together.tolist() == alone


def test_a_file_keeps_the_network(tmp_path):
    game = game_of(CORE)
    network = a_network(game)
    write_network(tmp_path / "net.safetensors", network)
    again = read_network(tmp_path / "net.safetensors")
    assert again.about == {"variant": game.id} and again.spaces == game.spaces
    assert np.array_equal(again.weights, network.weights)
    assert np.array_equal(again.shape, network.shape)
    agent = agents.get(str(tmp_path / "net.safetensors"), game)
    assert agent.name == "net" and agent.identity == NetworkAgent(again, "net").identity


@pytest.mark.parametrize("tanh", [False, True])
def test_a_file_keeps_what_stands_beside_a_network(tmp_path, tanh):
    game = game_of("interstellar_empire/2")
    ways = [(judged, believes) for judged in (False, True) for believes in (False, True)]
    networks = [a_network(game, tanh=tanh, judged=judged, believes=believes) for judged, believes in ways]
    assert len({network.digest for network in networks}) == 4
    alone, both = NetworkAgent(networks[0], "alone"), networks[-1]
    states = deep_states(game, games=3, steps=scaled(40, 5))
    seeds = np.zeros(len(states), np.uint64)
    for (judged, believes), network in zip(ways, networks, strict=True):
        write_network(tmp_path / "net.safetensors", network)
        agent = agents.get(str(tmp_path / "net.safetensors"), game)
        assert agent.network.digest == network.digest
        assert np.array_equal(agent.judge.weights, (both.judge if judged else network).weights)
        assert agent.belief is None or np.array_equal(agent.belief.weights, both.belief.weights)
        assert (agent.belief is not None) == believes
        assert agent.act(game, states, None, seeds).tolist() == alone.act(game, states, None, seeds).tolist()
        expected = outputs(a_network(game, (24, 8), 101), game.observe(states))[1] if judged else None
        assert not judged or np.allclose(agent.values(game, states), expected, rtol=1e-4, atol=1e-4)


@pytest.mark.parametrize("name", ["judge", "belief"])
def test_a_file_holds_the_inputs_alone_that_count_for_what_stands_beside(tmp_path, name):
    game = game_of("interstellar_empire/2")
    whole = a_network(game, judged=True, believes=True)
    (matrix, bias), *others = whole.beside[name].layers
    for counting in (np.arange(3, game.observation_size, 2), np.zeros(0, np.int64)):
        some = np.zeros_like(matrix)
        some[counting] = matrix[counting]
        end = whole.beside[name].end(name)
        beside = whole.beside | {name: single_head_network(name, [(some, bias), *others], end, game.spaces)}
        network = Network(whole.layers, whole.policy, whole.value, game.spaces, **beside)
        path = tmp_path / "net.safetensors"
        write_network(path, network)
        assert load(path.read_bytes())[f"{name}.layer.0.weight"].shape == (len(counting), len(bias))
        again = read_network(path)
        assert np.array_equal(again.beside[name].weights, beside[name].weights) and again.digest == network.digest


@pytest.mark.parametrize("name", ["judge", "belief"])
@pytest.mark.parametrize(
    "counting", [[0, 2, 2], [0, 2, 1], [0, 1, 5_000], [-1, 0, 1], [0, 1], [0.0, 1.0, 2.0], [[0, 1, 2]], 3]
)
def test_inputs_beside_that_cannot_be_are_refused(tmp_path, name, counting):
    game, path = game_of("interstellar_empire/2"), tmp_path / "net.safetensors"
    tensors = load(a_network(game, **{"judge": {"judged": True}, "belief": {"believes": True}}[name]).to_bytes())
    tensors[f"{name}.layer.0.weight"] = tensors[f"{name}.layer.0.weight"][:3].copy()
    tensors[f"{name}.inputs"] = np.array(counting)
    path.write_bytes(save(tensors, {"format": f"stardeck network 1, with a {name}", "spaces": game.spaces}))
    message = f"{name}.inputs: .*: must be 3 rising numbers below {game.observation_size}"
    with pytest.raises(NetworkError, match=message):
        read_network(path)


@pytest.mark.parametrize("name", ["judge", "belief"])
def test_what_stands_beside_and_does_not_fit_is_refused(tmp_path, name):
    game = game_of("interstellar_empire/2")
    network, other = (a_network(one, judged=True, believes=True) for one in (game, game_of("interstellar_empire/3")))
    with pytest.raises(NetworkError, match=f"a {name} of 336 inputs: must have as many as the network"):
        Network(network.layers, network.policy, network.value, game.spaces, **{name: other.beside[name]})
    tensors, path = load(network.to_bytes()), tmp_path / "net.safetensors"
    about = {"format": "stardeck network 1, with a judge, with a belief", "spaces": game.spaces}
    for missing in (f"{name}.{END[name]}.bias", f"{name}.layer.0.weight"):
        path.write_bytes(save({part: array for part, array in tensors.items() if part != missing}, about))
        with pytest.raises(NetworkError, match="must hold"):
            agents.get(path)
    path.write_bytes(save({part: array for part, array in tensors.items() if f"{name}.layer" not in part}, about))
    with pytest.raises(NetworkError):
        agents.get(path)
    for format in ("stardeck network 1", f"stardeck network 1, with a {name}"):
        path.write_bytes(save(tensors, about | {"format": format}))
        with pytest.raises(NetworkError, match="must hold"):
            agents.get(path)
    path.write_bytes(save(tensors, about | {"format": "stardeck network 1, with a belief, with a judge"}))
    with pytest.raises(NetworkError, match="is not a file of the format"):
        agents.get(path)


def test_a_belief_that_does_not_fit_the_game_is_refused():
    game = game_of("interstellar_empire/3")
    whole = a_network(game, believes=True)
    weights, bias = whole.belief.policy
    for size, told in ((game.belief_size - 1, game), (7, game), (24, game_of(CORE))):
        net = a_network(told)
        belief = single_head_network(
            "belief", a_network(told, (24, 8)).layers, (weights[:, :size], bias[:size]), told.spaces
        )
        agent = NetworkAgent(Network(net.layers, net.policy, net.value, told.spaces, belief=belief), "net")
        message = f"agent 'net': has an opponent-hand model of {size} weights; {told.id} has {told.belief_size}"
        with pytest.raises(NetworkError, match=message):
            agent.check(told)


def test_a_network_for_other_spaces_is_refused(tmp_path):
    path = tmp_path / "net.safetensors"
    write_network(path, a_network(game_of(CORE)))
    other = game_of("star_realms/box/standard/2")
    with pytest.raises(NetworkError, match="agent 'net': was trained on star_realms/core/standard/2, with actions and"):
        Series(other, [str(path), "rules"])


def test_a_network_that_lies_about_its_spaces_is_refused():
    game = game_of(CORE)
    small = a_network(game_of("interstellar_empire/2"))
    liar = NetworkAgent(Network(small.layers, small.policy, small.value, game.spaces), "liar")
    with pytest.raises(
        NetworkError, match="agent 'liar': has 280 inputs and 93 actions; star_realms/core/standard/2 has"
    ):
        liar.act(game, game.deal(1), None, np.zeros(1, np.uint64))
    searcher = SearchAgent(5, prior=liar, player=agents.get("rules"))
    with pytest.raises(NetworkError, match="agent 'liar'"):
        agents.get(searcher, game)


def broken_files(tmp_path):
    whole = a_network(game_of(CORE)).to_bytes()
    tensors = load(whole)
    about = {"format": "stardeck network 1", "spaces": "x"}
    yield "truncated", whole[: len(whole) // 2], "is not a whole file of a network"
    yield "text", b"hello", "is not a whole file of a network"
    yield "foreign", save(tensors, {"format": "other"}), "is not a file of the format 'stardeck network 1'"
    yield "without", save({k: v for k, v in tensors.items() if k != "value.bias"}, about), "value.bias"
    yield "more", save(tensors | {"layer.x": tensors["value.bias"]}, about), "must hold layer.0.bias"
    flat = {"layer.0.bias": tensors["layer.0.bias"].reshape(2, 8)}
    yield "flat", save(tensors | flat, about), "must be a matrix and a row"
    wrong = tensors | {"policy.weight": tensors["policy.weight"][:-1].copy()}
    yield "wrong", save(wrong, about), "a layer of shape"
    yield "infinite", save(tensors | {"value.bias": np.array([np.inf], np.float16)}, about), "not finite"


def test_broken_files_are_refused_in_one_clear_line(tmp_path):
    for name, contents, message in broken_files(tmp_path):
        path = tmp_path / f"{name}.safetensors"
        path.write_bytes(contents)
        with pytest.raises(NetworkError, match=message) as error:
            agents.get(path)
        assert str(path) in str(error.value) and "\n" not in str(error.value)
    with pytest.raises(NetworkError, match="missing.safetensors"):
        agents.get(tmp_path / "missing.safetensors")


def test_layers_that_cannot_be_played_are_refused():
    game = game_of(CORE)
    network = a_network(game)
    with pytest.raises(NetworkError, match="a layer of 12 units: must be a multiple of 8"):
        a_network(game, (12,))
    with pytest.raises(NetworkError, match="10 layers: must be from 1 to 4"):
        Network(network.layers * 5, network.policy, network.value, game.spaces)


@pytest.mark.parametrize(
    ("dtype", "bits"), [("BF16", 16), ("F8_E4M3", 8), ("F8_E5M2", 8), ("F8_E8M0", 8), ("F4", 4), ("F6_E2M3", 6)]
)
def test_numbers_that_numpy_lacks_are_refused_in_one_line(tmp_path, dtype, bits):
    header, at = {"__metadata__": {"format": FORMAT, "spaces": "star_realms_v1:0"}}, 0
    for name, size in {"layer.0.weight": 64, "layer.0.bias": 8, "policy.weight": 64, "value.weight": 8}.items():
        header[name] = {"dtype": dtype, "shape": [size], "data_offsets": [at, at + size * bits // 8]}
        at += size * bits // 8
    written = json.dumps(header).encode()
    path = tmp_path / "net.safetensors"
    path.write_bytes(len(written).to_bytes(8, "little") + written + bytes(at))
    with pytest.raises(NetworkError, match="net.safetensors: is not a whole file of a network"):
        read_network(path)
