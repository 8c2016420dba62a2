"""Training variants: games for learning can have other settings than the target."""

import numpy as np
import pytest

import stardeck
from helpers import game_of, scaled
from stardeck.agents.networks.agent import read_network
from stardeck.training import train
from stardeck.training.expert import iteration
from stardeck.training.recipe import recipe_for
from stardeck.training.training_variant import practice_game

NAME = "empire_of_the_stars"
TWO = f"{NAME}/2/powers"
PPO = {
    "units": [16, 8], "num_envs": 2, "rollout": 8, "batch": 16, "epochs": 1, "imitation": 0, "steps": 32,
    "value_rounds": 0,
    "freeze_every": 1, "checkpoint_every": 1, "evaluation_games": 1,
}  # fmt: skip
EXPERT = {
    "rounds": 1, "games": 2, "simulations": 2, "quick_simulations": 2, "learned_share": 0.25, "imitation": 0,
    "value_rounds": 0,
    "units": [16, 8], "batch": 32, "promotion_games": 64, "evaluation_games": 2, "panel": ["random"],
}  # fmt: skip
SHORT = ["max_turns=2", "at_limit=score"]


def test_practice_changes_settings_and_nothing_else():
    game = game_of(TWO)
    other = practice_game(game, SHORT)
    assert other.id == f"{TWO}/max_turns=2/at_limit=score" and other.spaces == game.spaces
    assert practice_game(game, ()) is game
    assert practice_game(stardeck.make(NAME, powers=False), ["powers=false", "max_turns=2"]).settings["max_turns"] == 2


@pytest.mark.parametrize(
    ("practice", "message"),
    [
        (["max_turns"], "practice='max_turns': must be name=value"),
        (["=5"], "practice='=5': must be name=value"),
        ([5], "practice=5: must be name=value"),
        (["max_turns=many"], "max_turns='many': must be a whole number from 1 to 10000"),
        (["colour=red"], "colour='red': empire_of_the_stars has no such setting"),
        (["powers=false"], r"practice=\['powers=false'\]: must leave actions and observations as they are"),
    ],
)
def test_impossible_practice_is_named_and_nothing_is_written(tmp_path, practice, message):
    for method, numbers in (("ppo", PPO), ("expert", EXPERT)):
        with pytest.raises(ValueError, match=message):
            train(NAME, tmp_path / "out", recipe=numbers | {"practice": practice}, method=method)
    assert not (tmp_path / "out").exists()


@pytest.mark.parametrize("method", ["ppo", "expert"])
def test_a_setting_that_is_given_is_kept_unless_the_recipe_names_it_too(method):
    usual = recipe_for(NAME, method=method).practice
    assert set(usual) == {"max_turns=60", "at_limit=score"}
    assert recipe_for(NAME, None, method, {"max_turns": 90}).practice == ("at_limit=score",)
    assert recipe_for(NAME, {"practice": ["max_turns=5"]}, method, {"max_turns": 90}).practice == ("max_turns=5",)
    assert recipe_for("star_realms", None, method).practice == ()


def test_self_play_learns_from_games_of_its_practice(tmp_path):
    summary = train(NAME, tmp_path, recipe=PPO | {"practice": SHORT})
    newest = sorted((tmp_path / "checkpoints").iterdir())[-1]
    with np.load(newest / "lanes.npz") as lanes:
        tags = np.unique(lanes["states"]["variant"])
    assert tags.tolist() == practice_game(game_of(TWO), SHORT).rules["variant"].tolist()
    about = read_network(tmp_path / "agent.safetensors").about
    assert summary["variant"] == about["variant"] == TWO and summary["recipe"]["practice"] == SHORT
    assert '"practice": ["max_turns=2", "at_limit=score"]' in about["recipe"]
    with pytest.raises(
        ValueError, match=r"holds a training with recipe.practice\[0\] 'max_turns=2', not 'max_turns=3'"
    ):
        train(NAME, tmp_path, recipe=PPO | {"practice": ["max_turns=3", "at_limit=score"]})


def test_expert_iteration_learns_from_games_of_its_practice(tmp_path, monkeypatch):
    played = []

    def play(games, *others):
        chunks = searched(games, *others)
        played.append((games.game.id, chunks[0].rows))
        return chunks

    searched = iteration.play
    monkeypatch.setattr(iteration, "play", play)
    summary = train(NAME, tmp_path, recipe=EXPERT | {"practice": SHORT}, method="expert")
    assert [name for name, _ in played] == [f"{TWO}/max_turns=2/at_limit=score"] and summary["variant"] == TWO
    assert scaled(set(np.unique(played[0][1].results)) == {-1, 1}, True)
