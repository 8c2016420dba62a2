"""Numbers of the report as text, and the kinds of agents in words."""

import re
from collections.abc import Mapping, Sequence
from typing import Any

PLAYS = {
    "random": "draws every decision",
    "simple": "uses everything that it has and buys at random",
    "rules": "follows written rules of good play",
    "ppo": "is a network that learned by playing itself",
    "expert": "is a network that learned from searches",
}
SEARCH = re.compile(r"search:(\d+)(ms)?(?:.*?:prior=([^:]+))?")


def amount(value: float | None, places: int = 1, signed: bool = False) -> str:
    """Return a number as text; "not known" for None.

    Args:
        value: The number.
        places: Digits after the point.
        signed: True writes a plus sign too.
    """
    if value is None:
        return "not known"
    written = f"{value:{'+' if signed else ''},.{places}f}"
    return written.lstrip("+-") if float(written.replace(",", "")) == 0 else written


def with_interval(row: Mapping[str, Any], places: int = 1, signed: bool | None = None) -> str:
    """Return an estimate with its 95 % interval, such as "+6.1 [+5.9, +6.3]".

    Args:
        row: Mapping with `value`, `low`, `high` and `unit`.
        places: Digits after the point.
        signed: True writes plus signs; None writes them for points.
    """
    plus = row.get("unit") == "points" if signed is None else signed
    value = amount(row["value"], places, plus)
    ends = [None if row[key] is None else amount(row[key], places, plus) for key in ("low", "high")]
    if ends == [None, None]:
        return value
    if ends[0] is None:
        return f"at most {ends[1]}"
    return f"at least {ends[0]}" if ends[1] is None else f"{value} [{ends[0]}, {ends[1]}]"


def corrected_chance(q: float) -> str:
    """Return a corrected p-value as text; "" for NaN."""
    return "" if q != q else "<0.001" if q < 0.001 else f"{q:.3f}"


def ends_in_brackets(ends: Sequence[float], places: int = 1, signed: bool = False) -> str:
    """Return a value with its interval, such as "6.1 [5.9, 6.3]".

    Args:
        ends: Value, lower and upper end.
        places: Digits after the point.
        signed: True writes plus signs too.
    """
    value, low, high = (amount(one, places, signed) for one in ends)
    return f"{value} [{low}, {high}]"


def in_brackets(low: float | None, high: float | None, places: int = 1) -> str:
    """Return an interval alone, such as "[5.9, 6.3]"; an end that is None is open."""
    if low is None and high is None:
        return "no bound known"
    if low is None:
        return f"at most {amount(high, places)}"
    return f"at least {amount(low, places)}" if high is None else f"[{amount(low, places)}, {amount(high, places)}]"


def value_with_unit(estimate: Mapping[str, Any]) -> str:
    """Return the value of an estimate with its unit, such as "61.2 %"; numbers below 10 have two digits."""
    return f"{amount(estimate['value'], _places(estimate['value']))} {estimate['unit']}".strip()


def interval_of(estimate: Mapping[str, Any]) -> str:
    """Return the interval of an estimate, such as "[60.1, 62.3]"."""
    if estimate["low"] is None or estimate["high"] is None:
        return "unknown"
    low, high = (amount(estimate[key], _places(estimate[key])) for key in ("low", "high"))
    return f"[{low}, {high}]"


def estimate_in_words(estimate: Mapping[str, Any]) -> str:
    """Return an estimate with its unit and its interval, such as "61.2 % [60.1, 62.3]"."""
    return f"{value_with_unit(estimate)} {interval_of(estimate)}"


def _places(value: float) -> int:
    return 2 if abs(value) < 10 else 1


def agents_in_words(agents: Sequence[str]) -> str:
    """Return what agents of the package are, a sentence for each kind; "" if none is known.

    Args:
        agents: Texts of the agents.
    """
    known: dict[str, str] = {}
    for agent in agents:
        found = SEARCH.match(agent)
        if clause := _search_in_words(found) if found else PLAYS.get(agent, ""):
            known.setdefault("search" if found else agent, f"`{agent}` {clause}.")
    return " ".join(known.values())


def _search_in_words(found: re.Match[str]) -> str:
    number, milliseconds, guide = found.groups()
    tried = f"thinks for {number} milliseconds" if milliseconds else f"tries out {number} continuations"
    return f"{tried} before each decision" + (f", guided by `{guide}`" if guide else "")
