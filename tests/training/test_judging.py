"""Value networks: trained on perturbed games, they predict better than the network they join, which plays as before."""

import json

import numpy as np
import pytest

from helpers import FEW, a_network, game_of, thorough
from stardeck import agents
from stardeck.agents.data.perturbed_games import TurnObservations, play_perturbed
from stardeck.agents.networks import pretrained
from stardeck.agents.networks.agent import NetworkAgent, write_network
from stardeck.game.agent_table import AgentTable
from stardeck.training import train_value
from stardeck.training.auxiliary import network, value
from stardeck.training.auxiliary.value import PerturbedGames
from stardeck.training.checkpoints import CheckpointError

CORE = "star_realms/core/standard/2"
JUDGED = [
    (name, variant) for name in ("expert", "ppo") for variant, net in pretrained.shipped(name).items() if net.judge
]
TINY = {"rounds": 3, "games": 60, "units": [16, 8], "batch": 64}


class Stop:
    """A progress function that interrupts before a round."""

    def __init__(self, number):
        self.number = number

    def __call__(self, done, total, note):
        if note == f"round {self.number}":
            raise KeyboardInterrupt


def astray(game, share, games=40, seed=3):
    """Play perturbed games of a random network; return final states, observations, rows and seats."""
    agent = NetworkAgent(a_network(game), "net")
    agent.check(game)
    cast = AgentTable([agent])
    states = game.deal(np.arange(games) + seed)
    observations = np.zeros((400 * games, game.observation_size), np.uint8)  # more rows than needed

    rows, seats = np.zeros((2, len(observations)), np.int64)
    turns = TurnObservations(observations, rows, seats)
    seeds = np.arange(games, dtype=np.uint64)
    count = play_perturbed(game.rules, states, cast.networks, seeds, share, turns, None)
    return states, observations[:count], rows[:count], seats[:count]


def test_without_a_turn_astray_they_are_the_games_of_the_network():
    game = game_of(CORE)
    states, *_ = astray(game, 0.0, 20)
    agent, plain = NetworkAgent(a_network(game), "net"), game.deal(np.arange(20) + 3)
    while not game.is_over(plain).all():
        rows = np.flatnonzero(~game.is_over(plain))
        some = game.take(plain, rows)
        game.apply(some, agent.act(game, some, None, np.zeros(len(rows), np.uint64)))
        game.put(plain, rows, some)
    assert plain.tobytes() == states.tobytes()
    assert astray(game, 0.5, 20)[0].tobytes() != states.tobytes()


@pytest.mark.parametrize("variant", thorough(FEW, [CORE, "interstellar_empire/2"]))
def test_what_is_seen_is_what_two_seats_see_at_starts_of_turns(variant):
    game = game_of(variant)
    _, observations, rows, seats = astray(game, 0.3, 60)
    views = min(game.players, 2)
    assert len(rows) % views == 0 and len(rows) > 60
    pairs, looking = rows.reshape(-1, views), seats.reshape(-1, views)
    assert (pairs == pairs[:, :1]).all() and (np.diff(rows) >= 0).all()
    assert all(len(set(seen)) == views for seen in looking.tolist())
    assert set(seats) == set(range(game.players))
    assert observations.any(axis=1).all()


def test_turns_that_went_astray_are_looked_at_more_often():
    game = game_of(CORE)
    for share, expected in ((0.0, 0.1), (1.0, 0.6)):
        states, _, rows, _ = astray(game, share)
        assert len(rows) / 2 == pytest.approx(expected * (states["turn"].sum() - len(states)), rel=0.15)


def test_results_are_those_of_the_seats_that_looked(monkeypatch):
    game = game_of(CORE)
    seen = PerturbedGames(game, NetworkAgent(a_network(game), "net"), 0.2).play(50, [1])
    results = seen.results.reshape(-1, 2)
    assert (results[:, 0] == -results[:, 1]).all() and set(np.unique(results)) == {-1.0, 1.0}
    monkeypatch.setattr(network, "available_cores", lambda: 1)
    monkeypatch.setattr(network, "PIECE", 50)
    again = PerturbedGames(game, NetworkAgent(a_network(game), "net"), 0.2).play(50, [1])
    assert np.array_equal(seen.observations, again.observations) and np.array_equal(seen.results, again.results)


def test_a_judge_learns_what_positions_are_worth(tmp_path):
    recipe = {"rounds": 4, "games": 1_000, "units": [32, 16], "batch": 256, "averaging": 0.98}
    net = tmp_path / "net.safetensors"
    write_network(net, a_network(game_of(CORE)))
    summary = train_value("star_realms", str(net), tmp_path / "out", recipe=recipe)
    assert summary["games"] == 4_000 and summary["explained"] > 0.1 > summary["explained_before"]


def test_the_agent_with_its_judge_plays_as_before_and_guides_a_search_two_turns_ahead(tmp_path):
    game = game_of(CORE)
    train_value("star_realms", "ppo-0.1", tmp_path / "out", recipe=TINY)
    ppo, judged = agents.get("ppo-0.1", game), agents.get(str(tmp_path / "out" / "agent.safetensors"), game)
    assert np.array_equal(ppo.network.weights, judged.network.weights)
    about = judged.network.about
    assert json.loads(about["judge"])["games"] == 180 and about["variant"] == game.id
    searches = [
        agents.get(f"search:20:prior={agent}", game) for agent in ("ppo-0.1", tmp_path / "out" / "agent.safetensors")
    ]
    assert [int(search.settings(game)[1]["turns"][0]) for search in searches] == [1, 2]
    assert searches[0].identity != searches[1].identity
    states = game.deal(np.arange(40))
    thoughts = [search.think(game, states, np.arange(40, dtype=np.uint64)) for search in searches]
    assert np.array_equal(thoughts[0].found["prior"], thoughts[1].found["prior"])
    assert not np.array_equal(thoughts[0].found["mean"], thoughts[1].found["mean"])


@pytest.mark.parametrize(("name", "variant"), JUDGED)
def test_the_judges_that_come_with_the_package_tell_as_much_as_they_say(name, variant):
    game = game_of(variant)
    agent = agents.get(name, game)
    seen = PerturbedGames(game, agent, 0.15).play(3_000, [77])
    told = value.explained_variance(agent.judge, seen)
    assert told == pytest.approx(json.loads(agent.network.about["judge"])["explained"], abs=0.03)
    assert told > value.explained_variance(agent.network, seen) + 0.03


def test_it_goes_on_where_it_was_stopped_to_the_same_end(tmp_path):
    whole = train_value("star_realms", "ppo", tmp_path / "whole", 5, TINY)
    for number in (2, 3):
        with pytest.raises(KeyboardInterrupt):
            train_value("star_realms", "ppo", tmp_path / "parts", 5, TINY, Stop(number))
    parts = train_value("star_realms", "ppo", tmp_path / "parts", 5, TINY)
    same = ("explained", "explained_before", "positions", "games")
    assert [whole[name] for name in same] == [parts[name] for name in same]
    judges = [agents.get(tmp_path / name / "agent.safetensors").judge for name in ("whole", "parts")]
    assert np.array_equal(judges[0].weights, judges[1].weights)
    with pytest.raises(CheckpointError, match="holds a training with seed 5, not 6"):
        train_value("star_realms", "ppo", tmp_path / "parts", 6, TINY)


def test_what_it_has_never_seen_counts_nothing_for_a_judge(tmp_path, monkeypatch):
    seen = []
    play = PerturbedGames.play

    def playing(played, games, seed):
        seen.append(play(played, games, seed))
        return seen[-1]

    monkeypatch.setattr(PerturbedGames, "play", playing)
    train_value("star_realms", "ppo", tmp_path / "out", recipe=TINY)
    occurred = np.any([part.observations.any(axis=0) for part in seen[:-1]], axis=0)  # learning skips the last part
    counting = agents.get(tmp_path / "out" / "agent.safetensors").judge.layers[0][0].any(axis=1)
    assert np.array_equal(counting, occurred) and not counting.all()


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ({"agent": "rules"}, "agent 'rules': must be a network, by name or file"),
        ({"agent": "search:5"}, "agent 'search:5': must be a network"),
        ({"recipe": {"round": 1}}, "round: is not part of a recipe of train-value; known: rounds, games"),
        ({"recipe": {"rounds": 0}}, "rounds=0: must be from 1 to"),
        ({"recipe": {"units": [12]}}, "must be multiples of 8"),
        ({"recipe": {"astray": 2.0}}, "astray=2.0: must be from 0 to 1"),
        ({"seed": -1}, "seed=-1: must be a whole number from 0"),
        ({"players": 3}, "players=3"),
    ],
)
def test_what_cannot_be_is_refused_and_makes_no_folder(tmp_path, arguments, message):
    with pytest.raises(ValueError, match=message):
        train_value(**{"game": "star_realms", "agent": "ppo", "out": tmp_path / "out"} | arguments)
    assert not (tmp_path / "out").exists()
