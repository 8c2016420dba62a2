"""A new format, defined in new_format.toml: how much authority makes up for fewer cards?"""

from pathlib import Path

import stardeck
from stardeck.benchmarks.arena import Series

GAMES = 2000
TABLE = Path(__file__).with_name("new_format.toml")


def first_wins(**settings):
    """Return the first player's win rate in percent."""
    game = stardeck.make("star_realms", **settings)
    return 100 * Series(game, ["rules"], seed=7).play(0, GAMES).winners[:, 0].mean()


print(f"standard: the first player wins {first_wins():.1f} %")
print(f"handicap: {first_wins(formats=TABLE, format='handicap'):.1f} %")
for authority in (40, 60, 80):  # the same setting for any format, without a file
    print(f"second player with {authority}: {first_wins(authority=[50, authority]):.1f} %")
sprint = stardeck.make("star_realms", formats=TABLE, format="sprint", players=5)
print(f"{sprint.id} is played by {sprint.players}")
