"""Rulings of the games, each backed by scenarios or tests that exist under the given names."""

from pathlib import Path

import pytest
import yaml

from stardeck.benchmarks.conformance.scenario import read_scenarios
from stardeck.game.registry import GAMES

FOLDER = Path(__file__).parent
RULINGS = yaml.load((FOLDER / "rulings.yaml").read_text(), yaml.CSafeLoader)
CASES = [(game, ruling) for game, rulings in RULINGS.items() for ruling in rulings]


def scenarios_of(game):
    """Return the names of the scenarios in the folder of a game."""
    return [
        scenario["name"] for file in (FOLDER / "scenarios" / game).glob("*.yaml") for scenario in read_scenarios(file)
    ]


NAMES = {game: scenarios_of(game) for game in RULINGS}


def exists(game, name):
    """Check that a scenario of this name, or a test written `path::name`, exists."""
    path, _, test = name.partition("::")
    return f"def {test}(" in (FOLDER.parent / path).read_text() if test else name in NAMES[game]


def test_every_game_has_rulings():
    assert set(RULINGS) == set(GAMES)


@pytest.mark.parametrize(("game", "ruling"), CASES, ids=[f"{game}: {ruling}" for game, ruling in CASES])
def test_a_ruling_is_held_by_scenarios_that_exist(game, ruling):
    held_by = RULINGS[game][ruling]
    assert held_by, "nothing would fail without this ruling"
    assert [name for name in held_by if not exists(game, name)] == []


def test_no_two_scenarios_of_a_game_have_the_same_name():
    assert {game: sorted({name for name in names if names.count(name) > 1}) for game, names in NAMES.items()} == {
        game: [] for game in NAMES
    }
