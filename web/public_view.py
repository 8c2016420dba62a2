"""The public view of a game: what all seats know, merged from what each seat is told.

A spectator of a game with people sees it. It needs no code of the games: it compares their tables and news.
"""

import re
from collections.abc import Sequence
from typing import Any

PUBLIC = -1  # the viewer who knows only what all seats know
Data = dict[str, Any]
MARKS = ("\n", "; ", ": ")  # between the parts of a text, from the largest to the smallest


# The table


def public_table(tables: Sequence[Data]) -> Data:
    """Return a table that names a thing only if the tables of all seats name it. It has no moves.

    Hidden things look as they do to the seats that do not know them: backs, or only a number.
    """
    merged = _common([{**table, "seat": None, "cards": {}, "moves": []} for table in tables])
    if merged["question"] and not merged["question"]["words"]:
        merged["question"] = None
    faces = {name: face for table in tables for name, face in table["cards"].items()}
    cards = sorted(faces.keys() & set(_texts(merged)))  # the order in a table would tell what is in hands
    return {**merged, "cards": {name: faces[name] for name in cards}}


def _common(values: Sequence[Any]) -> Any:
    """Return the part of some values that they have in common; None if there is none."""
    first = values[0]
    if all(value == first for value in values):
        return first
    if all(isinstance(value, dict) for value in values):
        return {key: _common([value[key] for value in values]) for key in first if all(key in each for each in values)}
    if all(isinstance(value, list) for value in values):
        return _common_items(values)
    if all(isinstance(value, str) for value in values):
        return _common_words(values)
    return min(values) if all(isinstance(value, int) for value in values) else None


def _common_items(lists: Sequence[list[Any]]) -> list[Any]:
    """Return the common items of some lists, and the backs of the list that names the fewest things."""
    fewest = min(lists, key=lambda items: sum(not _is_back(item) for item in items))
    found = [{_key(item): item for item in items} for items in lists]
    return [
        _common([items[_key(item)] for items in found]) if all(_key(item) in items for items in found) else item
        for item in fewest
        if _is_back(item) or all(_key(item) in items for items in found)
    ]


def _is_back(item: Any) -> bool:
    return isinstance(item, dict) and item.get("name", "") is None


def _key(item: Any) -> Any:
    """Return the id of an item, else its name; any other item stands for itself."""
    return str(item.get("id", item.get("name"))) if isinstance(item, dict) else repr(item)


def _common_words(texts: Sequence[str]) -> str:
    """Return the first parts of some texts, as far as all are equal: `keep one of two cards`."""
    for mark in MARKS:
        parts = [text.split(mark) for text in texts]
        count = next((place for place, each in enumerate(zip(*parts, strict=False)) if len(set(each)) > 1), None)
        count = min(map(len, parts)) if count is None else count
        if count:
            return mark.join(parts[0][:count])
    return ""


def _texts(value: Any) -> list[str]:
    """Return all texts in a table."""
    if isinstance(value, str):
        return [value]
    inside = value.values() if isinstance(value, dict) else value if isinstance(value, list) else ()
    return [text for each in inside for text in _texts(each)]


# News and headlines


def public_lines(by_seat: Sequence[Sequence[str]], actors: Sequence[int], sides: Sequence[Sequence[int]]) -> list[str]:
    """Return the lines that everyone is told, except perhaps the players whom they are about.

    A line is about the players that it names (`player_1 draws a card`), else about those who act. They, and their team,
    may be told more than the others: `player_1 draws Scout`.

    Args:
        by_seat: The lines of each seat.
        actors: The seats that act before and after the decision.
        sides: The seats of each side.

    Returns:
        The lines, each as often as it is told.
    """
    found: list[str] = []
    for reader in sorted(range(len(by_seat)), key=lambda seat: seat in actors):
        for place, line in enumerate(by_seat[reader]):
            times = by_seat[reader][: place + 1].count(line)
            known = all(by_seat[seat].count(line) >= times for seat in _others(line, actors, sides))
            if known and found.count(line) < times:
                found.append(line)
    return found


def _others(line: str, actors: Sequence[int], sides: Sequence[Sequence[int]]) -> list[int]:
    """Return the seats that a line does not concern; all seats if it concerns everyone."""
    everyone = [seat for side in sides for seat in side]
    about = {int(seat) for seat in re.findall(r"\bplayer_(\d+)\b", line)} or set(actors)
    strangers = [seat for side in sides for seat in side if not about.intersection(side)]
    return strangers or [seat for seat in everyone if seat not in about] or everyone
