"""The answer to "did play change?": a hash of fixed seeded games of every variant.

`python -m stardeck.benchmarks.conformance.play_signature` prints it. A commit that touches a kernel says `Signature:
<hash>` when play changes, else `No change of play`.
"""

import hashlib

from stardeck.benchmarks.arena.series import Series
from stardeck.game.registry import make, variants

GAMES = 20
LINEUPS = (["random"], ["simple", "rules"])
# Variants of settings, and of values, that came later leave the hash as it was; they have playthroughs.
STAR_REALMS = (
    "authority", "errata", "finale", "first_player", "first_turn", "first_turn_trade", "starting_deck",
    "trade_deck=none",
    "trade_row",
)  # fmt: skip
LATER = {
    "star_realms": set(STAR_REALMS),
    "rise_of_empire": {"finale"},
    "empire_of_the_stars": {"at_limit", "bonus_points"},
}


def signature() -> str:
    """The hash: 12 hexadecimal digits."""
    digest = hashlib.sha256()
    for entry in variants():
        if _came_later(**entry):
            continue
        game = make(entry["game"], **entry["settings"])
        digest.update(f"{game.id} {game.num_actions} {game.at(0).observation_size}".encode())
        for lineup in LINEUPS:
            played = Series(game, lineup[-game.players :], seed=2014).play(0, GAMES)
            for result in played[: played._fields.index("placements")]:  # later columns leave the hash as it was
                digest.update(str(result).encode() if isinstance(result, int) else result.tobytes())
    return digest.hexdigest()[:12]


def _came_later(game, settings, **_):
    """Return whether a variant has a setting of LATER, or a value that is written there as `setting=value`."""
    named = {*settings, *(f"{name}={value}" for name, value in settings.items())}
    return not named.isdisjoint(LATER.get(game, ()))


if __name__ == "__main__":
    print(signature())
