"""Parser for positions: it turns values of YAML or JSON into names and numbers, or raises ValueError.

Every message names the place, the value (shortened), and the allowed values.
"""

import re
from collections.abc import Collection
from typing import Any, SupportsInt

from stardeck.kernels.errors import shown

MOST_COUNTED = 1_000_000_000  # turns and decisions: counting on from there stays within an int32
MOST_RANDOM = 2**64 - 1


def seat_name(seat: SupportsInt) -> str:
    """Return the name of a seat."""
    return f"player_{int(seat)}"


def spelled_out(text: str) -> tuple[str, int]:
    """Return the name and the number of copies in an entry of a pile: `Scout x3`."""
    found = re.fullmatch(r"(.+) x([0-9]{1,3})", text)
    return (found[1], int(found[2])) if found else (text, 1)


class Reader:
    """Reader of values; ValueError names the place, the value and the allowed values. players: number of seats."""

    def __init__(self, players: int) -> None:
        self.seats = [seat_name(seat) for seat in range(players)]

    def mapping(self, value: Any, where: str, allowed: Collection[Any] | None = None) -> dict[Any, Any]:
        """Return a mapping that has no other keys than the allowed ones."""
        if not isinstance(value, dict):
            raise ValueError(f"{where}: {shown(value)}: must be a mapping")
        for key in value:
            if not isinstance(key, str | int) or isinstance(key, bool) or (allowed is not None and key not in allowed):
                names = ", ".join(map(str, allowed or ())) or "nothing"
                raise ValueError(f"{where}: {shown(key)} is not known; allowed: {names}")
        return value

    def numbered(self, value: Any, where: str, low: int, high: int) -> list[tuple[int, Any]]:
        """Return the items of a mapping whose keys are whole numbers from `low` to `high`; JSON has them as texts."""
        items = {}
        for key, item in self.mapping(value, where).items():
            written = int(key) if isinstance(key, str) and re.fullmatch("[0-9]{1,9}", key) else key
            number = self.number(written, where, low, high)
            if number in items:
                raise ValueError(f"{where}: {number}: appears twice")
            items[number] = item
        return list(items.items())

    def listed(self, value: Any, where: str, of: str = "", most: int | None = None) -> list[Any]:
        """Return a list. of: its items in words, for errors; most: the largest length, which needs `of`."""
        if not isinstance(value, list) or (most is not None and len(value) > most):
            limit = "" if most is None else f"at most {most} "
            wanted = f"a list of {limit}{of}" if of else "a list"
            raise ValueError(f"{where}: {shown(value)}: must be {wanted}")
        return value

    def number(self, value: Any, where: str, low: int = 0, high: int = 32767) -> int:
        """Return a whole number from `low` to `high`."""
        if not isinstance(value, int) or isinstance(value, bool) or not low <= value <= high:
            raise ValueError(f"{where}: {shown(value)}: must be a whole number from {low} to {high}")
        return value

    def truth(self, value: Any, where: str) -> bool:
        """Return True or False."""
        if not isinstance(value, bool):
            raise ValueError(f"{where}: {shown(value)}: must be true or false")
        return value

    def one_of(self, value: Any, where: str, names: Collection[str]) -> int:
        """Return the index of a text among the allowed ones."""
        if not isinstance(value, str) or value not in names:
            raise ValueError(f"{where}: {shown(value)}: must be one of {', '.join(names) or 'nothing'}")
        return list(names).index(value)

    def seat(self, value: Any, where: str) -> int:
        """Return the number of a seat from its name."""
        return self.one_of(value, where, self.seats)

    def named_pile(self, value: Any, where: str, most: int, of: str = "cards") -> list[str]:
        """Return the names in a pile, one entry per copy; the caller must check that the names exist."""
        names = []
        for text in self.listed(value, where, of):
            name, copies = spelled_out(text) if isinstance(text, str) else (text, 1)
            names += [name] * copies
            if len(names) > most:
                raise ValueError(f"{where}: {len(names)} {of}: at most {most}")
        return names
