"""Answers of a search: the whole numbers that may be printed, how large the change is, and its rank."""

import math
from operator import truediv
from typing import Any

LEFT = 1.0  # points of advantage that a change may leave


def nearest(seen: list[dict[str, Any]], label: str, printed: Any) -> list[dict[str, Any]]:
    """Return the whole numbers that may leave the least advantage: each with the points that it left in the search.

    The first is best by the fitted curve, which uses the games of all numbers. The second, where it is another one,
    left the least for certain; it is better where the advantage jumps.

    Args:
        seen: Points of all that the search has played, as `stardeck fair` lists them.
        label: Label of the parameter.
        printed: Printed value, which is no change.
    """
    others = [row for row in seen if row["knobs"][label] != printed]
    if not others:
        return []
    fitted = min(others, key=lambda row: abs(row.get("curve", row["points"])))
    surest = min(others, key=lambda row: max(abs(row["low"]), abs(row["high"])))
    return [
        {"value": row["knobs"][label],
         "left": {"value": row["points"], "low": row["low"], "high": row["high"], "unit": "points"}}
        for row in ([fitted] if fitted is surest else [fitted, surest])
    ]  # fmt: skip


def likeliest(summary: dict[str, Any], printed: list[int], most: int) -> list[dict[str, Any]]:
    """Return the whole numbers of several parameters that make up most of a fair mixture, the largest part first.

    Printed values are left out, for they are no change. So is one number for seats that have one number in print: a
    single parameter searches that.

    Args:
        summary: Summary of `stardeck fair`.
        printed: Printed values.
        most: Number of answers at most.
    """
    left = {key: summary["shares"][0][name] for key, name in (("value", "points"), ("low", "low"), ("high", "high"))}
    parts = sorted(summary["mixture"], key=lambda one: -one["part"])
    values = [list(one["knobs"].values()) for one in parts]
    fresh = [one for one in values if one != printed and len({*zip(one, printed, strict=True)}) > 1]
    return [{"value": one, "left": left | {"unit": "points"}} for one in fresh][:most]


def at(row: dict[str, Any], whole: dict[str, Any]) -> dict[str, Any]:
    """Return the row of a search with whole numbers as its answer, and how large this change is.

    Args:
        row: Row of the search.
        whole: The number or numbers, with the points that they leave.
    """
    changes = [abs(value - printed) for value, printed in zip(_all(whole["value"]), _all(row["printed"]), strict=True)]
    new = not all(_all(row["measured"]))
    share = None if new else max(map(truediv, changes, _all(row["measured"])))
    return row | {"whole": whole, "new": new, "change": max(changes), "share": share}


def as_text(value: Any) -> str:
    """Return the value of a parameter as text, or several values, such as "52, 53, 55"."""
    return ", ".join(map(str, _all(value)))


def _all(value: Any) -> list[Any]:
    """Return the values of several parameters; one alone is a list of one."""
    return value if isinstance(value, list) else [value]


def of_sides(left: dict[str, Any]) -> list[dict[str, Any]]:
    """Return the advantage of each side. Of two sides, the advantage of the first one says all.

    Args:
        left: Advantage of the side that moves first; `sides` has all of three sides or more.
    """
    return left.get("sides") or [left]


def is_little(left: dict[str, Any]) -> bool:
    """Return whether every side may have its fair share: the games do not show that one is farther off than LEFT.

    Args:
        left: Advantage, as for `of_sides`.
    """
    return all(one["low"] <= LEFT and one["high"] >= -LEFT for one in of_sides(left))


def is_surely_little(left: dict[str, Any]) -> bool:
    """Return whether every side certainly has its fair share to within LEFT.

    Args:
        left: Advantage, as for `of_sides`.
    """
    return all(-LEFT <= one["low"] and one["high"] <= LEFT for one in of_sides(left))


def largest(left: dict[str, Any]) -> float:
    """Return the largest advantage or disadvantage of a side, in points.

    Args:
        left: Advantage, as for `of_sides`.
    """
    return max(abs(one["value"]) for one in of_sides(left))


def is_small(row: dict[str, Any]) -> bool:
    """Return whether a change may leave little of the advantage: the games do not show that it leaves more.

    Args:
        row: Row of a search with an answer.
    """
    return is_little(row["whole"]["left"])


def rank(row: dict[str, Any]) -> tuple[int, bool, float]:
    """Return the place of a change: those that leave little, printed numbers and the smallest change first.

    Those that leave more follow, the one that leaves least first.

    Args:
        row: Row of a search.
    """
    if not row["found"]:
        return 2, True, math.inf
    if not is_small(row):
        return 1, True, largest(row["whole"]["left"])
    return 0, row["new"], row["share"] if row["share"] is not None else row["change"]
