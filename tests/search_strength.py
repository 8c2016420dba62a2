"""Strength of search: `python tests/search_strength.py 50 400` lets each shipped network play its own search.

A search of 50 simulations plays one side of 400 games, and the network that guides it all others. Against an automated
Boss both play the whole side. Variants may follow. It prints a table, and fails if a search is not stronger beyond
chance.
"""

import sys

from helpers import game_of
from stardeck import agents
from stardeck.agents.networks import pretrained
from stardeck.benchmarks.advantage.measure import wilson
from stardeck.benchmarks.arena.series import win_share

SEED = 5
ALONE = 2_000  # games of the network by itself against a Boss


def compare(name, variant, simulations, games):
    """Return the share of games that a search wins, its interval, and what the network alone would win: all in %."""
    game = game_of(variant)
    network = agents.get(name, game)
    search = agents.get(f"search:{simulations}:prior={name}", game)
    games = -(-games // len(game.variant.sides)) * len(game.variant.sides)
    sides = len(game.variant.sides)
    alone = 1 / sides if sides > 1 else win_share(game, network, network, ALONE, SEED)
    share = win_share(game, search, network, games, SEED)
    low, high = wilson(share, games)
    return 100 * share, 100 * low, 100 * high, 100 * alone, games


if __name__ == "__main__":
    simulations, games, *wanted = int(sys.argv[1]), int(sys.argv[2]), *sys.argv[3:]
    pairs = [(name, variant) for name in ("expert", "ppo") for variant in pretrained.shipped(name)]
    weak = []
    for name, variant in pairs:
        if not wanted or variant in wanted:
            share, low, high, alone, played = compare(name, variant, simulations, games)
            print(
                f"{variant:50} {name:8} {share:5.1f} % [{low:.1f}, {high:.1f}], alone {alone:.1f} %, {played} games",
                flush=True,
            )
            if low <= alone:
                weak.append((name, variant))
    sys.exit(f"not stronger than the network beyond chance: {weak}" if weak else 0)
