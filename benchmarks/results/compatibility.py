"""Compatibility of stored results with a request: the first difference of two series, leagues or trainings, in words.

Results of version 0.1.0 and later may lack newer settings. Such results count as results of today's defaults, so an old
folder can be extended.
"""

from typing import Any

from stardeck.agents.former_names import present
from stardeck.game.game import Game
from stardeck.kernels.errors import cut, shown

LATER = {  # settings that version 0.1.0 lacks, by game; sets in order of addition, the latest first
    "star_realms": (
        {"finale", "first_turn", "starting_deck", "trade_row"},
        {"first_player", "first_turn_trade"},
        {"authority", "errata", "formats"},
    ),
    "rise_of_empire": ({"finale"},),
    "empire_of_the_stars": ({"bonus_points"}, {"at_limit"}),
}  # fmt: skip
LONGEST = 300  # characters of an identity, which must distinguish similar agents
CHANGED = "pirates_of_the_dark_star"  # the format whose rules have changed since


def difference(held: Any, wanted: Any, place: str) -> str | None:
    """Return the first difference of two JSON values, such as "settings.players 2, not 3"; None if they are equal.

    Args:
        held: Stored value.
        wanted: Requested value.
        place: Name of the whole value.
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
    return next(filter(None, within), None) or f"{place} {_shown(held)}, not {_shown(wanted)}"


def _shown(value):
    return cut(repr(value), LONGEST) if isinstance(value, str) else shown(value)


def completed(identity: dict[str, Any]) -> dict[str, Any]:
    """Return the identity of a series, completed with settings that the version of the file lacks."""
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
    except (LookupError, TypeError, ValueError):  # a damaged file, or a table that does not exist any more
        return identity
    return identity | {"settings": written | {key: game.settings[key] for key in lacking}}
