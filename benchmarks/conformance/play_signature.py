"""Signature of play: a hash of fixed seeded games of every variant, which shows if play has changed.

`python -m stardeck.benchmarks.conformance.play_signature` prints it. The message of a commit that touches a kernel
contains `Signature: <hash>` if play changes, and `No change of play` otherwise.
"""

import hashlib

from stardeck.benchmarks.arena.series import Series
from stardeck.game.catalogue import kernels_of
from stardeck.game.registry import make, variants

GAMES = 20
LINEUPS = (["random"], ["simple", "rules"])


def signature() -> str:
    """Return the hash: 12 hexadecimal digits."""
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
    """Return True if a variant has a setting, or `setting=value`, that its package lists in `LATER_SETTINGS`.

    The hash leaves such variants out, so it stays comparable; playthroughs test them.
    """
    named = {*settings, *(f"{name}={value}" for name, value in settings.items())}
    return not named.isdisjoint(getattr(kernels_of(game), "LATER_SETTINGS", ()))


if __name__ == "__main__":
    print(signature())
