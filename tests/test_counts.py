"""Numbers of legal lines to some depth from named positions, counted by hand; a mismatch shows the split."""

from pathlib import Path

import pytest
import yaml

import stardeck
from helpers import count, split

CASES = yaml.safe_load((Path(__file__).parent / "counts.yaml").read_text())


@pytest.mark.parametrize("case", CASES, ids=[case["name"] for case in CASES])
def test_counts_are_those_made_by_hand(case):
    game = stardeck.make("star_realms", **case.get("settings", {}))
    states = game.from_position(case["position"])
    for depth, expected in enumerate(case["counts"], 1):
        assert count(game, states, depth) == expected, split(game, states, depth)
