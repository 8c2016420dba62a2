"""Answers of a search of a parameter: the whole number that may be printed, how large the change is, and its rank."""

import math
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


def at(row: dict[str, Any], whole: dict[str, Any]) -> dict[str, Any]:
    """Return the row of a parameter with a whole number as its answer, and how large this change is.

    Args:
        row: Row of the parameter.
        whole: The number, with the points that it leaves.
    """
    change = abs(whole["value"] - row["printed"])
    share = change / row["measured"] if row["measured"] else None
    return row | {"whole": whole, "new": not row["measured"], "change": change, "share": share}


def is_small(row: dict[str, Any]) -> bool:
    """Return whether a change may leave little of the advantage: the games do not show that it leaves more.

    Args:
        row: Row of a parameter with an answer.
    """
    left = row["whole"]["left"]
    return left["low"] <= LEFT and left["high"] >= -LEFT


def rank(row: dict[str, Any]) -> tuple[int, bool, float]:
    """Return the place of a change: those that leave little, printed numbers and the smallest change first.

    Those that leave more follow, the one that leaves least first.

    Args:
        row: Row of a parameter.
    """
    if not row["found"]:
        return 2, True, math.inf
    if not is_small(row):
        return 1, True, abs(row["whole"]["left"]["value"])
    return 0, row["new"], row["share"] if row["share"] is not None else row["change"]
