"""Import paths of earlier versions, as used in READMEs and notebooks of users."""

import importlib
import subprocess
import sys

import pytest

import stardeck
from stardeck.moved import MOVED

DOCUMENTED = """
from stardeck.envs.game import Game
from stardeck.envs.agent import Actions, Agent, AgentLike, Masks, Seeds, States
from stardeck.envs.registry import GAMES, settings_of
from stardeck.agents.network import Network, write_network
from stardeck.agents.layout import layout_of
from stardeck.agents.shipped import NAMES, shipped
from stardeck.agents.search import SearchAgent
from stardeck.agents.analysis import Analysis
from stardeck.benchmarks import record
from stardeck.benchmarks.advantage import advantage, wilson
from stardeck.benchmarks.arena import Chunk, Series, run
from stardeck.benchmarks.executors import executor_for
from stardeck.benchmarks.fair import fair
from stardeck.benchmarks.league import league
from stardeck.benchmarks.scenario import read_scenarios
from stardeck.benchmarks.worth import worth
from stardeck.kernels.contract import GamePackage, Variant
from stardeck.training.response import exploit
"""  # used in the README, manual, examples and notebooks of version 0.1


def forget(name):
    """Forget loaded modules, because only a new import warns."""
    sys.modules.pop(name, None)
    package, _, last = name.rpartition(".")
    if hasattr(sys.modules.get(package), last):
        delattr(sys.modules[package], last)


@pytest.mark.parametrize("old", MOVED)
def test_an_old_path_warns_and_gives_the_same_module(old):
    name, new = f"stardeck.{old}", f"stardeck.{MOVED[old]}"
    forget(name)
    with pytest.warns(DeprecationWarning, match=rf"^{name} has moved; import {new}$"):
        assert importlib.import_module(name) is importlib.import_module(new)
    assert importlib.import_module(new).__spec__.name == new
    forget(name)


def test_what_the_manual_of_the_first_version_imports_is_there():
    code = f"import warnings; warnings.simplefilter('ignore', DeprecationWarning)\n{DOCUMENTED}"
    subprocess.run([sys.executable, "-c", code], check=True)


def test_the_warning_names_the_line_of_the_user(tmp_path):
    (tmp_path / "mine.py").write_text("from stardeck.envs.game import Game\nprint(Game.__module__)\n")
    done = subprocess.run([sys.executable, tmp_path / "mine.py"], capture_output=True, text=True, check=True)
    assert done.stdout == "stardeck.game.game\n"
    assert f"{tmp_path / 'mine.py'}:1: DeprecationWarning: stardeck.envs.game has moved" in done.stderr


def test_an_old_module_still_runs_as_a_program():
    command = [sys.executable, "-m", "stardeck.benchmarks.load", "--help"]
    assert "--clients" in subprocess.run(command, capture_output=True, text=True, check=True).stdout


def test_other_names_are_not_found():
    with pytest.raises(ModuleNotFoundError, match="stardeck.envs.nothing"):
        importlib.import_module("stardeck.envs.nothing")
    with pytest.raises(ModuleNotFoundError):
        importlib.import_module("envs.game")
    assert stardeck.moved.MOVED


def test_the_old_name_of_a_recipe_warns_and_gives_the_same_class():
    recipe = importlib.import_module("stardeck.training.recipe")
    with pytest.warns(DeprecationWarning, match=r"recipe\.BesideRecipe is now AuxiliaryRecipe; "):
        assert recipe.BesideRecipe is recipe.AuxiliaryRecipe
