"""Helpers for new games: dtypes with the fields that every game needs, and `build`, which makes a variant.

A game may lay out its records itself. `state_dtype` and `rules_dtype` do so for games without special needs. See
docs/add_a_game.md.
"""

from collections.abc import Callable, Mapping, Sequence
from enum import IntEnum
from typing import Any, NamedTuple, TypeVar

import numpy as np

from stardeck.kernels.contract.settings import Setting, settle, variant_id
from stardeck.kernels.contract.variant import BaseVariant, Block, check_fields, list_actions, write_actions
from stardeck.kernels.errors import GameError, shown

Field = tuple[Any, ...]  # of a dtype: name, type and perhaps shape
VariantT = TypeVar("VariantT", bound=BaseVariant[Any])


class CardAction(NamedTuple):
    """Meaning of an action number: the act, its card, and its seat clockwise of the acting one."""

    act: IntEnum
    card: int = -1
    seat: int = 0


def state_dtype(game: str, seats: int, fields: Sequence[Field]) -> np.dtype[np.void]:
    """Return the dtype of a game's states: the fields of every game, and its own.

    Args:
        game: The name of the game. The last field is named after it, so no two games share a dtype.
        seats: The largest number of players.
        fields: The fields of the game: (name, type) or (name, type, shape).
    """
    known: list[Field] = [
        ("random", np.uint64), ("turn", np.int32), ("decisions", np.int32), ("variant", np.uint32),
        ("to_act", np.int8), ("truncated", np.int8), ("first", np.int8), ("placement", np.int8, (seats,)),
    ]  # fmt: skip
    for name, kind, *_ in fields:
        if name in [field[0] for field in known]:
            raise ValueError(f"fields: {name}: every state has a field of this name already")
        if np.dtype(kind).base.kind not in "iuV":
            raise ValueError(f"fields: {name}: {np.dtype(kind)}: must be a dtype of whole numbers, such as uint8")
    return _packed([*known, *fields], f"of_{game}")


def rules_dtype(
    acts: type[IntEnum], observed: type[IntEnum], fields: Sequence[Field] = (), actions: int = 64,
    action: type[NamedTuple] | Any = CardAction,
) -> np.dtype[np.void]:  # fmt: skip
    """Return the dtype of a game's rules: the fields of every game, and its own.

    Args:
        acts: The enumeration of acts, one for each block of the action space.
        observed: The enumeration of the fields of an observation.
        fields: The fields of the game: (name, type) or (name, type, shape). `build` fills those named after a setting.
        actions: The largest number of actions.
        action: The named tuple of an action.
    """
    row = np.dtype([(name, np.int16) for name in action._fields])
    known: list[Field] = [
        ("variant", np.uint64), ("players", np.int32), ("num_actions", np.int32), ("first", np.int16, (len(acts),)),
        ("offset", np.uint16, (len(observed),)), ("actions", row, (actions,)),
    ]  # fmt: skip
    return _packed([*known, *fields], "padding")


def _packed(fields: Sequence[Field], last: str) -> np.dtype[np.void]:
    """Return the dtype of these fields without gaps: the widest fields come first, and a last field fills the rest."""
    ordered = sorted(fields, key=lambda field: -np.dtype(field[1]).alignment)
    whole = np.dtype(ordered, align=True)
    taken = sum(whole[name].itemsize for name in whole.names or ())
    return np.dtype([*ordered, (last, np.uint8, (8 - taken % 8,))], align=True)


def build(
    kind: Callable[..., VariantT], settings: tuple[Setting, ...], given: Mapping[str, Any], *, names: Sequence[str],
    states: np.dtype[np.void], rules: np.dtype[np.void], fill: Mapping[str, Any] = {},
) -> VariantT:  # fmt: skip
    """Return a variant of a game: it lists the actions, writes the rules and lays out the observations.

    Args:
        kind: The class of its variants, with the name of the game as `NAME`. `VERSION` is the version of rules, actions
            and observations, by default 0. `Block.members` gets the settings, a dict by name.
        settings: The settings of the game; one of them is `players`.
        given: Values of settings, by name. ValueError names a wrong one.
        names: The cards that actions and observations name.
        states: The dtype of states.
        rules: The dtype of the rules. Fields named after settings hold their values.
        fill: Values of further fields of the rules, by name.
    """
    _check(kind, settings)
    game, version = kind.NAME, getattr(kind, "VERSION", 0)  # type: ignore[attr-defined]
    check_fields(game, states, rules)
    chosen = settle(game, settings, dict(given))
    record = np.zeros(1, rules)
    action = getattr(kind, "action", CardAction)
    actions = list_actions(kind.blocks, action, chosen)  # type: ignore[attr-defined]
    if len(actions) > len(record[0]["actions"]):
        raise GameError(f"blocks: {len(actions)} actions: give rules_dtype actions={len(actions)} or more")
    write_actions(actions, record[0], game)
    for name, value in {**chosen, **fill}.items():
        if name in (rules.names or ()):
            record[0][name] = value
    others = [setting for setting in settings if setting.name != "players"]
    return kind(
        game=game, version=f"{game}_v{version}", settings=chosen, names=list(names), actions=actions, rules=record,
        state_dtype=states, id=variant_id([game, str(chosen["players"])], others, chosen),
    ).sealed()  # fmt: skip


def _check(kind: Any, settings: Any) -> None:
    """GameError unless a class of variants and its settings have what `build` asks for."""
    for member, wanted in (("NAME", "the name of the game"), ("blocks", "Blocks"), ("fields", "Rows")):
        if not hasattr(kind, member):
            raise GameError(f"class {kind.__name__}: must have {member}, {wanted}")
    for block in kind.blocks:
        if not isinstance(block, Block):
            raise GameError(f"blocks: {shown(block)}: must be a Block")
    if "players" not in [getattr(setting, "name", None) for setting in settings]:
        raise GameError("settings: must have the setting players")
