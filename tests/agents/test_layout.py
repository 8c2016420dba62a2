"""Trained networks and changing games: a new field keeps a network usable; a changed meaning is refused by name."""

import json
from dataclasses import replace

import numpy as np
import pytest
from safetensors import safe_open

import stardeck
from helpers import PROGRAMS, a_network, game_of, random_steps, scaled
from stardeck import agents
from stardeck.agents.networks import pretrained
from stardeck.agents.networks.agent import LAST_RESORT, Network, NetworkAgent, NetworkError, read_network, write_network
from stardeck.agents.networks.input_layout import Field, Layout, layout_of, trained_layout
from stardeck.benchmarks.arena.series import Series

CORE = "star_realms/core/standard/2"


def decisions(game, games=6, steps=60):
    yield from random_steps(game, scaled(games, 2), scaled(steps, 6), seed=4)


def changed(network, **parts):
    """Return a network whose stored layout differs."""
    layout = network.layout._replace(**parts)
    return Network(network.layers, network.policy, network.value, "elsewhere_v0:0", layout=layout)


def of_version_0(game, **more):
    past = game.at(0)
    network = a_network(past, **more)
    network.layout = layout_of(past)
    return network


@pytest.mark.parametrize("named", [True, False])
@pytest.mark.parametrize("variant", PROGRAMS)
def test_an_agent_of_an_earlier_version_plays_on_as_before(tmp_path, variant, named):
    game = game_of(variant)
    network = a_network(game.at(0))  # like files of version 0.1.0, which name no fields
    network.layout = layout_of(game.at(0)) if named else None
    write_network(tmp_path / "old.safetensors", network)
    then = agents.get(str(tmp_path / "old.safetensors"), game.at(0))
    now = agents.get(str(tmp_path / "old.safetensors"), game)
    assert now.identity == then.identity and len(now.network.layers[0][0]) == game.observation_size
    for states in decisions(game):
        seeds = np.zeros(len(states), np.uint64)
        assert now.act(game, states, None, seeds).tolist() == then.act(game.at(0), states, None, seeds).tolist()
        assert now.values(game, states).tobytes() == then.values(game.at(0), states).tobytes()


def test_one_agent_plays_several_versions_in_turn():
    game = game_of(CORE)
    agent, seeds = NetworkAgent(of_version_0(game), "net"), np.zeros(3, np.uint64)
    states = game.deal([1, 2, 3])
    once = agent.act(game, states, None, seeds).tolist()
    assert agent.act(game.at(0), states, None, seeds).tolist() == once
    assert agent.act(game, states, None, seeds).tolist() == once
    assert len(Series(game, [agent, "random"]).play(0, 2).seeds) == 2


def test_fields_and_actions_are_found_by_name_in_whatever_order():
    game = game_of("interstellar_empire/2")
    network = a_network(game)
    network.layout = layout_of(game)
    layout = layout_of(game)
    rows = np.concatenate([np.arange(r["offset"], r["offset"] + r["size"]) for r in game.observation_table()[::-1]])
    columns = np.concatenate([np.arange(r["offset"], r["offset"] + r["size"]) for r in game.action_table()[::-1]])
    (matrix, bias), *others = network.layers
    turned = Network(
        [(matrix[rows], bias), *others], (network.policy[0][:, columns], network.policy[1][columns]), network.value,
        "interstellar_empire_v1:0",
        layout=Layout(layout.cards, layout.fields[::-1], layout.actions[::-1]),
    )  # fmt: skip
    assert np.array_equal(turned.arranged(game).weights, network.weights)


def test_an_action_that_came_later_is_the_last_resort(monkeypatch):
    game = stardeck.make("interstellar_empire")
    network, layout, table = a_network(game), layout_of(game), game.action_table()
    first = table[-1]["offset"]
    known = Network(
        network.layers, (network.policy[0][:, :first], network.policy[1][:first]), network.value,
        "interstellar_empire_v0:0", layout=layout._replace(actions=layout.actions[:-1]),
        about={"variant": "interstellar_empire/2"},
    )  # fmt: skip
    with pytest.raises(NetworkError, match=f"action {layout.actions[-1].name!r} is unknown to the network"):
        NetworkAgent(known, "old").check(game)
    table[-1]["since"] = 1
    monkeypatch.setattr(game, "action_table", lambda: table)
    arranged = known.arranged(game)
    assert (arranged.policy[1][first:] == LAST_RESORT).all() and not arranged.policy[0][:, first:].any()
    assert np.array_equal(arranged.policy[1][:first], network.policy[1][:first])


def wrong_layouts(layout):
    first, second, *fields = layout.fields
    yield {"fields": (first, Field("gone_by", 1, 1.0), *fields)}, "field 'gone_by' is gone"
    yield {"fields": (first, second._replace(scale=7.0), *fields)}, f"field {second.name!r} is size 1, scale 1.0, not"
    yield {"fields": (first, *fields)}, f"field {second.name!r} is unknown to the network"
    action, *actions = layout.actions
    yield {"actions": (action._replace(name="vanish"), *actions)}, "action 'vanish' is gone"
    yield (
        {"actions": (action._replace(members="x"), *actions)},
        f"action {action.name!r} is size .* not .*members x",
    )
    yield {"cards": "x"}, "the cards differ"


def test_a_changed_meaning_retires_an_agent_and_is_named():
    game = game_of(CORE)
    network = of_version_0(game)
    for parts, message in wrong_layouts(network.layout):
        with pytest.raises(NetworkError, match=f"agent 'net': was trained on .*: {message}"):
            NetworkAgent(changed(network, **parts), "net").check(game)


def test_a_file_whose_layout_does_not_fit_its_layers_is_refused():
    game = game_of(CORE)
    small = a_network(game_of("interstellar_empire/2"))
    liar = Network(small.layers, small.policy, small.value, "star_realms_v0:0", layout=layout_of(game.at(0)))
    with pytest.raises(NetworkError, match="agent .liar.: has 280 inputs and 93 actions; what it names has 882"):
        NetworkAgent(liar, "liar").check(game)


@pytest.mark.parametrize(
    "text",
    [
        "",
        "[]",
        "{}",
        "[" * 100_000,
        '{"cards": "", "fields": [["x", 1e999, 1]], "actions": []}',
        '{"cards": "", "fields": [["x", 0, 1]], "actions": []}',
    ],
)
def test_a_layout_that_is_none_is_refused(tmp_path, text):
    network = a_network(game_of(CORE))
    network.about["layout"] = text
    write_network(tmp_path / "net.safetensors", network)
    with pytest.raises(NetworkError, match="net.safetensors: "):
        read_network(tmp_path / "net.safetensors")


@pytest.mark.parametrize("path", sorted((pretrained.FOLDER / "ppo_0_1").iterdir()), ids=lambda path: path.stem)
def test_files_of_0_1_0_name_what_their_game_had(path):
    with safe_open(path, "numpy") as file:
        about = file.metadata()
    game = stardeck.make(about["variant"].split("/")[0], **json.loads(about["settings"]))
    layout = Layout.from_text(about["layout"])
    assert layout == trained_layout(about["spaces"], game) == layout_of(game.at(0))


def test_other_variants_are_refused_although_they_have_all_the_fields():
    """A field missing from a file must be newer than the file, and gambits are not."""
    network = of_version_0(game_of("star_realms/box/standard/2"))
    with pytest.raises(NetworkError, match="field 'hidden_gambits' is unknown to the network"):
        NetworkAgent(network, "net").check(game_of("star_realms/box/standard/2/gambits=2"))


def test_versions_are_named():
    game = game_of(CORE)
    assert game.version == 1 and game.at(0).version == 0 and game.at(1).spaces == game.spaces
    assert game.at(0).observation_table() == [row for row in game.observation_table() if row["since"] == 0]
    for version in (-1, 2, "0", 0.0, True):
        with pytest.raises(ValueError, match="version=.*: star_realms has the versions 0 to 1"):
            game.at(version)
    assert replace(game.variant).tables == game.at(0).variant.tables
