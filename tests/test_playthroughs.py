"""Recorded games as readable text, one for every variant: a change of play shows as a diff.

After a change of the rules that is meant: `python tests/test_playthroughs.py` writes them anew.
"""

from pathlib import Path

import pytest

from helpers import VARIANTS, game_of
from stardeck.benchmarks import record

FOLDER = Path(__file__).parent / "playthroughs"
SEED = 7


def agents_of(variant):
    """Random and simple players reach most corners; the plain variants also show how the rule-based one plays."""
    return ["simple", "rules"] if "=" not in variant else ["simple", "random"]


def path_of(variant):
    return FOLDER / (variant.replace("/", "-") + ".txt")


def tell(variant):
    game = game_of(variant)
    lines = [f"{variant}, seed {SEED}", ""]
    names = [agent.name for agent in record.seated(game, agents_of(variant))]
    played = record.play(game, agents_of(variant), SEED, record.Log(game, names, lines.append))
    lines += ["", f"returns {played['returns']}", ""]
    return "\n".join(lines)


@pytest.mark.parametrize("variant", VARIANTS)
def test_the_game_takes_the_course_it_was_recorded_with(variant):
    assert tell(variant).splitlines() == path_of(variant).read_text().splitlines()


def test_there_is_no_playthrough_of_a_variant_that_is_gone():
    assert {path.name for path in FOLDER.glob("*.txt")} == {path_of(variant).name for variant in VARIANTS}


if __name__ == "__main__":
    for old in FOLDER.glob("*.txt"):
        old.unlink()
    for each in VARIANTS:
        path_of(each).write_text(tell(each))
