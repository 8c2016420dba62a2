"""Trained networks: answers of plain matrix products, whatever the batch; files that do not fit are refused."""

import numpy as np
import pytest
from safetensors.numpy import load, save

from helpers import VARIANTS, Plain, a_network, deep_states, game_of, scaled
from stardeck import agents
from stardeck.agents.network import Network, NetworkAgent, NetworkError, judge_of, read_network, write_network
from stardeck.agents.search import SearchAgent
from stardeck.benchmarks.arena import Series

CORE = VARIANTS[0]
SOME = [CORE, "star_realms/box/free_for_all/3", "interstellar_empire/2"]


def outputs(network, observations):
    """Logits and values in NumPy."""
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
def test_a_file_keeps_the_judge_of_a_network(tmp_path, tanh):
    game = game_of(CORE)
    network, alone = (a_network(game, tanh=tanh, judged=judged) for judged in (True, False))
    write_network(tmp_path / "net.safetensors", network)
    agent = agents.get(str(tmp_path / "net.safetensors"), game)
    assert np.array_equal(agent.network.weights, network.weights)
    assert np.array_equal(agent.judge.weights, network.judge.weights)
    assert agent.network.digest == network.digest != alone.digest
    states = deep_states(game, games=3, steps=scaled(40, 5))
    seeds = np.zeros(len(states), np.uint64)
    assert (
        agent.act(game, states, None, seeds).tolist()
        == NetworkAgent(alone, "x").act(game, states, None, seeds).tolist()
    )
    expected = outputs(a_network(game, (24, 8), 101), game.observe(states))[1]
    assert np.allclose(agent.values(game, states), expected, rtol=1e-4, atol=1e-4)


def test_a_file_holds_the_inputs_alone_that_count_for_a_judge(tmp_path):
    game = game_of(CORE)
    whole = a_network(game, judged=True)
    (matrix, bias), *others = whole.judge.layers
    for counting in (np.arange(3, game.observation_size, 2), np.zeros(0, np.int64)):
        some = np.zeros_like(matrix)
        some[counting] = matrix[counting]
        judge = judge_of([(some, bias), *others], whole.judge.value, game.spaces)
        network = Network(whole.layers, whole.policy, whole.value, game.spaces, judge=judge)
        path = tmp_path / "net.safetensors"
        write_network(path, network)
        assert load(path.read_bytes())["judge.layer.0.weight"].shape == (len(counting), len(bias))
        again = read_network(path)
        assert np.array_equal(again.judge.weights, judge.weights) and again.digest == network.digest


@pytest.mark.parametrize(
    "counting", [[0, 2, 2], [0, 2, 1], [0, 1, 5_000], [-1, 0, 1], [0, 1], [0.0, 1.0, 2.0], [[0, 1, 2]], 3]
)
def test_inputs_of_a_judge_that_cannot_be_are_refused(tmp_path, counting):
    game, path = game_of(CORE), tmp_path / "net.safetensors"
    tensors = load(a_network(game, judged=True).to_bytes())
    tensors["judge.layer.0.weight"] = tensors["judge.layer.0.weight"][:3].copy()
    tensors["judge.inputs"] = np.array(counting)
    path.write_bytes(save(tensors, {"format": "stardeck network 1, with a judge", "spaces": game.spaces}))
    message = f"judge.inputs: .*: must be 3 rising numbers below {game.observation_size}"
    with pytest.raises(NetworkError, match=message):
        read_network(path)


def test_a_judge_that_does_not_fit_is_refused(tmp_path):
    game = game_of(CORE)
    network, other = a_network(game, judged=True), a_network(game_of("interstellar_empire/2"), judged=True)
    with pytest.raises(NetworkError, match="a judge of 280 inputs: must have those of the network"):
        Network(network.layers, network.policy, network.value, game.spaces, judge=other.judge)
    tensors, path = load(network.to_bytes()), tmp_path / "net.safetensors"
    about = {"format": "stardeck network 1, with a judge", "spaces": game.spaces}
    for missing in ("judge.value.bias", "judge.layer.0.weight"):
        path.write_bytes(save({name: part for name, part in tensors.items() if name != missing}, about))
        with pytest.raises(NetworkError, match="must hold"):
            agents.get(path)
    path.write_bytes(save({name: part for name, part in tensors.items() if "judge.layer" not in name}, about))
    with pytest.raises(NetworkError):
        agents.get(path)
    path.write_bytes(save(tensors, about | {"format": "stardeck network 1"}))
    with pytest.raises(NetworkError, match="must hold"):
        agents.get(path)


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
    searcher = SearchAgent(5, guide=liar, player=agents.get("rules"))
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
