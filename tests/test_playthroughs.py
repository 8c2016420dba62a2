"""Recorded games as readable text, one for every variant: a change of play shows as a diff.

Each file begins with the number of lines of legal actions from the deal, one, two and three actions deep.

After an intended change of the rules, `python tests/test_playthroughs.py` rewrites them.
"""

from pathlib import Path

import pytest

from helpers import EVERY_VARIANT, KINDS, count, game_of, scaled
from stardeck.benchmarks.recordings import record

FOLDER = Path(__file__).parent / "playthroughs"
SEED = 7
DEPTH = 3


def agents_of(variant):
    """Return the agents: random and simple players reach most situations, and plain variants also show `rules`."""
    if game_of(variant).players == 1:
        return ["rules"]
    return ["simple", "rules"] if "=" not in variant else ["simple", "random"]


def path_of(variant):
    return FOLDER / (variant.replace("/", "-") + ".txt")


def tell(variant):
    game = game_of(variant)
    counts = [count(game, game.deal([SEED]), depth) for depth in range(1, DEPTH + 1)]
    lines = [f"{variant}, seed {SEED}, depth counts {', '.join(map(str, counts))}", ""]
    names = [agent.name for agent in record.seated(game, agents_of(variant))]
    played = record.play(game, agents_of(variant), SEED, record.Log(game, names, lines.append, full=False))
    lines += ["", f"returns {played['returns']}", ""]
    return "\n".join(lines)


# Plain Python takes as long for a whole campaign as for ten other games.
@pytest.mark.parametrize("variant", scaled(EVERY_VARIANT, [one for one in KINDS if "rise_of_empire/2" not in one]))
def test_the_game_takes_the_course_it_was_recorded_with(variant):
    assert tell(variant).splitlines() == path_of(variant).read_text().splitlines()


def test_there_is_no_playthrough_of_a_variant_that_is_gone():
    assert {path.name for path in FOLDER.glob("*.txt")} == {path_of(variant).name for variant in EVERY_VARIANT}


if __name__ == "__main__":
    for old in FOLDER.glob("*.txt"):
        old.unlink()
    for each in EVERY_VARIANT:
        path_of(each).write_text(tell(each))
