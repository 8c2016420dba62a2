"""A training in parts: a limit on its time, and the value network at its end."""

import json
from functools import partial

import numpy as np
import pytest
import torch

import stardeck
from stardeck import agents
from stardeck.agents.networks.agent import read_network
from stardeck.training import imitation, time_limit, train, train_value
from stardeck.training.auxiliary import value
from stardeck.training.recipe import ValueRecipe, recipe_for
from stardeck.training.time_limit import TimeLimit

PPO = {
    "units": [16, 8], "num_envs": 2, "rollout": 8, "batch": 8, "epochs": 1, "imitation": 0, "steps": 4 * 16,
    "freeze_every": 1, "evaluate_every": 2, "checkpoint_every": 3, "evaluation_games": 2, "panel": ["random"],
    "value_rounds": 0,
}  # fmt: skip
EXPERT = {
    "rounds": 3, "games": 2, "simulations": 2, "quick_simulations": 2, "learned_share": 0.25, "imitation": 0,
    "units": [16, 8], "batch": 32, "promotion_games": 64, "evaluation_games": 2, "panel": ["random"],
    "value_rounds": 0,
}  # fmt: skip
METHODS = [("ppo", PPO), ("expert", EXPERT)]
GAME = "interstellar_empire"


def weights(folder):
    return read_network(folder / "agent.safetensors").weights


@pytest.fixture
def clock(monkeypatch):
    """Let each look at the clock take some seconds."""

    class Clock:
        now, step = 0.0, 10.0

        def monotonic(self):
            Clock.now += Clock.step
            return Clock.now

    monkeypatch.setattr(time_limit, "time", Clock())
    return Clock


def test_a_limit_leaves_room_for_a_step_as_long_as_the_longest(clock):
    clock.step = 0
    limit = TimeLimit(1)
    answers = []
    for now in (40, 45, 50, 55):  # the first 40 seconds are the beginning, and no step
        clock.now = now
        answers.append(limit.is_up())
    assert answers == [False, False, False, False]
    clock.now = 55.1
    assert limit.is_up()
    assert not TimeLimit().is_up()


def test_the_longest_step_counts_and_not_the_last(clock):
    clock.step = 0
    limit = TimeLimit(2)
    answers = []
    for now in (0, 50, 60, 70.5):
        clock.now = now
        answers.append(limit.is_up())
    assert answers == [False, False, False, True]


@pytest.mark.parametrize("minutes", [0, -1, float("nan"), float("inf"), True, "5", 1e9])
@pytest.mark.parametrize("method", ["ppo", "expert"])
def test_a_limit_that_cannot_be_is_refused(minutes, method, tmp_path):
    with pytest.raises(ValueError, match="^minutes=.*: must be a number above 0"):
        train(GAME, tmp_path / "out", method=method, minutes=minutes)
    assert not (tmp_path / "out").exists()


@pytest.mark.parametrize(("method", "recipe"), METHODS)
def test_a_training_in_pieces_comes_to_the_same_end(method, recipe, tmp_path, clock):
    whole = train(GAME, tmp_path / "whole", 3, recipe, False, method)
    assert whole["finished"]
    pieces = []
    while not pieces or not pieces[-1]["finished"]:
        clock.now = 0.0
        pieces.append(train(GAME, tmp_path / "pieces", 3, recipe, False, method, minutes=0.5))
        assert (tmp_path / "pieces" / "agent.safetensors").exists() and len(pieces) < 9
        kept = json.loads((tmp_path / "pieces" / "summary.json").read_text())
        assert kept["finished"] == pieces[-1]["finished"] and kept["evaluations"]
    assert len(pieces) > 1
    decisions = [piece["decisions"] for piece in pieces]
    assert decisions == sorted(set(decisions)) and decisions[-1] == whole["decisions"]
    assert np.array_equal(weights(tmp_path / "whole"), weights(tmp_path / "pieces"))
    rates = [[entry["panel"] for entry in run["evaluations"]] for run in (whole, pieces[-1])]
    assert rates[0] == rates[1]


@pytest.fixture
def short_chunks(monkeypatch):
    """Let an imitation have chunks of 32 decisions."""
    monkeypatch.setattr(imitation, "LANES", 4)
    monkeypatch.setattr(imitation, "LENGTH", 8)


def test_a_limit_just_after_a_checkpoint_of_an_imitation_writes_it_once(tmp_path, clock, short_chunks, monkeypatch):
    """Regression: the second checkpoint of one moment was refused by the file system, as bad usage."""
    monkeypatch.setattr(imitation, "SAVED_EVERY", -1)  # a checkpoint after every chunk
    recipe = METHODS[0][1] | {"imitation": 200, "teacher": "rules"}
    for _ in range(2):
        clock.now = 0.0
        assert not train(GAME, tmp_path, 3, recipe, False, minutes=0.05)["finished"]


@pytest.mark.parametrize(("method", "recipe"), METHODS)
def test_an_imitation_in_pieces_comes_to_the_same_end(method, recipe, tmp_path, clock, short_chunks):
    recipe = recipe | {"imitation": 200, "teacher": "rules"}
    whole = train(GAME, tmp_path / "whole", 3, recipe, False, method)
    pieces = []
    while not pieces or not pieces[-1]["finished"]:
        clock.now = 0.0
        pieces.append(train(GAME, tmp_path / "pieces", 3, recipe, False, method, minutes=0.5))
        assert len(pieces) < 12
    assert [piece["decisions"] for piece in pieces[:2]] == [0, 0], "the imitation alone takes several pieces"
    assert all(piece["evaluations"] for piece in pieces), "each piece says how strong the agent is"
    assert np.array_equal(weights(tmp_path / "whole"), weights(tmp_path / "pieces"))
    assert pieces[-1]["evaluations"][0]["panel"] == whole["evaluations"][0]["panel"]
    assert not (tmp_path / "pieces" / "imitation").exists(), "the checkpoint of the training holds it"


def test_an_imitation_that_is_interrupted_goes_on(tmp_path, monkeypatch, short_chunks):
    recipe = PPO | {"imitation": 200, "teacher": "rules", "steps": 0}
    whole = train(GAME, tmp_path / "whole", 3, recipe, False)
    monkeypatch.setattr(imitation, "SAVED_EVERY", 0.0)

    def stop(done, decisions, note):
        if done >= 128:
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        train(GAME, tmp_path / "cut", 3, recipe, stop)
    seen = []
    found = train(GAME, tmp_path / "cut", 3, recipe, lambda done, *_: seen.append(done))
    assert found["finished"] and min(seen) > 96, "96 decisions were on disk"
    assert found["evaluations"][0]["panel"] == whole["evaluations"][0]["panel"]
    assert np.array_equal(weights(tmp_path / "whole"), weights(tmp_path / "cut"))
    kept = tmp_path / "damaged"
    with pytest.raises(KeyboardInterrupt):
        train(GAME, kept, 3, recipe, stop)
    newest = max((kept / "imitation").iterdir())
    (newest / "lanes.npz").write_bytes(b"PK")
    with pytest.raises(ValueError, match="imitation/00000096: is not a whole checkpoint .*; delete it to go on"):
        train(GAME, kept, 3, recipe)


def test_a_large_training_is_long_and_not_quick(tmp_path):
    for method in ("ppo", "expert"):
        usual, large = (recipe_for("interstellar_empire", method=method, large=large) for large in (False, True))
        assert large.units == usual.units and large.value_rounds > usual.value_rounds
    assert recipe_for("star_realms", {"steps": 5}, large=True).steps == 5
    assert recipe_for("star_realms", large=True).steps == 10**9
    with pytest.raises(ValueError, match="^large=True: must be False with quick=True"):
        train(GAME, tmp_path / "out", quick=True, large=True)
    assert not (tmp_path / "out").exists()


@pytest.fixture
def few_games(monkeypatch):
    monkeypatch.setattr(value, "ValueRecipe", partial(ValueRecipe, games=60, units=(16, 8), batch=64))


@pytest.mark.parametrize(("method", "recipe"), METHODS)
def test_a_training_ends_with_a_value_network_for_search(method, recipe, tmp_path, few_games):
    alone = train(GAME, tmp_path / "alone", 3, recipe, False, method)
    summary = train(GAME, tmp_path / "whole", 3, recipe | {"value_rounds": 2}, False, method)
    assert "value_network" not in alone and summary["value_network"]["games"] == 120
    assert json.loads((tmp_path / "whole" / "summary.json").read_text())["value_network"] == summary["value_network"]
    agent = read_network(tmp_path / "whole" / "agent.safetensors")
    assert np.array_equal(agent.weights, weights(tmp_path / "alone"))
    path = tmp_path / "alone" / "agent.safetensors"
    numbers = {"rounds": 2, "games": 60, "units": [16, 8], "batch": 64}
    train_value(GAME, str(path), tmp_path / "later", 3, numbers, False)
    later = read_network(tmp_path / "later" / "agent.safetensors")
    assert np.array_equal(agent.judge.weights, later.judge.weights)
    assert json.loads(agent.about["recipe"])["value_rounds"] == 2
    game = stardeck.make(GAME)
    search = agents.get(f"search:2:prior={tmp_path / 'whole' / 'agent.safetensors'}", game)
    assert game.playout(game.deal([1]), search, seed=1)["to_act"] < 0


def test_a_value_network_may_follow_later_and_in_pieces(tmp_path, few_games, clock):
    train(GAME, tmp_path / "whole", 3, PPO | {"value_rounds": 3}, False)
    first = train(GAME, tmp_path / "pieces", 3, PPO, False)
    assert first["finished"]
    pieces = [first]
    while len(pieces) == 1 or not pieces[-1]["finished"]:
        clock.now = 0.0
        pieces.append(train(GAME, tmp_path / "pieces", 3, PPO | {"value_rounds": 3}, False, minutes=0.6))
        assert len(pieces) < 9
    assert len(pieces) > 2
    one, other = (read_network(tmp_path / name / "agent.safetensors") for name in ("whole", "pieces"))
    assert one.judge.digest == other.judge.digest and torch.equal(*map(torch.as_tensor, (one.weights, other.weights)))


@pytest.mark.parametrize(
    ("method", "recipe", "options"),
    [
        ("ppo", PPO, {}),
        ("expert", EXPERT, {}),
        ("ppo", PPO | {"value_rounds": 3}, {}),
        ("ppo", PPO, {"seeds": 2}),
    ],
)
def test_the_shortest_limit_still_comes_to_the_end(method, recipe, options, tmp_path, few_games):
    """Every call makes a step, though preparing it takes longer than the limit."""
    pieces = []
    while not pieces or not pieces[-1]["finished"]:
        pieces.append(train(GAME, tmp_path / "pieces", 3, recipe, False, method, minutes=1e-9, **options))
        assert len(pieces) < 16
    assert len(pieces) > 1
    train(GAME, tmp_path / "whole", 3, recipe, False, method, **options)
    agents_of = sorted(path.relative_to(tmp_path / "whole") for path in (tmp_path / "whole").rglob("agent.safetensors"))
    assert agents_of
    for path in agents_of:
        one, other = (read_network(tmp_path / name / path) for name in ("whole", "pieces"))
        assert one.digest == other.digest
