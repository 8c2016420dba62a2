"""Opponent-hand models: trained on true hands, they beat chance; the network they join stays unchanged."""

import json

import numpy as np
import pytest
import torch

from helpers import EVERY_VARIANT, a_network, game_of
from stardeck import agents
from stardeck.agents.data.perturbed_games import LOOKED, HiddenHands, play_perturbed
from stardeck.agents.networks import pretrained
from stardeck.agents.networks.agent import NetworkAgent
from stardeck.agents.search.tree import BELIEF_LIMIT
from stardeck.game.agent_table import AgentTable
from stardeck.training import train_belief, train_value
from stardeck.training.auxiliary import belief, network
from stardeck.training.auxiliary.belief import HiddenHandGames, hand_loss
from stardeck.training.checkpoints import CheckpointError

IE = "interstellar_empire/3"
BELIEVING = [
    (name, variant) for name in ("expert", "ppo") for variant, net in pretrained.shipped(name).items() if net.belief
]
TINY = {"rounds": 3, "games": 60, "units": [16, 8], "batch": 64}


def counted(game, games=40):
    """Play games of a random network; return final states, observations and counts."""
    agent = NetworkAgent(a_network(game), "net")
    agent.check(game)
    states = game.deal(np.arange(games))
    observations = np.zeros((200 * games, game.observation_size), np.uint8)  # more rows than needed
    counts = np.zeros((len(observations), game.players, game.variant.kinds_held), np.uint8)
    seeds = np.arange(games, dtype=np.uint64)
    networks = AgentTable([agent]).networks
    count = play_perturbed(game.rules, states, networks, seeds, 0.0, None, HiddenHands(observations, counts))
    return states, observations[:count], counts[:count]


def replayed(game, games=40):
    """Play the same games by the agent itself; return each choice's observation with the hands of the others."""
    agent = NetworkAgent(a_network(game), "net")
    states, seen = game.deal(np.arange(games)), {}
    while len(rows := np.flatnonzero(~game.is_over(states))):
        some = game.take(states, rows)
        for one in np.flatnonzero(game.legal_actions(some).sum(axis=1) > 1):
            seat = int(some[one]["to_act"])
            others = [(seat + k) % game.players for k in range(1, game.players)]
            seen[game.observe(some)[one].tobytes()] = some[one]["players"]["hand"][others].tobytes()
        game.apply(some, agent.act(game, some, None, np.zeros(len(rows), np.uint64)))
        game.put(states, rows, some)
    return states, seen


def test_what_is_counted_is_what_others_held_in_games_of_the_network():
    game = game_of(IE)
    states, observations, counts = counted(game)
    plain, seen = replayed(game)
    assert states.tobytes() == plain.tobytes()
    for observation, count in zip(observations, counts, strict=True):
        assert seen[observation.tobytes()] == count[:-1].tobytes()
    assert len(observations) == pytest.approx(LOOKED * len(seen), rel=0.25)
    assert (counts[:, :-1].sum(axis=1) <= counts[:, -1]).all()


def test_surprise_is_the_mean_logarithm_of_what_was_held():
    counts = torch.tensor([[[2, 0, 1], [3, 1, 4]], [[0, 0, 1], [0, 2, 2]]], dtype=torch.uint8)
    told = torch.tensor([[0.0, 0.0, 0.0], [5.0, 0.0, np.log(3.0)]])
    chances = [3 / 8, 3 / 8, 4 / 8, 6 / 8]  # the last: 2 cards of weight 3 and 2 of weight 1, none of the first kind
    assert hand_loss(told, counts).item() == pytest.approx(-np.log(chances).mean())


def test_a_belief_learns_what_others_hold_and_stands_beside_a_judge(tmp_path):
    recipe = {"rounds": 3, "games": 4_000, "units": [32, 16], "batch": 512, "averaging": 0.98}
    settings = {"players": 3}
    train_value("interstellar_empire", "expert", tmp_path / "judged", recipe=TINY, **settings)
    judged = tmp_path / "judged" / "agent.safetensors"
    summary = train_belief("interstellar_empire", str(judged), tmp_path / "out", recipe=recipe, **settings)
    assert summary["games"] == 12_000 and summary["choice"] < 0.94 * summary["choice_before"]
    game = game_of(IE)
    expert, before, after = (
        agents.get(str(agent), game) for agent in ("expert", judged, tmp_path / "out" / "agent.safetensors")
    )
    assert np.array_equal(expert.network.weights, after.network.weights)
    assert np.array_equal(before.judge.weights, after.judge.weights)
    about = after.network.about
    assert json.loads(about["belief"])["choice"] == summary["choice"] and "judge" in about
    new = HiddenHandGames(game, expert, 0.0).play(500, [77])
    assert belief.perplexity(after.belief, new) == pytest.approx(summary["choice"], rel=0.03)
    assert belief.perplexity(None, new) == pytest.approx(summary["choice_before"], rel=0.03)


@pytest.mark.parametrize(("name", "variant"), BELIEVING)
def test_the_beliefs_that_come_with_the_package_guess_as_well_as_they_say(name, variant):
    game = game_of(variant)
    agent = agents.get(name, game)
    seen = HiddenHandGames(game, agent, 0.0).play(2_000, [77])
    told = belief.perplexity(agent.belief, seen)
    assert told == pytest.approx(json.loads(agent.network.about["belief"])["choice"], rel=0.02)
    assert told < 0.9 * belief.perplexity(None, seen)


def test_a_search_has_room_for_the_weights_of_every_variant():
    assert max(game_of(variant).belief_size for variant in EVERY_VARIANT) == BELIEF_LIMIT


def test_it_goes_on_where_it_was_stopped_to_the_same_end(tmp_path):
    def stop(done, total, note):
        if note == "round 3":
            raise KeyboardInterrupt

    whole = train_belief("interstellar_empire", "ppo", tmp_path / "whole", 5, TINY)
    with pytest.raises(KeyboardInterrupt):
        train_belief("interstellar_empire", "ppo", tmp_path / "parts", 5, TINY, stop)
    parts = train_belief("interstellar_empire", "ppo", tmp_path / "parts", 5, TINY)
    assert whole["choice"] == parts["choice"] and whole["positions"] == parts["positions"]
    beliefs = [agents.get(tmp_path / name / "agent.safetensors").belief for name in ("whole", "parts")]
    assert np.array_equal(beliefs[0].weights, beliefs[1].weights)
    with pytest.raises(CheckpointError, match="holds a training with seed 5, not 6"):
        train_belief("interstellar_empire", "ppo", tmp_path / "parts", 6, TINY)


def test_games_are_the_same_on_every_number_of_cores(monkeypatch):
    game = game_of(IE)
    agent = NetworkAgent(a_network(game), "net")
    seen = HiddenHandGames(game, agent, 0.2).play(50, [1])
    monkeypatch.setattr(network, "available_cores", lambda: 1)
    monkeypatch.setattr(network, "PIECE", 50)
    again = HiddenHandGames(game, agent, 0.2).play(50, [1])
    assert np.array_equal(seen.observations, again.observations) and np.array_equal(seen.results, again.results)


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ({"agent": "rules"}, "agent 'rules': must be a network, by name or file; others have no opponent-hand model"),
        ({"recipe": {"round": 1}}, "round: is not part of a recipe of train-belief; known: rounds, games"),
        ({"game": "star_realms"}, "star_realms/core/standard/2: the play of others says nothing about their hands"),
        ({"seed": -1}, "seed=-1: must be a whole number from 0"),
    ],
)
def test_what_cannot_be_is_refused_and_makes_no_folder(tmp_path, arguments, message):
    with pytest.raises(ValueError, match=message):
        train_belief(**{"game": "interstellar_empire", "agent": "ppo", "out": tmp_path / "out"} | arguments)
    assert not (tmp_path / "out").exists()
