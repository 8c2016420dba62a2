"""Whether a folder holds what is asked for: where two series, leagues or trainings differ first, in words.

Settings that came later are missing in what version 0.1.0, or one after it, has written. Such results are those of
today's defaults, so that a folder of then goes on.
"""

from typing import Any

from stardeck.agents.former_names import present
from stardeck.game.game import Game
from stardeck.kernels.errors import cut, shown

LATER = {  # settings that version 0.1.0 did not have, by game, those that came together together, the latest first
    "star_realms": (
        {"finale", "first_turn", "starting_deck", "trade_row"},
        {"first_player", "first_turn_trade"},
        {"authority", "errata", "formats"},
    ),
    "rise_of_empire": ({"finale"},),
    "empire_of_the_stars": ({"bonus_points"}, {"at_limit"}),
}  # fmt: skip
LONGEST = 300  # characters of an identity, which says why an agent cannot be told apart
CHANGED = "pirates_of_the_dark_star"  # the format whose rules are others since


def difference(held: Any, wanted: Any, place: str) -> str | None:
    """Where two values that JSON can hold differ first: "settings.players 2, not 3"; None if nowhere.

    place: what the whole of them is called.
    """
    held, wanted = present(held), present(wanted)
    if held == wanted:
        return None
    parts: list[tuple[str, Any, Any]] = []
    if isinstance(held, dict) and isinstance(wanted, dict) and held.keys() == wanted.keys():
        parts = [(f"{place}.{key}", held[key], wanted[key]) for key in wanted]
    elif isinstance(held, list | tuple) and isinstance(wanted, list | tuple) and len(held) == len(wanted):
        parts = [(f"{place}[{number}]", *pair) for number, pair in enumerate(zip(held, wanted, strict=True))]
    within = (difference(before, now, where) for where, before, now in parts)
    return next(filter(None, within), None) or f"{place} {_told(held)}, not {_told(wanted)}"


def _told(value):
    return cut(repr(value), LONGEST) if isinstance(value, str) else shown(value)


def completed(identity: dict[str, Any]) -> dict[str, Any]:
    """What a file of results says of its series, with the settings that its version did not know."""
    identity = present(identity)
    written = identity.get("settings")
    name = str(identity.get("variant")).partition("/")[0]
    if not isinstance(written, dict) or written.get("format") == CHANGED:
        return identity
    steps = LATER.get(name, ())
    lacking = {setting for step in steps for setting in step} - set(written)
    if not any(lacking == set().union(*steps[:count]) for count in range(1, len(steps) + 1)):
        return identity
    try:
        game = Game.named(name, written)
    except (LookupError, TypeError, ValueError):  # a damaged file, or a table that is gone
        return identity
    return identity | {"settings": written | {key: game.settings[key] for key in lacking}}
