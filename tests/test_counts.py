"""Legal lines to some depth from named positions, against counts made by hand; a mismatch shows the split."""

from pathlib import Path

import numpy as np
import pytest
import yaml

import stardeck

CASES = yaml.safe_load((Path(__file__).parent / "counts.yaml").read_text())


def count(game, states, depth):
    """How many sequences of `depth` legal actions there are."""
    actions = np.flatnonzero(game.legal_actions(states)[0])
    if depth == 1:
        return len(actions)
    return sum(split(game, states, depth).values())


def split(game, states, depth):
    """The same below each first action."""
    below = {}
    for action in np.flatnonzero(game.legal_actions(states)[0]):
        after = game.copy(states)
        game.apply(after, [action])
        below[game.describe(states[0], action)] = count(game, after, depth - 1) if depth > 1 else 1
    return below


@pytest.mark.parametrize("case", CASES, ids=[case["name"] for case in CASES])
def test_counts_are_those_made_by_hand(case):
    game = stardeck.make("star_realms")
    states = game.from_position(case["position"])
    for depth, expected in enumerate(case["counts"], 1):
        assert count(game, states, depth) == expected, split(game, states, depth)
