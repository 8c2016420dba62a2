"""Behaviour cloning: a training that imitates the players of a folder of games."""

import json

import numpy as np
import pytest

import stardeck
from stardeck.benchmarks.agreement import agreement
from stardeck.benchmarks.recordings import record
from stardeck.training import train
from stardeck.training.cloning import LoggedPlayers, clone
from stardeck.training.policy import make_policy

TINY = {
    "units": [32, 16], "steps": 0, "evaluation_games": 20, "panel": ["rules"], "imitation": 20_000, "value_rounds": 0,
}  # fmt: skip


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    """Return a folder of 20 games of `rules`, and a file that does not count."""
    game, place = stardeck.make("star_realms"), tmp_path_factory.mktemp("games")
    for seed in range(20):
        record.write(place / f"{seed}.jsonl", record.play(game, ["rules"], seed))
    (place / "README.md").write_text("My games.")
    return place


def test_imitation_alone_learns_from_games_and_reports_those_that_it_has_not_seen(folder, tmp_path):
    recipe = TINY | {"teacher": f"logs:{folder}"}
    summary = train("star_realms", tmp_path / "out", recipe=recipe, progress=False)
    found = summary["imitation"]
    assert (found["games"], found["held_out"], summary["decisions"]) == (20, 2, 0)
    assert [one["file"] for one in found["left_out"]] == ["README.md"] and 0 < found["learned"] <= 20_000
    assert found["log_likelihood"] > found["before"]["log_likelihood"] + 0.3
    assert found["agreement"] > 0.55 > found["before"]["agreement"]
    assert json.loads((tmp_path / "out" / "summary.json").read_text())["imitation"] == found
    agent = str(tmp_path / "out" / "agent.safetensors")
    row = agreement("star_realms", folder, agent)["agents"][0]["kinds"][0]
    assert row["agreement"] > 0.6 and len(summary["evaluations"]) == 1


def test_a_training_goes_on_by_self_play_and_refuses_other_games(folder, tmp_path):
    small = {"num_envs": 8, "rollout": 32, "batch": 64, "epochs": 1, "steps": 256, "imitation": 1_000}
    recipe = TINY | small | {"teacher": f"logs:{folder}"}
    summary = train("star_realms", tmp_path / "out", recipe=recipe, progress=False)
    assert summary["decisions"] == 256 and summary["imitation"]["learned"] == 1_000
    assert train("star_realms", tmp_path / "out", recipe=recipe, progress=False)["imitation"] == summary["imitation"]
    (tmp_path / "fewer").mkdir()
    for seed in range(3):
        (tmp_path / "fewer" / f"{seed}.jsonl").write_bytes((folder / f"{seed}.jsonl").read_bytes())
    with pytest.raises(ValueError, match="holds a training with"):
        train("star_realms", tmp_path / "out", recipe=recipe | {"teacher": f"logs:{tmp_path / 'fewer'}"})


def test_expert_iteration_begins_from_players_too(folder, tmp_path):
    recipe = {"rounds": 1, "games": 8, "simulations": 2, "units": [16, 8], "imitation": 500, "promotion_games": 64}
    recipe |= {"evaluation_games": 20, "panel": ["rules"], "teacher": f"logs:{folder}", "value_rounds": 0}
    summary = train("star_realms", tmp_path / "out", recipe=recipe, progress=False, method="expert")
    assert summary["imitation"]["games"] == 20


def test_the_held_out_games_are_not_learned_from(folder):
    """Without the held-out games, the policy becomes the same."""
    game = stardeck.make("star_realms")
    players = LoggedPlayers(str(folder), game)
    out = np.random.default_rng(3).permutation(players.games)[:2]
    policies = []
    for _ in range(2):
        policy = make_policy(game, (16, 8), 1)
        clone(policy, players, 600, 3, lambda *_: None)
        policies.append(policy)
        held_out = np.isin(players.decisions.games, out)
        players.decisions.returns[held_out] = 0.5
        assert held_out.sum() > 100
    for one, other in zip(*(policy.parameters() for policy in policies), strict=True):
        assert (one == other).all()


@pytest.mark.parametrize(
    ("files", "message"),
    [
        ({}, "has no files; it must hold logs"),
        (
            {"one.txt": "no log"},
            "must hold at least 2 games that count; it holds 0; one.txt: this is not a log of the app",
        ),
    ],
)
def test_a_folder_without_games_is_refused_in_one_line(files, message, tmp_path):
    for name, text in files.items():
        (tmp_path / name).write_text(text)
    with pytest.raises(ValueError, match=message):
        train("star_realms", tmp_path / "out", recipe=TINY | {"teacher": f"logs:{tmp_path}"})
