"""Some invalid inputs at every entry point, also uncompiled; `make attack` tries thousands with bounds checks."""

import random

import pytest

from attack import commands, foreign, inputs, library
from attack.playing import Broken, is_refusal
from attack.report import Tally, attack, table

# Number of inputs for about a second.
FEW = {"settings": 30, "actions": 30, "words": 20, "states": 30, "positions": 12, "tables": 15, "agent files": 15,
       "environments": 15, "scenarios": 8, "saved games": 4, "results": 4, "arguments": 10,
       "special files": 10, "escape codes": 15, "dtypes": 10, "values of results": 4, "requests": 6,
       "slow texts": 4}  # fmt: skip
DOORS = library.DOORS | commands.DOORS | foreign.DOORS


@pytest.mark.parametrize("name", DOORS)
def test_every_input_is_refused_by_name_or_can_be_played(name):
    tally = attack(name, DOORS[name], FEW[name])
    assert not tally.failures
    assert tally.refused and tally.tried == FEW[name]


def test_inputs_follow_from_the_seed():
    def texts(seed):
        told = []
        attack("settings", library.settings, 5, seed=seed, begin=told.append)
        return told

    assert texts(1) == texts(1) != texts(2)


def a_door(error):
    """Return an entry point that always raises this error."""

    def call():
        raise error

    return lambda rng, folder: ("text", call)


@pytest.mark.parametrize(
    "error",
    [KeyError("player_0"), IndexError("x"), OSError("a file"), Broken("accepted, then it broke")],
)
def test_any_other_error_is_a_failure(error):
    tally = attack("door", a_door(error), 3)
    assert (tally.tried, tally.refused, tally.accepted, len(tally.failures)) == (3, 0, 0, 3)


def test_an_error_that_python_raises_is_no_refusal():
    for wrong in (lambda: int("x"), lambda: None + 1, lambda: [][0]):
        with pytest.raises(Exception) as caught:  # noqa: PT011
            wrong()
        assert not is_refusal(caught.value)


def test_spoiled_things_differ_and_leave_the_original():
    rng = random.Random(1)
    original = {"players": {"player_0": {"hand": ["Scout x5"], "authority": 50}}, "turn": "player_0"}
    before = repr(original)
    changed = [inputs.spoiled(rng, original) for _ in range(50)]
    assert repr(original) == before
    assert sum(repr(each) != before for each in changed) > 40


def test_the_table_adds_up():
    text = table([Tally("settings", 3, 4, ["x"]), Tally("words", 1, 0)])
    assert text.splitlines()[-1].split() == ["all", "9", "4", "4", "1"]
