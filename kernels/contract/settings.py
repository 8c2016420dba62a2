"""Settings of games: names, defaults and allowed values, checked on entry."""

import hashlib
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from typing import Any, NamedTuple, TypeGuard

from stardeck.kernels.errors import cut, is_whole, shown


class Setting(NamedTuple):
    """Setting of a game.

    allowed: a tuple of texts or truth values; (low, high) for a whole number; [low, high] for a list of whole numbers;
    [] for a list of texts; [[]] for a list of texts, or one such list for each seat. A default of None stands for a
    value that follows from the other settings.
    """

    name: str
    default: object
    allowed: tuple[Any, ...] | list[Any]
    meaning: str
    path: bool = False  # a user's table is allowed too: the path of a file, or its content as a dict
    more: bool = False  # another setting can add allowed values
    by_turn: bool = False  # the numbers of a list follow the order of turns from who begins, not the seats

    @property
    def is_number(self) -> bool:
        """True if the value is a whole number."""
        return isinstance(self.allowed, tuple) and type(self.allowed[0]) is int

    @property
    def is_list(self) -> bool:
        """True if the value is a list."""
        return isinstance(self.allowed, list)

    @property
    def is_text_list(self) -> bool:
        """True if the value is a list of texts."""
        return self.is_list and not self.allowed

    @property
    def is_deck_list(self) -> bool:
        """True if the value is a list of texts, or one such list for each seat."""
        return self.allowed == [[]]

    def check(self, value: Any) -> Any:
        """Return the value if it is allowed; ValueError names the setting, the value and the allowed values."""
        if value is None and self.default is None:
            return None
        if self.is_text_list or self.is_deck_list:
            return self._check_texts(value)
        if self.is_list or self.is_number:
            return self._check_numbers(value)
        if type(value) is type(self.allowed[0]) and value in self.allowed:
            return value
        if self.path and (isinstance(value, Mapping) or _may_name_a_file(value)):
            return value if isinstance(value, Mapping) else str(value)
        allowed = ", ".join(_spelled(item) for item in self.allowed)
        own = ", the path of a file, or its content as a dict" if self.path else ""
        raise ValueError(f"{self.name}={shown(value)}: must be one of {allowed}{own}")

    def _check_texts(self, value: Any) -> list[Any]:
        """Return a list of texts, or of such lists."""
        if are_texts(value):
            return list(value)
        if self.is_deck_list and isinstance(value, (list, tuple)) and all(map(are_texts, value)):
            return [list(texts) for texts in value]
        each = ", or one such list for each seat" if self.is_deck_list else ""
        raise ValueError(f"{self.name}={shown(value)}: must be a list of texts{each}")

    def _check_numbers(self, value: Any) -> int | list[int]:
        """Return a whole number, or a list of them, within the limits."""
        low, high = self.allowed[0], self.allowed[-1]
        if self.is_number:
            if is_whole(value) and low <= value <= high:
                return int(value)
            raise ValueError(f"{self.name}={shown(value)}: must be a whole number from {low} to {high}")
        if isinstance(value, (list, tuple)) and all(is_whole(item) and low <= item <= high for item in value):
            return [int(item) for item in value]
        raise ValueError(f"{self.name}={shown(value)}: must be a list of whole numbers from {low} to {high}")


def are_texts(value: object) -> TypeGuard[Sequence[str]]:
    """Return whether a value is a list of texts."""
    return isinstance(value, list | tuple) and all(isinstance(item, str) for item in value)


def _may_name_a_file(value: Any) -> TypeGuard[str | Path]:
    """Return whether a value is the path of a file, or ends in `.toml`, so that reading it gives a clear error."""
    if not isinstance(value, (str, Path)):
        return False
    try:
        return Path(value).is_file() or Path(value).suffix == ".toml"
    except (OSError, ValueError):  # too long, or with a null character
        return False


def _spelled(value: Any) -> str:
    return str(value).lower() if isinstance(value, bool) else str(value)


def variant_id(
    parts: Iterable[str], settings: Iterable[Setting], values: Mapping[str, Any], defaults: Mapping[str, Any] = {}
) -> str:
    """Return the id of a variant: its parts, then `name=value` for each setting that differs from its default.

    Args:
        parts: The parts that begin the id.
        settings: The settings that no part stands for.
        values: The value of every setting.
        defaults: Defaults that follow from other settings.
    """
    away = [setting for setting in settings if values[setting.name] != defaults.get(setting.name, setting.default)]
    return "/".join([*parts, *(f"{setting.name}={_in_id(setting, values[setting.name])}" for setting in away)])


def _in_id(setting: Setting, value: Any) -> str:
    """Return a value as written in an id. Lists of card names become their length and a hash: ids name folders."""
    if setting.path:
        return value if isinstance(value, str) else value["name"]
    if not isinstance(value, list):
        return _spelled(value)
    text = ";".join(map(",".join, value)) if setting.is_deck_list else ",".join(map(str, value))
    return f"{len(value)}-{hashlib.sha256(text.encode()).hexdigest()[:8]}" if " " in text else text


def settle(game: str, settings: tuple[Setting, ...], given: Mapping[str, Any]) -> dict[str, Any]:
    """Return every setting with its value: the given one, checked, or the default.

    Args:
        game: The name of the game, for errors.
        settings: The settings of the game.
        given: Values by name.

    Raises:
        ValueError: There is no such setting, or its value is not allowed.
    """
    names = [setting.name for setting in settings]
    for name in given:
        if name not in names:
            raise ValueError(f"{cut(name)}={shown(given[name])}: {game} has no such setting; it has {', '.join(names)}")
    return {
        setting.name: setting.check(given[setting.name]) if setting.name in given else setting.default
        for setting in settings
    }
