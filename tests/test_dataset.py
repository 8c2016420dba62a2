"""Data sets: what a reader gets back is what was played, and cards are what others' readers take."""

import json
from pathlib import Path

import numpy as np
import pyarrow.parquet as pq
import pytest
import yaml
from click.testing import CliRunner

import stardeck
from stardeck import agents, datasets
from stardeck.benchmarks.results.store import ResultsError
from stardeck.commands.cli import cli

GAMES = 30
EVERY = [
    ("star_realms", {}, "rules"),
    ("star_realms", {"set": "box", "format": "free_for_all", "players": 3}, "simple"),
    ("star_realms", {"set": "box", "format": "nemesis_beast", "players": 2}, "rules"),
    ("rise_of_empire", {}, "random"),
    ("interstellar_empire", {}, "rules"),
    ("empire_of_the_stars", {}, "simple"),
]


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    """Return the folder of a data set of the core set."""
    out = tmp_path_factory.mktemp("data") / "core"
    datasets.dataset("star_realms", ["rules", "simple"], GAMES, 5, out)
    return out


@pytest.mark.parametrize(("game", "settings", "agent"), EVERY)
def test_episodes_are_the_games_that_were_played(tmp_path, game, settings, agent):
    datasets.dataset(game, agent, 3, 1, tmp_path, **settings)
    data = datasets.load(tmp_path)
    rows = pq.read_table(tmp_path / "games.parquet").to_pandas()
    assert len(data) == len(rows) == 3
    player = agents.get(agent, data.game)
    for episode, (_, row) in zip(data.episodes(), rows.iterrows(), strict=True):
        states = data.game.deal(np.array([row["seed"]], np.uint64))  # played by hand, move by move
        for ply, action in enumerate(episode.actions):
            assert data.game.to_act(states)[0] == episode.seats[ply]
            assert np.array_equal(data.game.observe(states)[0], episode.observations[ply])
            assert np.array_equal(data.game.legal_actions(states)[0], episode.masks[ply])
            data.game.apply(states, [int(action)])
        assert data.game.is_over(states)[0] and len(episode.actions) == row["decisions"]
        assert np.array_equal(data.game.returns(states)[0], episode.returns)
        assert np.array_equal(episode.rewards.sum(axis=0), episode.returns)
        seen = [data.game.observe(states, [seat])[0] for seat in range(data.game.players)]
        assert np.array_equal(np.stack(seen), episode.final)
    assert player.name == agent


def test_a_part_of_the_games_is_that_part(folder):
    data = datasets.load(folder)
    every = list(data.episodes())
    some = list(data.episodes(7, 12))
    assert [one.number for one in some] == [7, 8, 9, 10, 11]
    assert all(np.array_equal(one.actions, every[one.number].actions) for one in some)
    assert list(data.episodes(4, 4)) == []
    for start, stop in ((-1, 3), (5, 4), (0, GAMES + 1)):
        with pytest.raises(ValueError, match=f"start={start}, stop={stop}: must be in this order, from 0 to {GAMES}"):
            list(data.episodes(start, stop))


def test_others_read_the_files(folder):
    moves = pq.read_table(folder / "moves.parquet").to_pandas()
    games = pq.read_table(folder / "games.parquet").to_pandas()
    events = pq.read_table(folder / "events").to_pandas()
    assert len(moves) == len(games) == GAMES and set(events["index"]) == set(range(GAMES))
    assert (moves["actions"].str.len() == games["decisions"]).all()
    described = json.loads((folder / "variant.json").read_text())
    assert described["variant"] == "star_realms/core/standard/2" and described["events"][0] == "acquire"
    assert sum(row["size"] for row in described["actions"]) == stardeck.make("star_realms").num_actions


def test_the_card_is_one_of_the_hub_and_its_python_runs(folder, capsys):
    from huggingface_hub import DatasetCard

    card = DatasetCard.load(folder / "README.md")
    assert card.data.license == "mit" and card.data.size_categories == ["n<1K"]
    for one in card.data.configs:
        assert list(folder.glob(one["data_files"])), one
    code = card.text.split("```python\n")[1].split("```")[0]
    exec(code.replace("FOLDER", str(folder)).replace("0, 100", "0, 2"), {})
    assert len(capsys.readouterr().out.splitlines()) >= 2
    assert "30 games of" in (folder / "DATASHEET.md").read_text()
    head = (folder / "README.md").read_text().split("---")[1]
    assert yaml.safe_load(head)["task_categories"] == ["reinforcement-learning"]


def test_a_longer_one_continues_and_another_is_refused(tmp_path):
    datasets.dataset("interstellar_empire", "random", 4, 2, tmp_path)
    datasets.dataset("interstellar_empire", "random", 9, 2, tmp_path)
    longer = [episode.actions for episode in datasets.load(tmp_path).episodes()]
    datasets.dataset("interstellar_empire", "random", 9, 2, tmp_path / "whole")
    whole = [episode.actions for episode in datasets.load(tmp_path / "whole").episodes()]
    assert len(longer) == 9 and all(map(np.array_equal, longer, whole))
    with pytest.raises(ValueError, match="seed 2, not 3"):
        datasets.dataset("interstellar_empire", "random", 9, 3, tmp_path)


def test_what_is_no_data_set_is_refused(tmp_path, folder):
    with pytest.raises(ResultsError):
        datasets.load(tmp_path)
    stardeck.benchmarks.advantage.advantage("interstellar_empire", "random", 2, out=tmp_path / "games")
    with pytest.raises(ResultsError, match="moves.parquet is missing"):
        datasets.load(tmp_path / "games")


def test_the_command(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    words = ["dataset", "interstellar_empire", "--agents", "rules", "--games", "3"]
    answer = CliRunner().invoke(cli, [*words, "--hub", "me/games"])
    out = Path("results/dataset-interstellar_empire-2")
    assert answer.exit_code == 0 and f"hf upload me/games {out} --repo-type dataset" in answer.output
    assert "On the Hub: `me/games`" in (out / "README.md").read_text()
    for name in ("me", "a/b/c", "me/" + "x" * 200, "me/.."):
        answer = CliRunner().invoke(cli, [*words, "--hub", name, "--out", "other"])
        assert answer.exit_code == 2 and "must be OWNER/NAME" in answer.output and not Path("other").exists()
