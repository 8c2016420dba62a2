"""What the README says is true: its Python runs, its commands exist, and its tables are those of the code."""

import re
from pathlib import Path

import pytest

from helpers import game_of
from stardeck.commands.cli import cli

ROOT = Path(__file__).parents[1]
README = (ROOT / "README.md").read_text()
BLOCKS = re.findall(r"```python\n(.*?)```", README, re.S)


@pytest.mark.parametrize("code", BLOCKS)
def test_python_of_the_readme_runs(code, monkeypatch, tmp_path, capsys):
    monkeypatch.chdir(tmp_path)
    exec(compile(code, "README.md", "exec"), {})


def test_commands_of_the_readme_exist():
    import stardeck.benchmarks.speed as speed

    known = set(cli.commands) | {speed.main.name}
    for command in re.findall(r"^stardeck (\w+)", README, re.M):
        assert command in known


def test_folders_and_files_named_in_the_readme_exist():
    for name in re.findall(r"`((?:kernels|envs|agents|training|benchmarks|tests|notebooks)/[\w/.]*)`", README):
        assert (ROOT / name).exists(), name


def test_the_table_of_games_is_that_of_the_code():
    for name in (
        "star_realms/core/standard/2",
        "star_realms/box/standard/2",
        "star_realms/box/free_for_all/6",
        "star_realms/box/two_headed_hydra/4",
        "star_realms/box/three_headed_hydra/6",
        "star_realms/box/emperor/6",
        "star_realms/box/raid/6",
        "star_realms/box/nemesis_beast/4/veteran",
        "star_realms/rise_of_empire/standard/2",
        "star_realms/rise_of_empire/standard/2/scenario=1",
        "rise_of_empire/2",
        "interstellar_empire/4",
        "empire_of_the_stars/4/powers",
    ):
        game = game_of(name)
        assert f"| {game.num_actions} | {game.observation_size:,} | {game.state_dtype.itemsize:,} |" in README, name
